import { c, query, type Runner } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'

const find = query('accounts/followers_among', { viewer: c.id, ids: c.ids }, { id: c.id }, { pipelined: true })

const NOBODY: ReadonlySet<Id> = new Set()

/** The accounts among these that follow the viewer. Without accounts it needs no query. */
export async function followersAmong(database: Runner, viewer: Id, accounts: Iterable<Id>): Promise<ReadonlySet<Id>> {
  const ids = [...accounts]
  if (ids.length === 0) return NOBODY
  return new Set((await database.run(find, { viewer, ids })).map(({ id }) => id))
}
