import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { c, query, type Runner } from '../platform/database/index.ts'
import { enqueue } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { markSensitive } from '../statuses/index.ts'
import { changeAccountState } from './account_state.ts'
import type { Reversal } from './action.ts'
import { sendAppealEmail } from './appeal_email.ts'

const APPEAL = {
  id: c.id,
  account_id: c.id,
  handle: c.text,
  text: c.text,
  created_at: c.timestamp,
  strike_id: c.id,
  action: c.text,
  strike_text: c.text,
  report_id: c.nullable(c.id),
  status_ids: c.nullable(c.ids),
  strike_created_at: c.timestamp,
  moderator: c.nullable(c.text),
  state: c.text,
} as const
const listing = query(
  'moderation/list_appeals',
  { state: c.nullable(c.text), max_id: c.nullable(c.id), limit: c.integer },
  APPEAL,
)
const deciding = query(
  'moderation/decide_appeal',
  { moderator: c.nullable(c.id), appeal: c.id, approves: c.boolean },
  { account_id: c.id, action: c.text, status_ids: c.nullable(c.ids), decided: c.boolean },
)

export const APPEAL_STATES = ['pending', 'approved', 'rejected'] as const
export type AppealState = (typeof APPEAL_STATES)[number]

/** An appeal against a strike. */
export interface Appeal {
  readonly id: Id
  /** The appealing account, with its handle. */
  readonly account_id: Id
  readonly handle: string
  /** The text of the account's owner. */
  readonly text: string
  readonly created_at: Date
  readonly strike_id: Id
  /** The action, message, report and statuses of the strike. */
  readonly action: string
  readonly strike_text: string
  readonly report_id: Id | null
  readonly status_ids: readonly Id[] | null
  readonly strike_created_at: Date
  /** The handle of the moderator who made the strike; null: the operator. */
  readonly moderator: string | null
  /** One of APPEAL_STATES. */
  readonly state: string
}

/**
 * Appeals, newest first.
 * @param state null: all
 * @param range.max_id only those with a lower id
 */
export const listAppeals = (
  runner: Runner,
  state: AppealState | null,
  { max_id = null, limit }: { readonly max_id?: Id | null; readonly limit: number },
): Promise<Appeal[]> => runner.run(listing, { state, max_id, limit })

/** The action that undoes a strike; deletions and warnings cannot be undone. */
const UNDONE_BY: Readonly<Record<string, Reversal>> = {
  disable: 'enable',
  sensitive: 'unsensitive',
  silence: 'unsilence',
  suspend: 'unsuspend',
}

/**
 * Decides on an appeal, with an entry in the audit log and an e-mail to the account's owner.
 * Approval reverses the action and overrules the strike; deletions cannot be undone.
 * @param moderator null for the operator; the caller checks the permission manage_appeals
 * @throws ApiError notFound; notAllowed when it was decided before
 */
export const decideAppeal = (
  { database }: Pick<Services, 'database'>,
  moderator: Id | null,
  appeal: Id,
  decision: 'approve' | 'reject',
): Promise<void> =>
  database.transaction(async transaction => {
    const row = await transaction.one(deciding, { moderator, appeal, approves: decision === 'approve' })
    if (!row) throw new ApiError('notFound')
    if (!row.decided) throw new ApiError('notAllowed')
    if (decision === 'approve') {
      const reversal = UNDONE_BY[row.action]
      if (reversal) await changeAccountState(transaction, moderator, row.account_id, reversal)
      else if (row.action === 'mark_statuses_as_sensitive')
        await markSensitive(transaction, row.status_ids ?? [], false)
    }
    await enqueue(transaction, sendAppealEmail, { appeal })
  })
