import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'

const findNewcomer = query(
  'auth/sign_up/newcomer',
  { user: c.id },
  { newcomer: c.text, email: c.text, reason: c.text, address: c.text },
)

/** Writes to those who manage users that somebody, whose address is confirmed, waits for approval. */
export async function notifyStaffOfSignUp(transaction: Runner, user: Id): Promise<void> {
  const newcomer = await transaction.one(findNewcomer, { user })
  if (newcomer) await notifyStaff(transaction, 'new_pending_account', newcomer)
}
