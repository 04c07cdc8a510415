import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

const add = query('statuses/quotes/add', { status: c.id, account: c.id, quoted: c.id }, { id: c.id, events: c.events })

/** Stores a quote, in the transaction that creates the status. The quote must be allowed. */
export async function storeQuote(transaction: Runner, status: Id, account: Id, quoted: Id): Promise<void> {
  await transaction.one(add, { status, account, quoted })
}
