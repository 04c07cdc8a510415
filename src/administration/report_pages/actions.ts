import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import {
  ACCOUNT_ACTIONS,
  actOnAccount,
  addNote,
  findWarningPreset,
  messageOf,
  removeNote,
  resolveReports,
} from '../../moderation/index.ts'
import { assignReport, categorizeReport, reopenReport } from '../../moderation/reports/index.ts'
import { param } from '../../platform/http/index.ts'
import { actOnChosen, statusBatchParameters } from '../account_pages/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { LIST } from './list.ts'
import { findReport, reportPage, reportPath } from './one.ts'

const permissions = ['manage_reports'] as const
const params = { id: param.id() } as const

/** A form that is only a button on the report's page. */
const button = (name: string, summary: string, act: (id: Id, staff: Staff) => Promise<unknown>) =>
  staffForm({
    path: `${LIST}/:id/${name}`,
    summary,
    permissions,
    params,
    async act({ id }, staff) {
      await findReport(staff, id)
      await act(id, staff)
      return { to: reportPath(id), notice: staff.t('staff.saved') }
    },
  })

const buttons = [
  button('assign_to_self', 'Become responsible for a report', (id, { context, viewer }) =>
    assignReport(context.database, viewer.id, id, viewer.id),
  ),
  button('unassign', 'Nobody is responsible for a report any more', (id, { context, viewer }) =>
    assignReport(context.database, viewer.id, id, null),
  ),
  button('resolve', 'Resolve a report', (id, { context, viewer }) =>
    context.database.transaction(transaction => resolveReports(transaction, viewer.id, { report: id })),
  ),
  button('reopen', 'Open a resolved report again', (id, { context, viewer }) =>
    reopenReport(context.database, viewer.id, id),
  ),
]

const categorize = staffForm({
  path: `${LIST}/:id/category`,
  summary: 'Change the category of a report, and the rules that were broken',
  permissions,
  params: { ...params, category: param.string({ default: '' }), rule_ids: param.strings({ default: [], max: 200 }) },
  async act({ id, category, rule_ids: rules }, { context, viewer, t }) {
    const ruleIds = category === 'violation' ? rules.filter(rule => rule !== '') : []
    await categorizeReport(context.database, viewer.id, id, { category, ruleIds })
    return { to: reportPath(id), notice: t('staff.saved') }
  },
  again: ({ id }, staff, message) => reportPage(staff, id, message),
})

const takeAction = staffForm({
  path: `${LIST}/:id/action`,
  summary: 'Take action on the reported account, with a strike',
  permissions,
  params: {
    ...params,
    type: param.enumeration(ACCOUNT_ACTIONS),
    warning_preset_id: param.id({ optional: true }),
    text: param.string({ default: '', max: 10_000 }),
    notify: param.boolean({ default: false }),
  },
  async act({ id, type, warning_preset_id: chosen, text, notify }, staff) {
    const { context, viewer, t } = staff
    const { target_account: target } = await findReport(staff, id)
    const preset = chosen === undefined ? undefined : await findWarningPreset(context.database, chosen)
    if (chosen !== undefined && !preset) throw new ApiError('notFound')
    const cause = { moderator: viewer.id, report: id, text: messageOf(preset, text), notifies: notify }
    await actOnAccount(context, target.account.id, type, cause)
    return { to: reportPath(id), notice: t('accounts.acted') }
  },
  again: ({ id }, staff, message) => reportPage(staff, id, message),
})

const actOnReported = staffForm({
  path: `${LIST}/:id/statuses`,
  summary: 'Delete reported statuses, or mark them as sensitive, with a strike',
  permissions,
  params: { ...params, ...statusBatchParameters },
  async act({ id, ...asked }, staff) {
    const { target_account: target, statuses } = await findReport(staff, id)
    const chosen = asked.status_ids.filter(status => statuses.some(one => one.id === status))
    return actOnChosen(staff, target.account.id, { ...asked, status_ids: chosen }, reportPath(id), id)
  },
})

const notes = [
  staffForm({
    path: `${LIST}/:id/notes`,
    summary: 'Add a note about a report',
    permissions,
    params: { ...params, content: param.string({ default: '' }) },
    async act({ id, content }, { context, viewer, t }) {
      await addNote(context.database, viewer.id, { report: id }, content)
      return { to: `${reportPath(id)}#notes`, notice: t('staff.added') }
    },
    again: ({ id }, staff, message) => reportPage(staff, id, message),
  }),
  staffForm({
    path: `${LIST}/:id/notes/:note`,
    method: 'DELETE',
    summary: 'Delete a note about a report',
    permissions,
    params: { ...params, note: param.id() },
    async act({ id, note }, { context, viewer, t }) {
      await removeNote(context.database, viewer.id, note)
      return { to: `${reportPath(id)}#notes`, notice: t('staff.deleted') }
    },
  }),
]

export const actionOperations = [...buttons, categorize, takeAction, actOnReported, ...notes]
