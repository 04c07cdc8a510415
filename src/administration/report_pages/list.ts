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
import { cursors, cutPage, personLink, rangeOf } from '../page_parts/index.ts'
import { findReports, renderAdminReports } from '../reports/index.ts'
import { avatarsOf, parseReport, type ShownReport } from './entity.ts'

export const LIST = '/admin/reports'
const STATES = ['open', 'resolved', 'all'] as const
const EXCERPT = 300

/** The state of a report: resolved, or open and maybe assigned. */
export function reportState({ action_taken: resolved, assigned_account: assigned }: ShownReport, { t }: Staff): Html {
  if (resolved) return badge(t('report.resolved'), 'good')
  return assigned
    ? badge(t('reports.assigned_to', { name: assigned.account.acct }))
    : badge(t('report.open'), 'warning')
}

function reportCard(report: ShownReport, staff: Staff): Html {
  const { t, translator } = staff
  const { id, comment, account, target_account: target } = report
  const excerpt = comment.length > EXCERPT ? `${comment.slice(0, EXCERPT)}…` : comment
  return html`<li class="batch-item">
    <div class="batch-content">
      <div class="line">
        <a href="${LIST}/${id}"><strong>${t('reports.one', { id })}</strong></a>
        ${badge(t(`reports.category.${report.category}`))} ${reportState(report, staff)}
        <span class="end quiet">${time(report.created_at, translator)}</span>
      </div>
      <div class="line">${personLink(target.account)}</div>
      ${excerpt !== '' && html`<blockquote class="quotation">${paragraphs(excerpt)}</blockquote>`}
      <p class="quiet">
        ${t('reports.sent_by', { name: account.account.acct })} ·
        ${t('reports.statuses_count', { count: report.statuses.length })}
      </p>
    </div>
  </li>`
}

export const showList = staffView({
  path: LIST,
  summary: 'Reports, open ones first of all',
  permissions: ['manage_reports'],
  params: {
    state: param.enumeration(STATES, { default: 'open', fallback: 'open' }),
    account_id: param.id({ optional: true, invalid: 'missing' }),
    target_account_id: param.id({ optional: true, invalid: 'missing' }),
    target_domain: param.string({ default: '', trim: true, max: 255 }),
    mine: param.boolean({ default: false }),
    ...cursors,
  },
  async show({ max_id, min_id, ...asked }, staff) {
    const { context, viewer, t, translator } = staff
    const kept = { ...asked, mine: asked.mine ? '1' : '' }
    const ids = await findReports(
      context.database,
      {
        state: asked.state === 'all' ? undefined : asked.state,
        reporter: asked.account_id,
        target: asked.target_account_id,
        targetDomain: asked.target_domain === '' ? undefined : asked.target_domain.toLowerCase(),
        assignee: asked.mine ? viewer.id : undefined,
      },
      rangeOf({ max_id, min_id }),
    )
    const page = cutPage(
      translator,
      [LIST, kept],
      ids.map(id => ({ id })),
      { max_id, min_id },
    )
    const shown = page.rows.map(({ id }) => id)
    const entities = await renderAdminReports(context, viewer, shown)
    const reports = shown.flatMap(id => {
      const entity = entities.get(id)
      return entity ? [parseReport(entity)] : []
    })
    const parts = STATES.map(state => ({
      target: href(LIST, { ...kept, state }),
      label: t(`reports.state.${state}`),
      current: state === asked.state,
    }))
    const filter = filterForm(LIST, t('staff.filter'), [
      hidden('state', asked.state),
      asked.account_id !== undefined && hidden('account_id', asked.account_id),
      asked.target_account_id !== undefined && hidden('target_account_id', asked.target_account_id),
      field({
        label: t('reports.target_domain'),
        name: 'target_domain',
        type: 'search',
        value: asked.target_domain,
        verbatim: true,
      }),
      checkbox({ label: t('reports.mine'), name: 'mine', required: false, checked: asked.mine }),
    ])
    const list =
      reports.length === 0
        ? html`<p class="empty">${t('reports.none')}</p>`
        : html`<ul class="batch-list">
            ${reports.map(report => reportCard(report, staff))}
          </ul>`
    return {
      title: t('reports.title'),
      place: LIST,
      body: html`${filterLinks(t('reports.states'), parts)} ${filter} ${list} ${page.links}`,
      shown: reports.flatMap(avatarsOf),
    }
  },
})
