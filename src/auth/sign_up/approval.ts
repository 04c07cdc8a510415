import { removeAccount, requestRemoval } from '../../accounts/deletion/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { activateUser } from './api/activate.ts'

const approve = query(
  'auth/sign_up/approve',
  { moderator: c.nullable(c.id), account: c.id },
  { id: c.id, changed: c.boolean, events: c.events },
)
const reject = query('auth/sign_up/reject', { moderator: c.nullable(c.id), account: c.id }, { rejected: c.boolean })

/** The time after which a rejection that was interrupted is completed. */
const RETRY_MS = 60_000

/**
 * Approves a user who waits for it, with an entry in the audit log. The welcome follows once the
 * address is confirmed.
 * @param moderator null for the operator; the caller checks the permission manage_users
 * @throws ApiError forbidden when the account has no user; notAllowed when it is approved
 */
export async function approveSignUp(transaction: Runner, moderator: Id | null, account: Id): Promise<void> {
  const row = await transaction.one(approve, { moderator, account })
  if (!row) throw new ApiError('forbidden')
  if (!row.changed) throw new ApiError('notAllowed')
  await activateUser(transaction, row.id)
}

/**
 * Rejects a user who waits for approval, with an entry in the audit log: user and account are
 * deleted at once, and name and address are free again.
 * @param moderator null for the operator; the caller checks the permission manage_users
 * @throws ApiError forbidden when the account has no user; notAllowed when it is approved
 */
export async function rejectSignUp(services: Services, moderator: Id | null, account: Id): Promise<void> {
  const removal = { account, freesName: true }
  await services.database.transaction(async transaction => {
    const row = await transaction.one(reject, { moderator, account })
    if (!row) throw new ApiError('forbidden')
    if (!row.rejected) throw new ApiError('notAllowed')
    // In case this process ends before it is done.
    await requestRemoval(transaction, removal, new Date(Date.now() + RETRY_MS))
  })
  await removeAccount(services, removal)
}
