import { c, query } from '../../platform/database/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { parsePair, type Pair } from './merge.ts'

const dismissRequests = query(
  'notifications/requests/dismiss',
  { viewer: c.id, requests: c.ids },
  { sender: c.id, up_to: c.id },
)
const removeBatch = query(
  'notifications/requests/remove',
  { viewer: c.id, sender: c.id, up_to: c.id, limit: c.integer },
  { done: c.integer, events: c.events },
)

/** The number of notifications that one transaction removes. */
const BATCH_SIZE = 1000

/**
 * Dismisses notification requests with their notifications: a few at once, the rest in a job. Later
 * notifications of the same senders are filtered again. Unknown requests are ignored.
 * @returns the number of requests
 */
export async function dismiss({ database }: Services, viewer: Id, requests: readonly Id[]): Promise<number> {
  return database.transaction(async transaction => {
    const rows = await transaction.run(dismissRequests, { viewer, requests: [...requests] })
    let left = BATCH_SIZE
    for (const { sender, up_to } of rows) {
      const batch = left > 0 ? await transaction.one(removeBatch, { viewer, sender, up_to, limit: left }) : undefined
      const isDone = batch !== undefined && batch.done < left
      // A request without notifications counts as work too.
      left -= Math.max(batch?.done ?? 0, 1)
      if (!isDone) await enqueue(transaction, removeRest, { viewer, sender, up_to })
    }
    return rows.length
  })
}

interface Removal extends Pair {
  readonly up_to: Id
}

function parseRemoval(payload: unknown): Removal {
  const given = typeof payload === 'object' && payload !== null && 'up_to' in payload ? payload.up_to : undefined
  const upTo = typeof given === 'string' ? parseId(given) : undefined
  if (upTo === undefined) throw new Error('the payload has no upper bound')
  return { ...parsePair(payload), up_to: upTo }
}

/**
 * Removes a sender's notifications that were filtered before its request was dismissed, in short
 * transactions.
 */
export const removeRest = job<Removal, Services>(
  'notification_requests.remove',
  parseRemoval,
  async ({ viewer, sender, up_to }, { database }, { signal }) => {
    for (;;) {
      signal.throwIfAborted()
      const batch = await database.one(removeBatch, { viewer, sender, up_to, limit: BATCH_SIZE })
      if ((batch?.done ?? 0) < BATCH_SIZE) return
    }
  },
)
