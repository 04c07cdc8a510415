import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import { c, query, type Runner } from '../database/index.ts'
import { createEarliestTimer } from './earliest_timer.ts'
import type { JobLogger } from './log.ts'

const nextDue = query('platform/jobs/next_due', {}, { due_in_ms: c.nullable(c.float) })
const holdWorkerLock = query('platform/jobs/hold_worker_lock', { worker: c.text }, {})

/** Wakes a worker when there is work. */
export interface Wakeups {
  /** Resolves when the worker listens: from then on, a new job is taken immediately. */
  readonly listening: Promise<void>
  /** Makes the worker look for jobs now. */
  now(): void
  /** Makes it look several times within moments: for the next job of a serial queue. */
  soon(): void
  /** Makes it look at this time, in milliseconds since the epoch. */
  at(timeMs: number): void
  stop(): void
}

interface WakeupsOptions {
  database: Runner
  concurrency: number
  logger: JobLogger
}

const RETRY_MS = 1000
/**
 * graphile-worker looks for the next job while the end of the previous one is still being written,
 * and does not report when that is done: until then the job's queue counts as busy, and the queue's
 * next job would wait for another wake-up. So would a new job whose queue is locked at that moment
 * by a worker that looks for other jobs. The last delays are for a database that is overloaded.
 */
const SOON_DELAYS_MS = [2, 20, 200, 2000, 10_000]

/**
 * Calls `action` at least `delayMs` after each request, and at most twice that long; requests that
 * come meanwhile share a call.
 */
function createDelayedCall(delayMs: number, action: () => void): () => void {
  let isWaiting = false
  let isRequested = false
  function wait(): void {
    isWaiting = true
    isRequested = false
    setTimeout(() => {
      isWaiting = false
      action()
      if (isRequested) wait()
    }, delayMs).unref()
  }
  return () => {
    if (isWaiting) isRequested = true
    else wait()
  }
}

/** The time of a deferred job in the notification of enqueue.sql. */
function timeIn(payload: string | undefined): number | undefined {
  const found = /"at"\s*:\s*(\d+)/.exec(payload ?? '')
  return found ? Number(found[1]) : undefined
}

/** Whether the notification of enqueue.sql is about a job of a serial queue. */
const isQueued = (payload: string | undefined): boolean => /"queued"\s*:\s*true/.test(payload ?? '')

function nudge(pool: WorkerPool, concurrency: number, logger: JobLogger): void {
  try {
    pool.nudge(concurrency)
  } catch (error) {
    // The worker has ended; `stopped` reports that.
    logger.warn({ err: error }, 'could not wake the job worker')
  }
}

/**
 * Wakes a worker at the times without a notification: when a job's time has come, after the pause
 * before a retry, when the worker begins to listen, and after a look for a job that failed. Without
 * this, graphile-worker would have to poll.
 */
export function createWakeups(events: WorkerEvents, { database, concurrency, logger }: WakeupsOptions): Wakeups {
  let pool: WorkerPool | undefined
  let stopped = false
  const listening = Promise.withResolvers<void>()
  const timer = createEarliestTimer(() => void look())

  const now = (): void => {
    if (!stopped && pool) nudge(pool, concurrency, logger)
  }

  function at(timeMs: number): void {
    if (!stopped) timer.at(timeMs)
  }

  // One of the idle workers is enough: all would ask the database, 32 times for each job.
  const nudgeOne = (): void => {
    if (!stopped && pool) nudge(pool, 1, logger)
  }
  const delayedNudges = SOON_DELAYS_MS.map(delayMs => createDelayedCall(delayMs, nudgeOne))
  const lookAgain = createDelayedCall(RETRY_MS, nudgeOne)

  /**
   * Sets the timer for the next deferred job, then wakes the worker for those that are due. In this
   * order no job is missed.
   */
  async function look(): Promise<void> {
    if (stopped) return
    try {
      const [row] = await database.run(nextDue, {})
      if (row && row.due_in_ms !== null) at(Date.now() + row.due_in_ms)
    } catch (error) {
      logger.warn({ err: error }, 'could not look up deferred jobs')
      at(Date.now() + RETRY_MS)
    }
    now()
  }

  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool
  })
  events.on('pool:listen:success', ({ client, workerPool }) => {
    // The event comes just before LISTEN is sent, `drain` when LISTEN is done. `look` finds the
    // jobs that were added before that.
    client.once('drain', () => {
      client
        .query({ text: holdWorkerLock.text, values: [workerPool.id] })
        .then(look)
        .then(listening.resolve, (error: unknown) => {
          logger.warn({ err: error }, 'job worker could not take its lock')
        })
    })
  })
  // Such as when PostgreSQL has too many connections: graphile-worker would wait for its next poll.
  events.on('worker:getJob:error', ({ error }) => {
    logger.warn({ err: error }, 'could not look for a job; looking again')
    lookAgain()
  })
  const soon = (): void => {
    for (const nudgeLater of delayedNudges) nudgeLater()
  }
  events.on('pool:listen:notification', ({ message }) => {
    if (isQueued(message.payload)) soon()
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
      timer.clear()
    },
  }
}
