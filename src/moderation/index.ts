/** What moderators do to accounts and statuses, and what follows from it. */
export { actOnAccount, actOnStatuses } from './act.ts'
export {
  ACCOUNT_ACTIONS,
  REVERSALS,
  STATUS_ACTIONS,
  type AccountAction,
  type Reversal,
  type StatusAction,
} from './action.ts'
export { renderWarnings } from './render.ts'
export { changeStanding } from './standing.ts'
export { resolve, type Cause } from './strike.ts'
