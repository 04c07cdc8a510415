import { c, query, type Runner } from '../database/index.ts'
import type { Id } from '../id.ts'
import { notifyByLetter } from '../letters/index.ts'

const findReviewers = query(
  'registration/reviewers',
  { user: c.id },
  { staff: c.id, username: c.text, email: c.text, reason: c.text, address: c.text },
)

/** Writes to those who manage users that somebody, whose address is confirmed, waits for approval. */
export async function tellStaff(transaction: Runner, user: Id): Promise<void> {
  for (const { staff, username: newcomer, ...values } of await transaction.run(findReviewers, { user }))
    await notifyByLetter(transaction, staff, 'new_pending_account', { values: { newcomer, ...values } })
}
