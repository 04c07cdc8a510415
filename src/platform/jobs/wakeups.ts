import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import { c, query, type Runner } from '../database/index.ts'
import { createEarliestTimer } from './earliest_timer.ts'
import type { JobLogger } from './log.ts'

const nextDue = query('platform/jobs/next_due', {}, { due_in_ms: c.nullable(c.float) })
const holdWorkerLock = query('platform/jobs/claim_life', { worker: c.text }, {})

/** Wakes a worker when there is something to do. */
export interface Wakeups {
  /** Resolves when the worker listens, so that a job that is added from then on is taken at once. */
  readonly listening: Promise<void>
  /** Has the worker look for jobs now. */
  now(): void
  /** Has it look within moments, some times: for the job that comes next in a serial queue. */
  soon(): void
  /** Has it look at this time, in milliseconds since the epoch. */
  at(timeMs: number): void
  stop(): void
}

interface WakeupsOptions {
  database: Runner
  concurrency: number
  logger: JobLogger
}

const LOOK_AGAIN_MS = 1000
/**
 * graphile-worker looks for the next job while the end of the last is still being written, and does not tell when that is done: until then
 * the queue that the job is in counts as busy, and the next of the queue would wait for whatever wakes the worker.
 */
const SOON_MS = [2, 20, 200, 2000]

/** The time that the notification of enqueue.sql names, for a job that is to run later. */
function timeIn(payload: string | undefined): number | undefined {
  const found = /"at"\s*:\s*(\d+)/.exec(payload ?? '')
  return found ? Number(found[1]) : undefined
}

function nudge(pool: WorkerPool, concurrency: number, logger: JobLogger): void {
  try {
    pool.nudge(concurrency)
  } catch (error) {
    // It has ended by itself, which whoever started it is told.
    logger.warn({ err: error }, 'job worker could not be woken')
  }
}

/**
 * Wakes the worker of these events at the times that no notification tells: when a job's time has come, after the pause before a
 * retry, and when it begins to listen. Without this, graphile-worker would have to poll.
 */
export function createWakeups(events: WorkerEvents, { database, concurrency, logger }: WakeupsOptions): Wakeups {
  let pool: WorkerPool | undefined
  let stopped = false
  const listening = Promise.withResolvers<void>()
  const alarm = createEarliestTimer(() => void look())

  const now = (): void => {
    if (!stopped && pool) nudge(pool, concurrency, logger)
  }

  function at(timeMs: number): void {
    if (!stopped) alarm.at(timeMs)
  }

  function soon(): void {
    for (const delayMs of SOON_MS) setTimeout(now, delayMs).unref()
  }

  /** Sets the alarm for the next job that waits for its time, then takes those that are due. In this order none falls between. */
  async function look(): Promise<void> {
    if (stopped) return
    try {
      const [row] = await database.run(nextDue, {})
      if (row && row.due_in_ms !== null) at(Date.now() + row.due_in_ms)
    } catch (error) {
      logger.warn({ err: error }, 'scheduled jobs could not be looked up')
      at(Date.now() + LOOK_AGAIN_MS)
    }
    now()
  }

  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool
  })
  events.on('pool:listen:success', ({ client, workerPool }) => {
    // The event comes just before LISTEN is sent, `drain` when it is done. What was added before that is found by `look`.
    client.once('drain', () => {
      client
        .query({ text: holdWorkerLock.text, values: [workerPool.id] })
        .then(look)
        .then(listening.resolve, (error: unknown) => {
          logger.warn({ err: error }, 'job worker could not claim its life')
        })
    })
  })
  events.on('pool:listen:notification', ({ message }) => {
    const timeMs = timeIn(message.payload)
    if (timeMs !== undefined) at(timeMs)
  })

  return {
    listening: listening.promise,
    now,
    soon,
    at,
    stop() {
      stopped = true
      alarm.clear()
    },
  }
}
