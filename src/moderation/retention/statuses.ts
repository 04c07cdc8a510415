import { clearCaches } from '../../platform/cache/clear.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

const removeSome = query(
  'moderation/retention/remove_remote_statuses',
  { after: c.id, before: c.timestamp, limit: c.integer, clean_followed: c.boolean },
  { last: c.nullable(c.id), removed: c.integer, events: c.events },
)

const countRemote = query('moderation/retention/count_remote_statuses', { before: c.timestamp }, { number: c.integer })

/** The number of remote statuses that are older than a time, including those that must be kept. */
export const countRemoteStatuses = async (database: Database, before: Date): Promise<number> =>
  (await database.one(countRemote, { before }))?.number ?? 0

export interface StatusRemoval {
  /** Older statuses are removed. */
  readonly before: Date
  /** The number of statuses that one transaction examines. */
  readonly batchSize: number
  /** Includes statuses of accounts with local followers. */
  readonly cleanFollowed?: boolean
  readonly signal?: AbortSignal
  /** Only those after this one: continues an earlier removal. */
  readonly after?: Id
  /** Called after each transaction; `last` is the last status that was examined. */
  each?(removed: number, last: Id | null): Promise<void> | void
}

/**
 * Removes remote statuses without local interaction.
 * @throws the signal's reason
 * @returns their number
 */
export async function removeRemoteStatuses(
  database: Database,
  { before, batchSize, cleanFollowed = false, signal, after: first = '0', each }: StatusRemoval,
): Promise<number> {
  let total = 0
  try {
    for (let after: Id | null = first; after !== null;) {
      signal?.throwIfAborted()
      const done: { last: Id | null; removed: number } | undefined = await database.one(removeSome, {
        after,
        before,
        limit: batchSize,
        clean_followed: cleanFollowed,
      })
      const removed = done?.removed ?? 0
      total += removed
      after = done?.last ?? null
      await each?.(removed, after)
    }
  } finally {
    // Feeds and recent posts still contain the removed ones.
    if (total > 0) await clearCaches(database, 'feeds')
  }
  return total
}
