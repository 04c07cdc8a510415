import { c, query, type Runner } from '../database/index.ts'
import type { Id } from '../id.ts'

const add = query('quotes/add', { status: c.id, account: c.id, quoted: c.id }, { id: c.id, events: c.events })

/** Has a status quote another, in the transaction that makes it. It must be allowed. */
export async function storeQuote(transaction: Runner, status: Id, account: Id, quoted: Id): Promise<void> {
  await transaction.one(add, { status, account, quoted })
}
