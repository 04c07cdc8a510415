import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'

const findUnrelated = query(
  'moderation/retention/unrelated_accounts',
  { after: c.id, before: c.timestamp },
  { last: c.nullable(c.id), ids: c.ids },
)

/**
 * Accounts of other servers that were fetched before a time and have no relation to anybody here:
 * nothing stored refers to them.
 */
export async function* unrelatedAccounts(database: Database, before: Date): AsyncGenerator<Id> {
  for (let after: Id | null = '0'; after !== null;) {
    const found: { last: Id | null; ids: Id[] } | undefined = await database.one(findUnrelated, { after, before })
    yield* found?.ids ?? []
    after = found?.last ?? null
  }
}
