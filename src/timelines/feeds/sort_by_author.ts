import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { EACH } from './candidates.ts'
import type { Sorted } from './departures.ts'

const findByAccount = query(
  'timelines/feeds/by_account',
  { ids: c.ids, account: c.id },
  { id: c.id, deleted: c.boolean },
)

const findNewestOf = query('timelines/feeds/newest_of', { account: c.id, limit: c.integer }, { id: c.id })

/** The number of statuses that one query looks up. */
const SORT_BATCH = 20_000

/**
 * Sorts statuses into those of an account, with boosts of them, and those that no longer exist.
 * @param older whether to find the newest statuses of the account too
 */
export async function sortByAuthor(
  database: Database,
  account: Id,
  ids: ReadonlySet<Id>,
  older: boolean,
): Promise<Sorted> {
  const newest = older ? await database.run(findNewestOf, { account, limit: EACH }) : []
  const sorted = { byAccount: new Set<Id>(), deleted: new Set<Id>(), newest: newest.map(({ id }) => id) }
  const all = [...ids]
  for (let from = 0; from < all.length; from += SORT_BATCH) {
    const rows = await database.run(findByAccount, { ids: all.slice(from, from + SORT_BATCH), account })
    for (const { id, deleted } of rows) (deleted ? sorted.deleted : sorted.byAccount).add(id)
  }
  return sorted
}
