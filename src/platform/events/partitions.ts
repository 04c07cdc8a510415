import { c, query, type Database } from '../database/index.ts'
import type { Logger } from './reader.ts'

const makePartition = query('platform/events/make_partition', { ahead: c.integer }, { made: c.boolean })
const dropPartition = query('platform/events/drop_partition', { keep_ms: c.float }, { dropped: c.nullable(c.text) })
const forgetUnsorted = query('platform/events/forget_unsorted', { keep_ms: c.float }, { removed: c.integer })

/** How long the log reaches back unless told otherwise. */
export const KEEP_MS = 24 * 3_600_000

/**
 * What is older than asked for stays this much longer, so that a client's resume that has begun can end, and so that events of a slow
 * transaction, which are written before events that come earlier in the log, are still there.
 */
const GRACE_MS = 600_000

/** What `maintainLog` did: hours that got their partition, partitions dropped, rows removed from the default partition. */
export interface Maintenance {
  readonly made: number
  readonly dropped: string[]
  readonly removed: number
}

/**
 * Makes the log's hourly partitions ahead of time and drops what is older than `keepMs`. Any number of processes may do it at once.
 * Each step is its own short transaction and waits for a lock for a fraction of a second only (sql/functions/make_event_partition.sql),
 * so it throws while somebody else reads the whole log (`pg_dump`): do it again later. Events for which there is no partition
 * go to the default one and are as good there; the hour that they are of gets no partition of its own.
 */
export async function maintainLog(
  database: Database,
  options: { keepMs?: number; aheadHours?: number } = {},
): Promise<Maintenance> {
  const keep_ms = (options.keepMs ?? KEEP_MS) + GRACE_MS
  const dropped: string[] = []
  let made = 0
  for (let ahead = 0; ahead <= (options.aheadHours ?? 6); ahead += 1) {
    if ((await database.one(makePartition, { ahead }))?.made) made += 1
  }
  for (;;) {
    const name = (await database.one(dropPartition, { keep_ms }))?.dropped
    if (!name) break
    dropped.push(name)
  }
  const removed = (await database.one(forgetUnsorted, { keep_ms }))?.removed ?? 0
  return { made, dropped, removed }
}

const MAINTAIN_MS = 600_000

/** Maintains the log now (`begun`) and every ten minutes. A failure is logged, and left to the next time. */
export function keepUp(
  database: Database,
  logger: Logger,
  keepMs: number,
): { begun: Promise<void>; close(): Promise<void> } {
  async function maintain(): Promise<void> {
    try {
      const done = await maintainLog(database, { keepMs })
      if (done.made + done.dropped.length + done.removed > 0) logger.info(done, 'the event log was maintained')
    } catch (error) {
      logger.warn({ err: error }, 'the event log could not be maintained, trying again later')
    }
  }

  const begun = maintain()
  let running = begun
  const timer = setInterval(() => {
    running = maintain()
  }, MAINTAIN_MS).unref()
  return {
    begun,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
