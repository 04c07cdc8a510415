import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'

const findNewcomer = query(
  'auth/sign_up/newcomer',
  { user: c.id },
  { newcomer: c.text, email: c.text, reason: c.text, address: c.text },
)

/**
 * Sends an e-mail to the staff who manage users when a user with a confirmed address waits for
 * approval.
 */
export async function notifyStaffOfSignUp(transaction: Runner, user: Id): Promise<void> {
  const newUser = await transaction.one(findNewcomer, { user })
  if (newUser) await notifyStaff(transaction, 'new_pending_account', newUser)
}
