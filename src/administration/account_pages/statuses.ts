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
import { cursors, cutPage, loadStatuses, rangeOf, statusPath } from '../page_parts/index.ts'
import { staffForm, staffView, type Done, type Staff, type StaffPage } from '../index.ts'
import { factsOf, statusesOf } from './find.ts'
import { LIST } from './list.ts'
import { accountPath } from './one.ts'

const MAX_CHOSEN = 500

/** The change that opens a report about the chosen statuses. */
export const REPORT_STATUSES = 'report'

interface StatusBatch {
  /** Where the form is sent. */
  readonly action: string
  /** The part of the list to return to. */
  readonly back: string
  /** Shown instead of a list without entries. */
  readonly empty: string
  /** Whether the viewer may change statuses. */
  readonly acts: boolean
  /** The statuses are those of a report: deleted ones are kept as evidence. */
  readonly reported?: boolean
}

/** Statuses as entries to choose from, with the forms of what moderators do with them. */
export async function statusBatch(
  staff: Staff,
  ids: readonly Id[],
  options: StatusBatch,
): Promise<Pick<StaffPage, 'body' | 'shown' | 'head' | 'scripts'>> {
  const { context, webSession, t, translator } = staff
  const { found, origins } = await loadStatuses(context, ids, options.reported)
  const items = ids.flatMap(id => {
    const status = found.get(id)
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
  }))
  if (options.reported !== true) buttons.unshift({ value: REPORT_STATUSES, label: t('statuses.report') })
  const body = batch({
    translator,
    action: options.action,
    csrfToken: webSession.csrfToken(),
    buttons: options.acts ? buttons : [],
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
  return { body, shown: origins, head: STYLE, scripts: ['/assets/batch.js'] }
}

/** The parameters of such a form. */
export const statusBatchParameters = {
  change: param.enumeration([...STATUS_ACTIONS, REPORT_STATUSES]),
  status_ids: param.ids({ default: [], max: MAX_CHOSEN, scalar: true }),
  text: param.string({ default: '', max: 10_000 }),
  notify: param.boolean({ default: false }),
  back: param.string({ optional: true }),
} as const

interface Chosen {
  readonly change: StatusAction | typeof REPORT_STATUSES
  readonly status_ids: readonly Id[]
  readonly text: string
  readonly notify: boolean
}

/**
 * Acts on statuses of an account, with a strike; or opens a report about them and leads to it.
 * @param to the page to return to
 */
export async function actOnChosen(
  { context, viewer, t }: Staff,
  account: Id,
  { change, status_ids: ids, text, notify }: Chosen,
  to: string,
  report?: Id,
): Promise<Done> {
  if (ids.length === 0) return { to, alert: t('staff.batch.none') }
  try {
    if (change === REPORT_STATUSES) {
      const made = await openReport(context, viewer.id, account, ids)
      return { to: `/admin/reports/${made}`, notice: t('statuses.reported') }
    }
    const cause = { moderator: viewer.id, text, notifies: notify, ...(report !== undefined && { report }) }
    await actOnStatuses(context, account, change, ids, cause)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'notFound') throw error
    return { to, alert: t('statuses.nothing') }
  }
  return { to, notice: t('accounts.acted') }
}

const showStatuses = staffView({
  path: `${LIST}/:id/statuses`,
  summary: "An account's statuses, whoever may see them",
  permissions: ['manage_reports', 'manage_users'],
  params: { id: param.id(), media: param.boolean({ default: false }), ...cursors },
  async show({ id, media, ...range }, staff) {
    const { context, viewer, t, translator } = staff
    const { handle } = await factsOf(staff, id)
    const path = `${accountPath(id)}/statuses`
    const kept = media ? { media: '1' } : {}
    const found = await statusesOf(context.database, id, { media, ...rangeOf(range) })
    const { rows, links } = cutPage(translator, [path, kept], found, range)
    const list = await statusBatch(
      staff,
      rows.map(row => row.id),
      {
        action: `${path}/batch`,
        back: href(path, { ...kept, ...range }),
        empty: t('statuses.none'),
        acts: hasPermission(viewer, 'manage_reports'),
      },
    )
    const parts = [
      { target: path, label: t('statuses.all'), current: !media },
      { target: href(path, { media: '1' }), label: t('statuses.media'), current: media },
    ]
    return {
      ...list,
      title: t('statuses.of', { name: handle }),
      place: LIST,
      trail: [
        [LIST, t('accounts.title')],
        [accountPath(id), `@${handle}`],
      ],
      body: html`${filterLinks(t('statuses.kinds'), parts)} ${list.body} ${links}`,
    }
  },
})

const actOnAll = staffForm({
  path: `${LIST}/:id/statuses/batch`,
  summary: "Delete an account's statuses, mark them as sensitive, with a strike, or report them",
  permissions: ['manage_reports'],
  params: { id: param.id(), ...statusBatchParameters },
  async act({ id, back, ...chosen }, staff) {
    await factsOf(staff, id)
    const path = `${accountPath(id)}/statuses`
    return actOnChosen(staff, id, chosen, back !== undefined && back.startsWith(`${path}?`) ? back : path)
  },
})

export const statusOperations = [showStatuses, actOnAll]
