import { c, query, type Database } from '../database/index.ts'
import type { Logger } from './reader.ts'

const createPartition = query('platform/events/make_partition', { ahead: c.integer }, { made: c.boolean })
const dropPartition = query('platform/events/drop_partition', { keep_ms: c.float }, { dropped: c.nullable(c.text) })
const trimDefaultPartition = query(
  'platform/events/trim_default_partition',
  { keep_ms: c.float },
  { removed: c.integer },
)

/** How long events are stored by default. */
export const KEEP_MS = 24 * 3_600_000

/**
 * Events are stored this much longer than configured, so that a resume that has begun can finish,
 * and so that events of a slow transaction, which are written before events that precede them in
 * the log, are still there.
 */
const GRACE_MS = 600_000

/**
 * The result of `maintainLog`: partitions created, partitions dropped, rows removed from the
 * default partition.
 */
export interface Maintenance {
  readonly made: number
  readonly dropped: string[]
  readonly removed: number
}

/**
 * Creates the log's hourly partitions in advance and drops those older than `keepMs`. Any number of
 * processes may do it at once. Each step is its own short transaction and waits for a lock for only
 * a fraction of a second (sql/functions/make_event_partition.sql), so it throws while another
 * session reads the whole log (`pg_dump`): repeat it later. Events without a partition go to the
 * default partition, where they work just as well; their hour gets no partition later.
 */
export async function maintainLog(
  database: Database,
  options: { keepMs?: number; aheadHours?: number } = {},
): Promise<Maintenance> {
  const keep_ms = (options.keepMs ?? KEEP_MS) + GRACE_MS
  const dropped: string[] = []
  let made = 0
  for (let ahead = 0; ahead <= (options.aheadHours ?? 6); ahead += 1) {
    if ((await database.one(createPartition, { ahead }))?.made) made += 1
  }
  for (;;) {
    const name = (await database.one(dropPartition, { keep_ms }))?.dropped
    if (!name) break
    dropped.push(name)
  }
  const removed = (await database.one(trimDefaultPartition, { keep_ms }))?.removed ?? 0
  return { made, dropped, removed }
}

const MAINTAIN_MS = 600_000

/**
 * Maintains the log now (`begun`) and every ten minutes. A failure is logged; the next run tries
 * again.
 */
export function startMaintenance(
  database: Database,
  logger: Logger,
  keepMs: number,
): { begun: Promise<void>; close(): Promise<void> } {
  async function maintain(): Promise<void> {
    try {
      const done = await maintainLog(database, { keepMs })
      if (done.made + done.dropped.length + done.removed > 0) logger.info(done, 'maintained the event log')
    } catch (error) {
      logger.warn({ err: error }, 'could not maintain the event log; trying again later')
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
