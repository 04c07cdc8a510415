import { c, query, type Runner } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'

const lock = query('accounts/lock_account', { account: c.id }, { id: c.id })

/**
 * Locks an account for the rest of a transaction that adds something of which it may have a limited
 * number, before it is counted: simultaneous requests count each other's additions.
 */
export async function lockAccount(transaction: Runner, account: Id): Promise<void> {
  await transaction.run(lock, { account })
}
