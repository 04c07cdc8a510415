import { ApiError } from '../../core/errors.ts'
import { APPEAL_STATES, decideAppeal, listAppeals, type Appeal } from '../../moderation/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  actionButton,
  badge,
  facts,
  filterLinks,
  href,
  html,
  paragraphs,
  section,
  time,
  type Html,
  type Tone,
} from '../../platform/ui/index.ts'
import {
  actionLabel,
  cursors,
  toIdPage,
  loadAccounts,
  accountLinkOr,
  toRange,
  statusPath,
  type LoadedEntities,
} from '../page_parts/index.ts'
import { staffForm, staffView, type Staff } from '../index.ts'
import type { ShownAccount } from '../../web/public/index.ts'

const PATH = '/admin/disputes/appeals'
const permissions = ['manage_appeals'] as const
const STATES = [...APPEAL_STATES, 'all'] as const
const TONES: Readonly<Record<string, Tone>> = { pending: 'warning', approved: 'good', rejected: 'bad' }

function appealSection(staff: Staff, appeal: Appeal, accounts: LoadedEntities<ShownAccount>): Html {
  const { webSession, t, translator } = staff
  const decide = (decision: 'approve' | 'reject'): Html =>
    actionButton({
      action: `${PATH}/${appeal.id}/${decision}`,
      csrfToken: webSession.csrfToken(),
      label: t(`appeals.${decision}`),
      kind: decision === 'approve' ? 'primary' : 'danger',
    })
  const statusLinks = appeal.status_ids?.map(id => html` <a href="${statusPath(id)}">${id}</a>`)
  return section(`appeal_${appeal.id}`, t('appeals.one', { name: appeal.handle }), [
    html`<div class="line">
      ${accountLinkOr(accounts, appeal.account_id, appeal.handle)}
      ${badge(t(`appeals.state.${appeal.state as 'pending' | 'approved' | 'rejected'}`), TONES[appeal.state])}
      <span class="end quiet">${time(appeal.created_at, translator)}</span>
    </div>`,
    html`<blockquote class="quotation">${paragraphs(appeal.text)}</blockquote>`,
    facts([
      [t('appeals.action'), actionLabel(translator, appeal.action)],
      [t('appeals.strike'), time(appeal.strike_created_at, translator)],
      [t('appeals.moderator'), appeal.moderator === null ? t('audit_log.operator') : `@${appeal.moderator}`],
      [t('appeals.message'), appeal.strike_text !== '' && paragraphs(appeal.strike_text)],
      [
        t('appeals.report'),
        appeal.report_id !== null && html`<a href="/admin/reports/${appeal.report_id}">#${appeal.report_id}</a>`,
      ],
      [t('appeals.statuses'), statusLinks !== undefined && statusLinks.length > 0 && statusLinks],
    ]),
    appeal.state === 'pending' && html`<div class="buttons">${decide('approve')} ${decide('reject')}</div>`,
  ])
}

const showList = staffView({
  path: PATH,
  summary: 'List appeals against strikes',
  permissions,
  params: { state: param.enumeration(STATES, { default: 'pending', fallback: 'pending' }), max_id: cursors.max_id },
  async show({ state, max_id }, staff) {
    const { context, t, translator } = staff
    const range = toRange({ max_id })
    const appeals = await listAppeals(context.database, state === 'all' ? null : state, {
      max_id: max_id ?? null,
      limit: range.limit,
    })
    const { rows, links } = toIdPage(translator, [PATH, { state }], appeals, { max_id })
    const accounts = await loadAccounts(
      context,
      rows.map(({ account_id: id }) => id),
    )
    const filters = STATES.map(listed => ({
      target: href(PATH, { state: listed }),
      label: t(`appeals.state.${listed}`),
      current: listed === state,
    }))
    return {
      title: t('appeals.title'),
      navigationPath: PATH,
      body: html`${filterLinks(t('appeals.states'), filters)}
      ${rows.length === 0 && html`<p class="empty">${t('appeals.none')}</p>`}
      ${rows.map(appeal => appealSection(staff, appeal, accounts))} ${links}`,
      fileOrigins: accounts.origins,
    }
  },
})

const decision = (change: 'approve' | 'reject') =>
  staffForm({
    path: `${PATH}/:id/${change}`,
    summary: change === 'approve' ? 'Approve an appeal and reverse the decision' : 'Reject an appeal',
    permissions,
    params: { id: param.id() },
    async act({ id }, { context, viewer, t }) {
      try {
        await decideAppeal(context, viewer.id, id, change)
      } catch (error) {
        // Another moderator has decided on the appeal in the meantime.
        if (!(error instanceof ApiError) || error.code !== 'notAllowed') throw error
        return { to: PATH, alert: t('appeals.decided') }
      }
      return { to: PATH, notice: t(change === 'approve' ? 'appeals.approved' : 'appeals.rejected') }
    },
  })

export const pageOperations = [showList, decision('approve'), decision('reject')]
