import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { endQuote } from '../../statuses/index.ts'

const find = query('federation/receive/find_quote', { author: c.id, approval_uri: c.text }, { id: c.id })

/** The author of a quoted status withdraws the permission with this URI. */
export async function withdrawQuote(transaction: Runner, author: Id, approvalUri: string): Promise<void> {
  const quote = await transaction.one(find, { author, approval_uri: approvalUri })
  if (quote) await endQuote(transaction, author, quote.id)
}
