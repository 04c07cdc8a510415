/** What moderators do to accounts (api/moderation.md, section 2); `none` only warns. */
export const ACCOUNT_ACTIONS = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const
export type AccountAction = (typeof ACCOUNT_ACTIONS)[number]

/** What takes an action on an account back. */
export const REVERSALS = ['enable', 'unsensitive', 'unsilence', 'unsuspend'] as const
export type Reversal = (typeof REVERSALS)[number]

/** What moderators do to statuses (section 4). */
export const STATUS_ACTIONS = ['delete_statuses', 'mark_statuses_as_sensitive'] as const
export type StatusAction = (typeof STATUS_ACTIONS)[number]
