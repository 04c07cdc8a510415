import { c, query, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { enqueue } from '../platform/jobs/index.ts'
import type { AccountAction, StatusAction } from './action.ts'
import { sendWarningEmail } from './warning_email.ts'

const warn = query(
  'moderation/warn',
  {
    moderator: c.nullable(c.id),
    account: c.id,
    action: c.text,
    text: c.text,
    report: c.nullable(c.id),
    statuses: c.nullable(c.ids),
    notifies: c.boolean,
  },
  { id: c.id, is_local: c.boolean, recorded: c.bigint, events: c.events },
)
const resolve = query(
  'moderation/resolve',
  { moderator: c.nullable(c.id), report: c.nullable(c.id), account: c.nullable(c.id) },
  { amount: c.integer, events: c.events },
)

/** The moderator, the reason, and the message to the account. */
export interface Reason {
  /** Null: the operator. */
  readonly moderator: Id | null
  /** The report that led to the action. */
  readonly report?: Id | null
  /**
   * The message to the account; a preset and an individual text, separated by an empty line, are
   * one text here.
   */
  readonly text?: string
  /** Whether the user gets a notification and an e-mail. Default true. */
  readonly notifies?: boolean
}

/** Records a strike, notifies the user and returns the strike's id. @throws ApiError notFound */
export async function storeStrike(
  transaction: Runner,
  account: Id,
  action: AccountAction | StatusAction,
  { moderator, report = null, text = '', notifies = true }: Reason,
  statuses: readonly Id[] | null = null,
): Promise<Id> {
  const row = await transaction.one(warn, {
    moderator,
    account,
    action,
    text,
    report,
    statuses: statuses && [...statuses],
    notifies,
  })
  if (!row) throw new ApiError('notFound')
  if (notifies && row.is_local) await enqueue(transaction, sendWarningEmail, { warning: row.id })
  return row.id
}

/** Resolves one report, or all open reports about an account. Returns how many were open. */
export async function resolveReports(
  transaction: Runner,
  moderator: Id | null,
  which: { readonly report: Id } | { readonly account: Id },
): Promise<number> {
  const row = await transaction.one(resolve, { moderator, report: null, account: null, ...which })
  return row?.amount ?? 0
}
