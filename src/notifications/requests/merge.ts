import { c, query, type Runner } from '../../platform/database/index.ts'
import { parseId, type Id } from '../../core/id.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const acceptRequests = query('notifications/requests/accept', { viewer: c.id, requests: c.ids }, { sender: c.id })
const mergePortion = query(
  'notifications/requests/merge',
  { viewer: c.id, sender: c.id, after: c.id, limit: c.integer },
  { last: c.nullable(c.id), done: c.integer, events: c.events },
)
const lockMerges = query('notifications/requests/lock_merges', { viewer: c.id }, { sender: c.id })
const finishMerges = query('notifications/requests/finish', { viewer: c.id, senders: c.ids }, { events: c.events })

/** The number of notifications that one transaction merges. */
const BATCH_SIZE = 200

/**
 * Accepts notification requests and exempts their senders from the policy. Filtered notifications
 * become regular ones: a few at once, the rest in a job. `notifications.merged` is logged at the
 * end. Unknown requests are ignored.
 * @returns the number of requests
 */
export async function accept({ database }: Services, viewer: Id, requests: readonly Id[]): Promise<number> {
  return database.transaction(async transaction => {
    const senders = await transaction.run(acceptRequests, { viewer, requests: [...requests] })
    const merged: Id[] = []
    let left = BATCH_SIZE
    for (const { sender } of senders) {
      const batch =
        left > 0 ? await transaction.one(mergePortion, { viewer, sender, after: '0', limit: left }) : undefined
      // A request without notifications counts as work too.
      left -= Math.max(batch?.done ?? 0, 1)
      if (batch?.last === null) merged.push(sender)
      else await enqueue(transaction, mergeRest, { viewer, sender })
    }
    await finish(transaction, viewer, merged)
    return senders.length
  })
}

async function finish(transaction: Runner, viewer: Id, senders: Id[]): Promise<void> {
  if (senders.length === 0) return
  await transaction.run(lockMerges, { viewer })
  await transaction.run(finishMerges, { viewer, senders })
}

/**
 * Merges a sender's remaining filtered notifications in short transactions. Can be repeated after
 * an interruption.
 */
export const mergeRest = job<Pair, Services>(
  'notification_requests.merge',
  parsePair,
  async ({ viewer, sender }, { database }, { signal }) => {
    for (let after: Id | null = '0'; after !== null;) {
      signal.throwIfAborted()
      after = (await database.one(mergePortion, { viewer, sender, after, limit: BATCH_SIZE }))?.last ?? null
    }
    await database.transaction(transaction => finish(transaction, viewer, [sender]))
  },
)

/** Recipient and sender. */
export interface Pair {
  readonly viewer: Id
  readonly sender: Id
}

/** @throws Error for an invalid payload */
export function parsePair(payload: unknown): Pair {
  const given = typeof payload === 'object' && payload !== null ? payload : {}
  const viewer = 'viewer' in given && typeof given.viewer === 'string' ? parseId(given.viewer) : undefined
  const sender = 'sender' in given && typeof given.sender === 'string' ? parseId(given.sender) : undefined
  if (viewer === undefined || sender === undefined) throw new Error('the payload has no recipient or sender')
  return { viewer, sender }
}
