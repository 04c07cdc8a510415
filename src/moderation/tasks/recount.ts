import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Steps } from './follows.ts'

const columns = { last: c.nullable(c.id), recounted: c.integer, events: c.events } as const
const STATEMENTS = {
  accounts: {
    lock: query('moderation/tasks/lock_account_counters', { after: c.id }, { locked: c.integer }),
    count: query('moderation/tasks/recount_accounts', { after: c.id }, columns),
  },
  statuses: {
    lock: query('moderation/tasks/lock_status_counters', { after: c.id }, { locked: c.integer }),
    count: query('moderation/tasks/recount_statuses', { after: c.id }, columns),
  },
} as const

/** What has counters. */
export type Counted = keyof typeof STATEMENTS
export const isCounted = (type: string): type is Counted => Object.hasOwn(STATEMENTS, type)

/**
 * Counts what the counters of accounts or statuses say again, in batches. The counters are locked
 * before, because a count that is older than a change would replace it.
 * @throws the signal's reason
 */
export async function recount(database: Database, type: Counted, { signal, each }: Steps): Promise<void> {
  for (let after: Id | null = '0'; after !== null;) {
    signal?.throwIfAborted()
    const batch = await recountBatch(database, type, after)
    await each?.(batch?.recounted ?? 0)
    after = batch?.last ?? null
  }
}

function recountBatch(
  database: Database,
  type: Counted,
  after: Id,
): Promise<{ last: Id | null; recounted: number } | undefined> {
  const { lock, count } = STATEMENTS[type]
  return database.transaction(async transaction => {
    await transaction.one(lock, { after })
    return transaction.one(count, { after })
  })
}
