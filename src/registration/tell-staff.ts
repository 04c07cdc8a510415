import { c, query, type Runner } from '../database/index.ts'
import type { Id } from '../id.ts'
import { notifyStaff } from '../letters/index.ts'

const findNewcomer = query(
  'registration/newcomer',
  { user: c.id },
  { newcomer: c.text, email: c.text, reason: c.text, address: c.text },
)

/** Writes to those who manage users that somebody, whose address is confirmed, waits for approval. */
export async function tellStaff(transaction: Runner, user: Id): Promise<void> {
  const newcomer = await transaction.one(findNewcomer, { user })
  if (newcomer) await notifyStaff(transaction, 'new_pending_account', newcomer)
}
