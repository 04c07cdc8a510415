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
import { acted, actOnSelected, statusBatchParameters } from '../account_pages/index.ts'
import { staffForm, type Staff } from '../index.ts'
import { REPORTS_PATH } from './list.ts'
import { findReport, reportPage, reportPath } from './report_page.ts'

const permissions = ['manage_reports'] as const
const params = { id: param.id() } as const

/** Declares an action that is a single button on the report's page. */
const buttonForm = (name: string, summary: string, act: (id: Id, staff: Staff) => Promise<unknown>) =>
  staffForm({
    path: `${REPORTS_PATH}/:id/${name}`,
    summary,
    permissions,
    params,
    async act({ id }, staff) {
      await findReport(staff, id)
      await act(id, staff)
      return { to: reportPath(id), notice: staff.t('staff.saved') }
    },
  })

const buttonForms = [
  buttonForm('assign_to_self', 'Assign a report to the caller', (id, { context, viewer }) =>
    assignReport(context.database, viewer.id, id, viewer.id),
  ),
  buttonForm('unassign', 'Unassign a report', (id, { context, viewer }) =>
    assignReport(context.database, viewer.id, id, null),
  ),
  buttonForm('resolve', 'Resolve a report', (id, { context, viewer }) =>
    context.database.transaction(transaction => resolveReports(transaction, viewer.id, { report: id })),
  ),
  buttonForm('reopen', 'Reopen a resolved report', (id, { context, viewer }) =>
    reopenReport(context.database, viewer.id, id),
  ),
]

const categorize = staffForm({
  path: `${REPORTS_PATH}/:id/category`,
  summary: 'Change the category of a report, and the rules that were broken',
  permissions,
  params: { ...params, category: param.string({ default: '' }), rule_ids: param.strings({ default: [], max: 200 }) },
  async act({ id, category, rule_ids: rules }, { context, viewer, t }) {
    const ruleIds = category === 'violation' ? rules.filter(rule => rule !== '') : []
    await categorizeReport(context.database, viewer.id, id, { category, ruleIds })
    return { to: reportPath(id), notice: t('staff.saved') }
  },
  showError: ({ id }, staff, message) => reportPage(staff, id, message),
})

const takeAction = staffForm({
  path: `${REPORTS_PATH}/:id/action`,
  summary: 'Take action on the reported account, with a strike',
  permissions,
  params: {
    ...params,
    type: param.enumeration(ACCOUNT_ACTIONS),
    warning_preset_id: param.id({ optional: true }),
    text: param.string({ default: '', max: 10_000 }),
    notify: param.boolean({ default: false }),
  },
  async act({ id, type, warning_preset_id: presetId, text, notify }, staff) {
    const { context, viewer } = staff
    const { target_account: target } = await findReport(staff, id)
    const preset = presetId === undefined ? undefined : await findWarningPreset(context.database, presetId)
    if (presetId !== undefined && !preset) throw new ApiError('notFound')
    const reason = { moderator: viewer.id, report: id, text: messageOf(preset, text), notifies: notify }
    return acted(staff, await actOnAccount(context, target.account.id, type, reason), reportPath(id))
  },
  showError: ({ id }, staff, message) => reportPage(staff, id, message),
})

const actOnReported = staffForm({
  path: `${REPORTS_PATH}/:id/statuses`,
  summary: 'Delete reported statuses, or mark them as sensitive, with a strike',
  permissions,
  params: { ...params, ...statusBatchParameters },
  async act({ id, ...selected }, staff) {
    const { target_account: target, statuses } = await findReport(staff, id)
    const statusIds = selected.status_ids.filter(status => statuses.some(reported => reported.id === status))
    return actOnSelected(staff, target.account.id, { ...selected, status_ids: statusIds }, reportPath(id), id)
  },
})

const noteForms = [
  staffForm({
    path: `${REPORTS_PATH}/:id/notes`,
    summary: 'Add a note about a report',
    permissions,
    params: { ...params, content: param.string({ default: '' }) },
    async act({ id, content }, { context, viewer, t }) {
      await addNote(context.database, viewer.id, { report: id }, content)
      return { to: `${reportPath(id)}#notes`, notice: t('staff.added') }
    },
    showError: ({ id, content }, staff, message) => reportPage(staff, id, message, content),
  }),
  staffForm({
    path: `${REPORTS_PATH}/:id/notes/:note`,
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

export const actionOperations = [...buttonForms, categorize, takeAction, actOnReported, ...noteForms]
