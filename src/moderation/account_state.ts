import { c, query, type Runner } from '../platform/database/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { enqueue } from '../platform/jobs/index.ts'
import type { AccountAction, Reversal } from './action.ts'
import { severSuspended } from './sever.ts'
import { withholdFiles } from './withhold_files.ts'

const setAccountState = query(
  'moderation/set_account_state',
  { moderator: c.nullable(c.id), account: c.id, change: c.text },
  { is_local: c.boolean, has_user: c.boolean, changed: c.boolean, events: c.events },
)

/**
 * Changes the state of an account immediately, with an entry in the audit log unless nothing
 * changes. The account's data are kept, so that it can be undone; files of a suspended account are
 * withheld. A suspended remote account loses its follows of local accounts. Both happen in the
 * background.
 * @param moderator null for the operator
 * @returns whether anything changed
 * @throws ApiError notFound; forbidden when there is no login to disable or enable
 */
export async function changeAccountState(
  transaction: Runner,
  moderator: Id | null,
  account: Id,
  change: Exclude<AccountAction, 'none'> | Reversal,
): Promise<boolean> {
  const row = await transaction.one(setAccountState, { moderator, account, change })
  if (!row) throw new ApiError('notFound')
  if (!row.has_user && (change === 'disable' || change === 'enable')) throw new ApiError('forbidden')
  if (change === 'suspend' && row.changed && !row.is_local) await enqueue(transaction, severSuspended, { account })
  if (row.changed && (change === 'suspend' || change === 'unsuspend'))
    await enqueue(transaction, withholdFiles, { account })
  return row.changed
}
