import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { hasPermission } from '../../core/permissions.ts'
import { actOnStatuses, openReport, STATUS_ACTIONS, type StatusAction } from '../../moderation/index.ts'
import { param } from '../../platform/http/index.ts'
import {
  badge,
  batch,
  checkbox,
  filterLinks,
  hidden,
  href,
  html,
  textArea,
  type BatchButton,
} from '../../platform/ui/index.ts'
import { statusParts, STYLE } from '../../web/public/index.ts'
import { cursors, toIdPage, loadStatuses, toRange, statusPath } from '../page_parts/index.ts'
import { staffForm, staffView, type FormResult, type Staff, type StaffPage } from '../index.ts'
import { findAccountDetails, listStatuses, shownStatuses } from './details.ts'
import { ACCOUNTS_PATH } from './list.ts'
import { accountPath } from './account_page.ts'

const MAX_SELECTED = 500

/** The change that opens a report about the selected statuses. */
export const REPORT_STATUSES = 'report'

interface StatusBatchOptions {
  /** The path that the form submits to. */
  readonly action: string
  /** The address within the list to return to. */
  readonly back: string
  /** The text shown when there are no entries. */
  readonly empty: string
  /** Whether the viewer may change statuses. */
  readonly mayAct: boolean
  /** Whether the statuses are those of a report, which include deleted ones kept as evidence. */
  readonly reported?: boolean
}

/** A list of selectable statuses, with the buttons and fields of the moderators' actions. */
export async function statusBatch(
  staff: Staff,
  ids: readonly Id[],
  options: StatusBatchOptions,
): Promise<Pick<StaffPage, 'body' | 'fileOrigins' | 'head' | 'scripts'>> {
  const { context, webSession, t, translator } = staff
  const { byId, origins } = await loadStatuses(context, ids, options.reported)
  const items = ids.flatMap(id => {
    const status = byId.get(id)
    if (!status) return []
    const content = html`<article class="status" id="status_${id}">
      <div class="line">
        ${status.visibility !== 'public' && badge(t(`statuses.visibility.${status.visibility}`))}
        ${status.sensitive && badge(t('status_page.sensitive'), 'warning')}
        <a class="end" href="${statusPath(id)}">${t('status_page.details')}</a>
      </div>
      ${statusParts(status, translator)}
    </article>`
    return [{ value: id, name: t('statuses.one', { id }), content }]
  })
  const buttons: BatchButton[] = STATUS_ACTIONS.map(value => ({
    value,
    label: t(`statuses.${value}`),
    kind: value === 'delete_statuses' ? 'danger' : 'plain',
    confirmed: value === 'delete_statuses',
  }))
  if (options.reported !== true) buttons.unshift({ value: REPORT_STATUSES, label: t('statuses.report') })
  const body = batch({
    translator,
    action: options.action,
    csrfToken: webSession.csrfToken(),
    buttons: options.mayAct ? buttons : [],
    items,
    empty: options.empty,
    name: 'status_ids[]',
    fields: [
      hidden('back', options.back),
      html`<details class="disclosure">
        <summary>${t('accounts.message')}</summary>
        <div>
          ${textArea({ id: 'statuses_text', label: t('accounts.message'), name: 'text' })}
          ${checkbox({ id: 'statuses_notify', label: t('accounts.notify'), name: 'notify', required: false, checked: true })}
        </div>
      </details>`,
    ],
  })
  return { body, fileOrigins: origins, head: STYLE, scripts: ['/assets/batch.js'] }
}

/** The parameters of the form that `statusBatch` shows. */
export const statusBatchParameters = {
  change: param.enumeration([...STATUS_ACTIONS, REPORT_STATUSES]),
  status_ids: param.ids({ default: [], max: MAX_SELECTED, scalar: true }),
  text: param.string({ default: '', max: 10_000 }),
  notify: param.boolean({ default: false }),
  sure: param.boolean({ default: false }),
  back: param.string({ optional: true }),
} as const

interface SelectedStatuses {
  readonly change: StatusAction | typeof REPORT_STATUSES
  readonly status_ids: readonly Id[]
  readonly text: string
  readonly notify: boolean
  readonly sure: boolean
}

/**
 * Takes action on statuses of an account that the staff may see, with a strike; or opens a report
 * about them and redirects to it.
 * @param to the page to return to
 */
export async function actOnSelected(
  staff: Staff,
  account: Id,
  { change, status_ids: selected, text, notify, sure }: SelectedStatuses,
  to: string,
  report?: Id,
): Promise<FormResult> {
  const { context, viewer, t } = staff
  if (selected.length === 0) return { to, alert: t('staff.batch.none') }
  if (change === 'delete_statuses' && !sure) return { to, alert: t('accounts.not_sure') }
  const ids = await shownStatuses(staff, selected)
  try {
    if (change === REPORT_STATUSES) {
      const reportId = await openReport(context, viewer.id, account, ids)
      return { to: `/admin/reports/${reportId}`, notice: t('statuses.reported') }
    }
    const reason = { moderator: viewer.id, text, notifies: notify, ...(report !== undefined && { report }) }
    await actOnStatuses(context, account, change, ids, reason)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'notFound') throw error
    return { to, alert: t('statuses.nothing') }
  }
  return { to, notice: t('accounts.acted') }
}

const showStatuses = staffView({
  path: `${ACCOUNTS_PATH}/:id/statuses`,
  summary: 'List the statuses of an account that the staff may see',
  permissions: ['manage_reports', 'manage_users'],
  params: { id: param.id(), media: param.boolean({ default: false }), ...cursors },
  async show({ id, media, ...range }, staff) {
    const { viewer, t, translator } = staff
    const { handle } = await findAccountDetails(staff, id)
    const path = `${accountPath(id)}/statuses`
    const parameters = media ? { media: '1' } : {}
    const statuses = await listStatuses(staff, id, { media, ...toRange(range) })
    const { rows, links } = toIdPage(translator, [path, parameters], statuses, range)
    const list = await statusBatch(
      staff,
      rows.map(row => row.id),
      {
        action: `${path}/batch`,
        back: href(path, { ...parameters, ...range }),
        empty: t('statuses.none'),
        mayAct: hasPermission(viewer, 'manage_reports'),
      },
    )
    const filters = [
      { target: path, label: t('statuses.all'), current: !media },
      { target: href(path, { media: '1' }), label: t('statuses.media'), current: media },
    ]
    return {
      ...list,
      title: t('statuses.of', { name: handle }),
      navigationPath: ACCOUNTS_PATH,
      breadcrumbs: [
        [ACCOUNTS_PATH, t('accounts.title')],
        [accountPath(id), `@${handle}`],
      ],
      body: html`<p class="quiet">${t('statuses.intro')}</p>
        ${filterLinks(t('statuses.kinds'), filters)} ${list.body} ${links}`,
    }
  },
})

const actOnStatusesOfAccount = staffForm({
  path: `${ACCOUNTS_PATH}/:id/statuses/batch`,
  summary: "Delete an account's statuses or mark them as sensitive, with a strike, or report them",
  permissions: ['manage_reports'],
  params: { id: param.id(), ...statusBatchParameters },
  async act({ id, back, ...selected }, staff) {
    await findAccountDetails(staff, id)
    const path = `${accountPath(id)}/statuses`
    return actOnSelected(staff, id, selected, back !== undefined && back.startsWith(`${path}?`) ? back : path)
  },
})

export const statusOperations = [showStatuses, actOnStatusesOfAccount]
