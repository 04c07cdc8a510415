/**
 * Moderation: actions on accounts and statuses, reports, and rules about domains, e-mail addresses,
 * networks and usernames. It imports statuses and everything before that. Start with `act.ts`.
 */
export { APPEAL_STATES, decideAppeal, listAppeals, type Appeal } from './appeals.ts'
export { addNote, listNotes, MAX_NOTE_CHARACTERS, removeNote, type ModerationNote } from './notes.ts'
export {
  changeWarningPreset,
  createWarningPreset,
  deleteWarningPreset,
  findWarningPreset,
  listWarningPresets,
  messageOf,
  type WarningPreset,
  type WarningPresetInput,
} from './presets.ts'
export { actOnAccount, actOnStatuses } from './act.ts'
export {
  ACCOUNT_ACTIONS,
  REVERSALS,
  STATUS_ACTIONS,
  type AccountAction,
  type Reversal,
  type StatusAction,
} from './action.ts'
export { readStrikeSubject } from './strike_subject.ts'
export { renderWarnings } from './render.ts'
export { changeAccountState } from './account_state.ts'
export { openReport } from './open_report.ts'
export { deleteMember, deleteSuspended } from './delete_suspended.ts'
export { mergeAccounts, type MergeObstacle } from './merge.ts'
export { withholdFiles } from './withhold_files.ts'
export { requireRank } from './rights.ts'
export { resolveReports, type Reason } from './strike.ts'
