import { storedDomain } from '../../core/parse_url.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  checkbox,
  field,
  filterForm,
  filterLinks,
  hidden,
  href,
  html,
  paragraphs,
  time,
  type Html,
} from '../../platform/ui/index.ts'
import { staffView, type Staff } from '../index.ts'
import { cursors, toIdPage, accountLink, toRange } from '../page_parts/index.ts'
import { findReports, renderAdminReports } from '../reports/index.ts'
import { avatarOrigins, parseReport, type ShownReport } from './entity.ts'

export const REPORTS_PATH = '/admin/reports'
const STATES = ['open', 'resolved', 'all'] as const
const MAX_EXCERPT_CHARACTERS = 300

/** A badge for the state of a report: resolved, assigned or open. */
export function stateBadge({ action_taken: resolved, assigned_account: assigned }: ShownReport, { t }: Staff): Html {
  if (resolved) return badge(t('report.resolved'), 'good')
  return assigned
    ? badge(t('reports.assigned_to', { name: assigned.account.acct }))
    : badge(t('report.open'), 'warning')
}

function reportCard(report: ShownReport, staff: Staff): Html {
  const { t, translator } = staff
  const { id, comment, account, target_account: target } = report
  const excerpt = comment.length > MAX_EXCERPT_CHARACTERS ? `${comment.slice(0, MAX_EXCERPT_CHARACTERS)}…` : comment
  return html`<li class="batch-item">
    <div class="batch-content">
      <div class="line">
        <a href="${REPORTS_PATH}/${id}"><strong>${t('reports.one', { id })}</strong></a>
        ${badge(t(`reports.category.${report.category}`))} ${stateBadge(report, staff)}
        <span class="end quiet">${time(report.created_at, translator)}</span>
      </div>
      <div class="line">${accountLink(target.account)}</div>
      ${excerpt !== '' && html`<blockquote class="quotation">${paragraphs(excerpt)}</blockquote>`}
      <p class="quiet">
        ${t('reports.sent_by', { name: account.account.acct })} ·
        ${t('reports.statuses_count', { count: report.statuses.length })}
      </p>
    </div>
  </li>`
}

export const showList = staffView({
  path: REPORTS_PATH,
  summary: 'List reports, by default the open ones',
  permissions: ['manage_reports'],
  params: {
    state: param.enumeration(STATES, { default: 'open', fallback: 'open' }),
    account_id: param.id({ optional: true, invalid: 'missing' }),
    target_account_id: param.id({ optional: true, invalid: 'missing' }),
    target_domain: param.string({ default: '', trim: true, max: 255 }),
    mine: param.boolean({ default: false }),
    ...cursors,
  },
  async show({ max_id, min_id, ...filter }, staff) {
    const { context, viewer, t, translator } = staff
    const parameters = { ...filter, mine: filter.mine ? '1' : '' }
    const ids = await findReports(
      context.database,
      {
        state: filter.state === 'all' ? undefined : filter.state,
        reporter: filter.account_id,
        target: filter.target_account_id,
        targetDomain: filter.target_domain === '' ? undefined : storedDomain(filter.target_domain),
        assignee: filter.mine ? viewer.id : undefined,
      },
      toRange({ max_id, min_id }),
    )
    const page = toIdPage(
      translator,
      [REPORTS_PATH, parameters],
      ids.map(id => ({ id })),
      { max_id, min_id },
    )
    const pageIds = page.rows.map(({ id }) => id)
    const entities = await renderAdminReports(context, viewer, pageIds)
    const reports = pageIds.flatMap(id => {
      const entity = entities.get(id)
      return entity ? [parseReport(entity)] : []
    })
    const filters = STATES.map(state => ({
      target: href(REPORTS_PATH, { ...parameters, state }),
      label: t(`reports.state.${state}`),
      current: state === filter.state,
    }))
    const targetFilter = filterForm(REPORTS_PATH, t('staff.filter'), [
      hidden('state', filter.state),
      filter.account_id !== undefined && hidden('account_id', filter.account_id),
      filter.target_account_id !== undefined && hidden('target_account_id', filter.target_account_id),
      field({
        label: t('reports.target_domain'),
        name: 'target_domain',
        type: 'search',
        value: filter.target_domain,
        verbatim: true,
      }),
      checkbox({ label: t('reports.mine'), name: 'mine', required: false, checked: filter.mine }),
    ])
    const list =
      reports.length === 0
        ? html`<p class="empty">${t('reports.none')}</p>`
        : html`<ul class="batch-list">
            ${reports.map(report => reportCard(report, staff))}
          </ul>`
    return {
      title: t('reports.title'),
      navigationPath: REPORTS_PATH,
      body: html`${filterLinks(t('reports.states'), filters)} ${targetFilter} ${list} ${page.links}`,
      fileOrigins: reports.flatMap(avatarOrigins),
    }
  },
})
