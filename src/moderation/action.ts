/** The actions on accounts; `none` only warns. */
export const ACCOUNT_ACTIONS = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number]

/** The actions that undo an action on an account. */
export const REVERSALS = ['enable', 'unsensitive', 'unsilence', 'unsuspend'] as const
export type Reversal = (typeof REVERSALS)[number]

/** The actions on statuses. */
export const STATUS_ACTIONS = ['delete_statuses', 'mark_statuses_as_sensitive'] as const
export type StatusAction = (typeof STATUS_ACTIONS)[number]
