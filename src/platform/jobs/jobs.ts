import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import { watchClock } from '../../core/clock_watch.ts'
import type { Connection, Runner } from '../database/index.ts'
import { openPool } from '../database/pool.ts'
import type { Job } from './job.ts'
import { workerLog, type JobLogger } from './log.ts'
import { startWorker, type RunOutcome, type Worker } from './worker.ts'

/** Runs in this process since its start. */
export interface JobStatistics {
  succeeded: number
  /** Attempts that failed and will be repeated. */
  failed: number
  /** Jobs whose last attempt failed. They stay in `graphile_worker.jobs` with `last_error`
   * for 30 days. */
  givenUp: number
}

export interface Jobs {
  /** The kinds of jobs that this process runs. */
  readonly kinds: readonly string[]
  statistics(): Readonly<JobStatistics>
  /** Takes no more jobs, and waits for running ones. */
  close(): Promise<void>
}

export interface StartableJobs<Services> extends Jobs {
  /**
   * Starts to run jobs; resolves when the first worker is up. Call it once, when everything that
   * jobs use is ready.
   */
  start(services: Services): Promise<void>
}

export interface JobsOptions<Services> {
  /**
   * The jobs open their own connections: one for LISTEN, and a few more, on which they are fetched
   * and ended.
   */
  connection: Connection
  database: Runner
  jobs: readonly Job<unknown, Services>[]
  logger: JobLogger
  /** The number of jobs that run at the same time in this process. */
  concurrency: number
  /** After this long a statement of the worker without an answer fails; default never. */
  answerMs?: number
  /** Whether jobs with `cron` are enqueued on schedule; default true. */
  cron?: boolean
}

const FIRST_RESTART_MS = 1000
const LAST_RESTART_MS = 30_000

/**
 * Migrates the tables of graphile-worker (schema `graphile_worker`). Several processes may call it
 * at once.
 */
export async function migrateJobs(connection: Connection, logger: JobLogger): Promise<void> {
  const pgPool = openPool(connection, 1, error => logger.warn({ err: error }, 'connection lost while migrating jobs'))
  try {
    await runMigrations({ pgPool, logger: workerLog(logger) })
  } finally {
    await pgPool.end()
  }
}

function countOutcomes(logger: JobLogger): { statistics: JobStatistics; outcome: RunOutcome } {
  const statistics: JobStatistics = { succeeded: 0, failed: 0, givenUp: 0 }
  const outcome: RunOutcome = {
    succeeded() {
      statistics.succeeded += 1
    },
    failed({ name, id, attempt, error, retryInMs }) {
      const fields = { job: name, id, attempt, err: error }
      if (retryInMs === undefined) {
        statistics.givenUp += 1
        logger.error(fields, 'a job failed for the last time')
      } else {
        statistics.failed += 1
        logger.warn({ ...fields, retryInMs: Math.round(retryInMs) }, 'a job failed and will be retried')
      }
    },
  }
  return { statistics, outcome }
}

/**
 * The jobs of this process. Nothing runs before `start`. graphile-worker stops when it loses the
 * database at certain moments; it is then restarted, with growing pauses, until `close`. It is also
 * restarted when the clock was set: its schedule and timers would wait for the old time.
 */
export function openJobs<Services>(options: JobsOptions<Services>): StartableJobs<Services> {
  const { logger } = options
  const { statistics, outcome } = countOutcomes(logger)
  const closing = new AbortController()
  let worker: Worker | undefined
  let supervised: Promise<void> | undefined

  async function begin(services: Services): Promise<Worker> {
    const started = await startWorker({ cron: true, ...options, services, outcome })
    worker = started
    return started
  }

  /** Waits for the end of each worker and starts the next. */
  async function supervise(first: Worker, services: Services): Promise<void> {
    let current: Worker | undefined = first
    let pauseMs = FIRST_RESTART_MS
    while (!closing.signal.aborted) {
      const beganAt = performance.now()
      try {
        current ??= await begin(services)
        if (closing.signal.aborted) await current.stop()
        await current.stopped
      } catch (error) {
        logger.error({ err: error, pauseMs }, 'job worker stopped; restarting it')
      }
      current = undefined
      if (performance.now() - beganAt > LAST_RESTART_MS) pauseMs = FIRST_RESTART_MS
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LAST_RESTART_MS)
    }
  }

  let endWatch: (() => void) | undefined
  function restartAt(byMs: number): void {
    logger.warn({ byMs }, 'the clock was set; restarting the job worker')
    // It rejects when the worker has just stopped for another reason, which is fine.
    worker?.stop().catch(() => undefined)
  }

  return {
    kinds: options.jobs.map(({ name }) => name),
    async start(services) {
      if (supervised) throw new Error('jobs have already been started')
      endWatch = watchClock(restartAt)
      supervised = supervise(await begin(services), services)
    },
    statistics: () => ({ ...statistics }),
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      endWatch?.()
      // It rejects when the worker has just stopped for another reason, which is fine.
      await worker?.stop().catch(() => undefined)
      await supervised
    },
  }
}
