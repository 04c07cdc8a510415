import { EventEmitter } from 'node:events'
import {
  parseCronItems,
  run,
  type CronItem,
  type Runner as GraphileRunner,
  type RunnerOptions,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import { c, isWriteRefused, query, type Connection, type Runner } from '../database/index.ts'
import { openPool } from '../database/pool.ts'
import type { Job } from './job.ts'
import { workerLog, type JobLogger } from './log.ts'
import { keepLocks } from './renew_locks.ts'
import { createWakeups } from './wakeups.ts'

const recover = query('platform/jobs/recover', {}, { workers: c.integer })
const followClock = query('platform/jobs/follow_clock', { names: c.texts }, { moved: c.integer })

/** Receives the results of a worker's runs. */
export interface RunOutcome {
  succeeded(): void
  /** `retryInMs` is undefined after the last attempt. */
  failed(failure: { name: string; id: string; attempt: number; error: unknown; retryInMs: number | undefined }): void
}

export interface WorkerOptions<Services> {
  connection: Connection
  database: Runner
  jobs: readonly Job<unknown, Services>[]
  services: Services
  concurrency: number
  /** After this long a statement of the worker without an answer fails; default never. */
  answerMs?: number
  /** Whether jobs with `cron` are enqueued on schedule. */
  cron: boolean
  logger: JobLogger
  outcome: RunOutcome
}

export interface Worker {
  /** Resolves or rejects when the worker has stopped, by `stop` or by an unrecoverable error. */
  readonly stopped: Promise<void>
  /** Takes no more jobs, and waits for running ones. */
  stop(): Promise<void>
}

/**
 * How often graphile-worker polls: only for wake-ups that `createWakeups` may miss while the
 * database is away.
 */
const POLL_MS = 60_000
/**
 * A worker takes its lock within moments of its start; `recover` leaves more recently locked jobs
 * alone.
 */
const SECOND_RECOVERY_MS = 15_000
const ABORT_AFTER_MS = 10_000
/**
 * For fetching and ending jobs, a few milliseconds each. While it runs, a job needs none of these.
 */
const MAX_CONNECTIONS = 3

/** The wait after the nth attempt, as in graphile-worker's `fail_job`. */
export const backOffMs = (attempt: number): number => Math.exp(Math.min(attempt, 10)) * 1000

function tasksOf<Services>(jobs: readonly Job<unknown, Services>[], services: Services): TaskList {
  return Object.fromEntries(
    jobs.map(job => [
      job.name,
      async (payload, { job: row, abortSignal }) =>
        job.perform(payload, services, {
          attempt: row.attempts,
          lastAttempt: row.attempts >= row.max_attempts,
          enqueuedAt: row.created_at,
          signal: abortSignal,
        }),
    ]),
  ) satisfies TaskList
}

function cronOf(jobs: readonly Job<unknown, never>[]): CronItem[] {
  return jobs.flatMap(({ name, cron, attempts, priority }) =>
    cron === undefined
      ? []
      : [
          {
            task: name,
            match: cron,
            identifier: name,
            // At most one is queued: a late run also replaces the runs that were due before it.
            options: {
              jobKey: name,
              maxAttempts: attempts,
              priority,
            },
          },
        ],
  )
}

/** Frees the jobs of workers that have died; resolves to whether there were any. */
async function recoverJobs(database: Runner, logger: JobLogger): Promise<boolean> {
  try {
    const [row] = await database.run(recover, {})
    if (!row || row.workers === 0) return false
    logger.warn({ workers: row.workers }, 'took over the jobs of workers that died')
    return true
  } catch (error) {
    logger.warn({ err: error }, 'could not look up the jobs of dead workers')
    return false
  }
}

/** Reschedules jobs and schedules that would wait for a time at which the clock was wrong. */
async function followTheClock<Services>({ database, jobs, logger }: WorkerOptions<Services>): Promise<void> {
  try {
    const names = jobs.filter(({ hasChosenTime }) => !hasChosenTime).map(({ name }) => name)
    const row = await database.one(followClock, { names })
    if (row && row.moved > 0)
      logger.warn({ jobs: row.moved }, 'the clock was in the future: jobs wait no longer for it')
  } catch (error) {
    logger.warn({ err: error }, 'could not look for jobs of the future')
  }
}

function runOn<Services>(
  pgPool: NonNullable<RunnerOptions['pgPool']>,
  { jobs, services, concurrency, cron, logger }: WorkerOptions<Services>,
  events: WorkerEvents,
): Promise<GraphileRunner> {
  return run({
    pgPool,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: ABORT_AFTER_MS,
    // Ends of jobs are written in batches: otherwise an end that cannot be written becomes an
    // unhandled rejection, which would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: workerLog(logger),
    events,
    taskList: tasksOf(jobs, services),
    parsedCronItems: parseCronItems(cron ? cronOf(jobs) : []),
  })
}

/** Starts a worker of graphile-worker: it runs jobs until it is stopped or loses the database. */
export async function startWorker<Services>(options: WorkerOptions<Services>): Promise<Worker> {
  const { database, logger, concurrency, outcome } = options
  const events: WorkerEvents = new EventEmitter()
  const wakeups = createWakeups(events, { database, concurrency, logger })
  const stopRenewing = keepLocks(events, { database, logger })
  // The second time, for workers that died just before the first.
  const recoverTimer = setTimeout(() => {
    void recoverJobs(database, logger).then(recovered => recovered && wakeups.now())
  }, SECOND_RECOVERY_MS)
  const stopTimers = (): void => {
    wakeups.stop()
    clearTimeout(recoverTimer)
  }
  const refused = Promise.withResolvers<never>()
  refused.promise.catch(() => undefined)
  // The connections lead to a server that only reads, but the address may name another one by now.
  events.on('worker:getJob:error', ({ error }) => {
    if (isWriteRefused(error)) refused.reject(error)
  })
  events.on('job:success', () => outcome.succeeded())
  events.on('job:error', ({ job, error }) => {
    const retryInMs = job.attempts < job.max_attempts ? backOffMs(job.attempts) : undefined
    if (retryInMs !== undefined) wakeups.at(Date.now() + retryInMs)
    outcome.failed({ name: job.task_identifier, id: job.id, attempt: job.attempts, error, retryInMs })
  })
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) wakeups.soon()
  })
  await recoverJobs(database, logger)
  await followTheClock(options)
  // Our own pool: graphile-worker does not wait for its own pool when it closes, and ignores that
  // pool's errors.
  const pgPool = openPool(
    options.connection,
    Math.min(concurrency, MAX_CONNECTIONS) + 1,
    error => logger.warn({ err: error }, 'job worker lost a connection'),
    options.answerMs,
  )
  const runner = await runOn(pgPool, options, events).catch(async (error: unknown) => {
    stopTimers()
    stopRenewing()
    await pgPool.end()
    throw error
  })
  const ended = async (): Promise<void> => {
    try {
      await Promise.race([runner.promise, refused.promise])
    } catch (error) {
      // It rejects when the worker has stopped by itself.
      await runner.stop().catch(() => undefined)
      throw error
    } finally {
      stopTimers()
      stopRenewing()
      await pgPool.end()
    }
  }
  const stopped = ended()
  await Promise.race([wakeups.listening, stopped])
  return {
    stopped,
    async stop() {
      stopTimers()
      await runner.stop()
      await stopped
    },
  }
}
