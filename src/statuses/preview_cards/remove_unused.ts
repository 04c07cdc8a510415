import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'

const removeSome = query(
  'statuses/preview_cards/remove_unused',
  { after: c.id, before: c.timestamp, limit: c.integer },
  { last: c.nullable(c.id), keys: c.texts },
)

/** An older card would be fetched again for the next status that links to the page. */
const UNUSED_FOR_MS = 15 * 24 * 60 * 60 * 1000
const BATCH_SIZE = 500

/** Returns the id of the last card that was checked, null at the end. */
const removeFrom = (database: Database, after: Id, before: Date): Promise<Id | null> =>
  database.transaction(async transaction => {
    const row = await transaction.one(removeSome, { after, before, limit: BATCH_SIZE })
    if (row && row.keys.length > 0) await enqueue(transaction, removeFiles, { keys: row.keys })
    return row?.last ?? null
  })

/** Once a day, removes unused preview cards with their pictures. */
export const removeUnused = job<undefined, Services>(
  'preview_cards.remove_unused',
  () => undefined,
  async (_, { database }, { signal }) => {
    const before = new Date(Date.now() - UNUSED_FOR_MS)
    for (let after: Id | null = '0'; after !== null;) {
      signal.throwIfAborted()
      after = await removeFrom(database, after, before)
    }
  },
  { cron: '37 4 * * *', attempts: 3 },
)
