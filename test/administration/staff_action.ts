import type { Make } from './staff_actions_world.ts'

type Fields = Readonly<Record<string, string>>
/** A request with its fields; `:name` stands for a value of the subject. */
export type Call = string | readonly [request: string, fields: Fields]

/**
 * An action of the staff, and the three ways to take it. A way that is missing has its reason, and
 * so has an action that is not in the audit log.
 */
export interface StaffAction {
  readonly does: string
  /** The entry in the audit log: action and type of the target. */
  readonly logs?: string
  /** Set if it has none when the API is used, because the contract says so. */
  readonly apiLogs?: false
  /** Makes what the action is about, anew for each way. */
  readonly make?: Make
  readonly api?: readonly Call[]
  readonly page?: readonly Call[]
  /** Commands with their arguments, separated by spaces. */
  readonly ctl?: readonly string[]
  readonly because?: Partial<Record<'api' | 'page' | 'ctl' | 'logs' | 'unwalked', string>>
}

/** Mastodon's API has no operation for it, and clients expect none. */
export const NO_API = 'the admin API, which clients of other servers know, has no operation for it'
