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
import { c, query, type Connection, type Runner } from '../database/index.ts'
import { openPool } from '../database/pool.ts'
import type { Job } from './job.ts'
import { workerLog, type JobLogger } from './log.ts'
import { createWakeups } from './wakeups.ts'

const recover = query('platform/jobs/recover', {}, { workers: c.integer })

/** What a worker tells of its runs. */
export interface RunOutcome {
  succeeded(): void
  /** `retryInMs` is undefined when it was the last try. */
  failed(failure: { name: string; id: string; attempt: number; error: unknown; retryInMs: number | undefined }): void
}

export interface WorkerOptions<Services> {
  connection: Connection
  database: Runner
  jobs: readonly Job<unknown, Services>[]
  services: Services
  concurrency: number
  /** Whether jobs with `cron` are enqueued at their times. */
  cron: boolean
  logger: JobLogger
  outcome: RunOutcome
}

export interface Worker {
  /** Resolves or rejects when it has stopped, by `stop` or by an error that it could not cope with. */
  readonly stopped: Promise<void>
  /** Takes no more jobs and waits for those that run. */
  stop(): Promise<void>
}

/** How often graphile-worker polls. Nothing relies on it; it is for what `createWake` may miss while the database is away. */
const POLL_MS = 60_000
/** A worker claims its life within moments of its start; jobs locked more recently than this are left alone by `recover`. */
const RECOVER_AGAIN_MS = 15_000
const ABORT_AFTER_MS = 10_000

/** The wait after the nth try, as graphile-worker's `fail_job` has it. */
export const backOffMs = (attempt: number): number => Math.exp(Math.min(attempt, 10)) * 1000

function tasksOf<Services>(jobs: readonly Job<unknown, Services>[], services: Services): TaskList {
  return Object.fromEntries(
    jobs.map(job => [
      job.name,
      async (payload, { job: row, abortSignal }) =>
        job.perform(payload, services, {
          attempt: row.attempts,
          lastAttempt: row.attempts >= row.max_attempts,
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
            // One waits at most: a run that comes late stands for those that were due before it.
            options: {
              jobKey: name,
              maxAttempts: attempts,
              priority,
            },
          },
        ],
  )
}

/** Frees the jobs of workers that are gone; tells whether there were any. */
async function recoverJobs(database: Runner, logger: JobLogger): Promise<boolean> {
  try {
    const [row] = await database.run(recover, {})
    if (!row || row.workers === 0) return false
    logger.warn({ workers: row.workers }, 'jobs of a worker that died are taken over')
    return true
  } catch (error) {
    logger.warn({ err: error }, 'jobs of dead workers could not be looked up')
    return false
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
    // Unbatched, an end that cannot be written is a rejection that nobody handles, which would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: workerLog(logger),
    events,
    taskList: tasksOf(jobs, services),
    parsedCronItems: parseCronItems(cron ? cronOf(jobs) : []),
  })
}

/** Starts one worker of graphile-worker: it runs jobs until it is stopped or loses the database. */
export async function startWorker<Services>(options: WorkerOptions<Services>): Promise<Worker> {
  const { database, logger, concurrency, outcome } = options
  const events: WorkerEvents = new EventEmitter()
  const wake = createWakeups(events, { database, concurrency, logger })
  // The second time, for those that had died just before the first.
  const recoverTimer = setTimeout(() => {
    void recoverJobs(database, logger).then(recovered => recovered && wake.now())
  }, RECOVER_AGAIN_MS)
  const quiet = (): void => {
    wake.stop()
    clearTimeout(recoverTimer)
  }
  events.on('job:success', () => outcome.succeeded())
  events.on('job:error', ({ job, error }) => {
    const retryInMs = job.attempts < job.max_attempts ? backOffMs(job.attempts) : undefined
    if (retryInMs !== undefined) wake.at(Date.now() + retryInMs)
    outcome.failed({ name: job.task_identifier, id: job.id, attempt: job.attempts, error, retryInMs })
  })
  events.on('job:complete', ({ job }) => {
    if (job.job_queue_id !== null) wake.soon()
  })
  await recoverJobs(database, logger)
  // Our own pool: the one that graphile-worker would open is not waited for when it closes, and not listened to.
  const pgPool = openPool(options.connection, concurrency + 1, error =>
    logger.warn({ err: error }, 'job worker lost a connection'),
  )
  const runner = await runOn(pgPool, options, events).catch(async (error: unknown) => {
    quiet()
    await pgPool.end()
    throw error
  })
  const ended = async (): Promise<void> => {
    try {
      await runner.promise
    } finally {
      quiet()
      await pgPool.end()
    }
  }
  const stopped = ended()
  await Promise.race([wake.listening, stopped])
  return {
    stopped,
    async stop() {
      quiet()
      await runner.stop()
      await stopped
    },
  }
}
