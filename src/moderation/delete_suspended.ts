import { requestRemoval } from '../accounts/deletion/index.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { c, query, type Runner } from '../platform/database/index.ts'

const beginDeletion = query(
  'moderation/begin_deletion',
  { moderator: c.nullable(c.id), account: c.id },
  { id: c.id, entry: c.id },
)
const begin = query('moderation/begin_purge', { moderator: c.nullable(c.id), account: c.id }, { id: c.id, entry: c.id })

/**
 * Deletes the data of a suspended account before its 30 days are over, in the background. Username
 * and e-mail address stay reserved. An entry in the audit log says so.
 * @param moderator null for the operator; the caller checks the permission delete_user_data
 * @throws ApiError notAllowed when it is not suspended, or its data are being deleted already
 */
export async function deleteSuspended(transaction: Runner, moderator: Id | null, account: Id): Promise<void> {
  if (!(await transaction.one(begin, { moderator, account }))) throw new ApiError('notAllowed')
  await requestRemoval(transaction, { account, freesName: false })
}

/**
 * Deletes a local account with its user and all data, in the background; it is hidden at once. The
 * username stays reserved. An entry in the audit log says so.
 * @param moderator whose permission delete_user_data and rank the caller has checked
 * @throws ApiError notAllowed without a user, or when it is being deleted already
 */
export async function deleteMember(transaction: Runner, moderator: Id, account: Id): Promise<void> {
  if (!(await transaction.one(beginDeletion, { moderator, account }))) throw new ApiError('notAllowed')
  await requestRemoval(transaction, { account, freesName: false })
}
