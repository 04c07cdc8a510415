import { setTimeout as delay } from 'node:timers/promises'
import { runMigrations } from 'graphile-worker'
import type { Connection, Runner } from '../database/index.ts'
import { openPool } from '../database/pool.ts'
import type { Job } from './job.ts'
import { workerLog, type JobLogger } from './log.ts'
import { startWorker, type RunOutcome, type Worker } from './worker.ts'

/** Runs of this process since it started. */
export interface JobStatistics {
  succeeded: number
  /** Tries that failed and are followed by another. */
  failed: number
  /** Jobs that failed in their last try. They stay in `graphile_worker.jobs` with `last_error`. */
  givenUp: number
}

export interface Jobs {
  statistics(): Readonly<JobStatistics>
  /** Takes no more jobs, waits for those that run. */
  close(): Promise<void>
}

export interface StartableJobs<Services> extends Jobs {
  /** Begins to run jobs; resolves when the first worker is up. To be called once, when all that the jobs use is there. */
  start(services: Services): Promise<void>
}

export interface JobsOptions<Services> {
  /** A connection of its own is opened here for LISTEN, and at most `concurrency` more while jobs run. */
  connection: Connection
  database: Runner
  jobs: readonly Job<unknown, Services>[]
  logger: JobLogger
  /** Jobs that run at once in this process. */
  concurrency: number
  /** Whether jobs with `cron` are enqueued at their times: true. */
  cron?: boolean
}

const FIRST_RESTART_MS = 1000
const LAST_RESTART_MS = 30_000

/** Brings the tables of graphile-worker (schema `graphile_worker`) up to date. Safe from several processes at once. */
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
        logger.error(fields, 'job given up')
      } else {
        statistics.failed += 1
        logger.warn({ ...fields, retryInMs: Math.round(retryInMs) }, 'job failed, to be tried again')
      }
    },
  }
  return { statistics, outcome }
}

/**
 * The jobs of this process. Nothing runs before `start`. graphile-worker gives up when it loses the database at the wrong moment;
 * it is then started again, with growing pauses, until `close`.
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
      try {
        current ??= await begin(services)
        if (closing.signal.aborted) await current.stop()
        pauseMs = FIRST_RESTART_MS
        await current.stopped
      } catch (error) {
        logger.error({ err: error, pauseMs }, 'job worker stopped, to be started again')
      }
      current = undefined
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LAST_RESTART_MS)
    }
  }

  return {
    async start(services) {
      if (supervised) throw new Error('Jobs were started already')
      supervised = supervise(await begin(services), services)
    },
    statistics: () => ({ ...statistics }),
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      // It rejects when the worker has just stopped by itself, which is what is wanted.
      await worker?.stop().catch(() => undefined)
      await supervised
    },
  }
}
