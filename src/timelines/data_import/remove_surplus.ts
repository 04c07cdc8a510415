import { unblock, unfollow, unmute } from '../../accounts/index.ts'
import { removeDomainBlock } from '../../accounts/domain_blocks/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { unbookmark } from '../../statuses/index.ts'
import { removeListMembers } from '../lists/index.ts'
import type { Kind } from './kinds.ts'

const PARAMETERS = { account: c.id, import: c.id, after: c.id } as const
const surplusFollows = query('timelines/data_import/surplus_follows', PARAMETERS, { id: c.id })
const surplusBlocks = query('timelines/data_import/surplus_blocks', PARAMETERS, { id: c.id })
const surplusMutes = query('timelines/data_import/surplus_mutes', PARAMETERS, { id: c.id })
const surplusBookmarks = query('timelines/data_import/surplus_bookmarks', PARAMETERS, { id: c.id })
const surplusDomains = query(
  'timelines/data_import/surplus_domains',
  { account: c.id, import: c.id },
  { domain: c.text },
)
const surplusMembers = query(
  'timelines/data_import/surplus_members',
  { account: c.id, import: c.id },
  { id: c.id, members: c.ids },
)

type Removal = (database: Database, account: Id, done: Id, signal: AbortSignal) => Promise<void>

/** Removes the rows that a statement finds, page by page. */
const byId =
  (find: typeof surplusFollows, remove: (database: Database, account: Id, id: Id) => Promise<unknown>): Removal =>
  async (database, account, done, signal) => {
    for (let after: Id = '0'; ;) {
      signal.throwIfAborted()
      const rows = await database.run(find, { account, import: done, after })
      for (const { id } of rows) await remove(database, account, id)
      const last = rows.at(-1)
      if (!last) return
      after = last.id
    }
  }

const REMOVALS: Readonly<Record<Kind, Removal>> = {
  follows: byId(surplusFollows, unfollow),
  blocks: byId(surplusBlocks, unblock),
  mutes: byId(surplusMutes, unmute),
  bookmarks: byId(surplusBookmarks, unbookmark),
  async domain_blocks(database, account, done) {
    for (const { domain } of await database.run(surplusDomains, { account, import: done }))
      await removeDomainBlock(database, account, domain)
  },
  async lists(database, account, done) {
    for (const { id, members } of await database.run(surplusMembers, { account, import: done }))
      await removeListMembers(database, account, id, members)
  },
}

/**
 * For an import that replaces: removes what was there when the import was stored and its file does
 * not contain. What somebody blocks or follows while it runs, perhaps for hours, stays. Members of
 * lists have no time and are all compared.
 */
export const removeSurplus = (
  database: Database,
  kind: Kind,
  account: Id,
  done: Id,
  signal: AbortSignal,
): Promise<void> => REMOVALS[kind](database, account, done, signal)
