import { EventEmitter, once } from 'node:events'
import type { Test } from 'tap'
import { openDatabase, type Connection, type Database } from '../../../src/platform/database/index.ts'
import { job, migrateJobs, openJobs, type Job, type JobRun, type Jobs } from '../../../src/platform/jobs/index.ts'
import { createTestDatabase } from '../../support/database.ts'

/** The services of the tests' jobs: each run emits an event named `ran`. */
interface Bench {
  runs: Run[]
  ran: EventEmitter
  /** Awaited by each run. */
  work: (text: string, run: JobRun) => Promise<void>
}

interface Run {
  text: string
  attempt: number
  atMs: number
}

interface Logged {
  level: 'error' | 'warn' | 'info' | 'debug'
  fields: object
  message: string
}

export const TIMEOUT_MS = 20_000

function parseText(payload: unknown): string {
  if (typeof payload === 'object' && payload !== null && 'text' in payload && typeof payload.text === 'string') {
    return payload.text
  }
  throw new Error('not a text')
}

const declare = (
  name: string,
  options: { attempts?: number; hasChosenTime?: boolean } = {},
): Job<{ text: string }, Bench> =>
  job(
    name,
    payload => ({ text: parseText(payload) }),
    async ({ text }, bench: Bench, run) => {
      bench.runs.push({ text, attempt: run.attempt, atMs: Date.now() })
      try {
        await bench.work(text, run)
      } finally {
        bench.ran.emit('ran')
      }
    },
    options,
  )

export const note = declare('note')
export const appointment = declare('appointment', { hasChosenTime: true })
export const fragile = declare('fragile', { attempts: 2 })
export const hopeless = declare('hopeless', { attempts: 1 })
export const jobs = [note, fragile, hopeless, appointment]
/** A job of a later release, which only some processes know. */
export const later = declare('later')

function startBench(): Bench {
  return { runs: [], ran: new EventEmitter(), work: async () => {} }
}

interface Stage {
  connection: Connection
  database: Database
  bench: Bench
  log: Logged[]
  /** Starts the workers of one process. */
  start(concurrency?: number, known?: typeof jobs): Promise<Jobs>
  /** Waits until this many runs have begun and ended, or fails with their number. */
  until(runs: number): Promise<void>
  /** The jobs that are still in the database. */
  waiting(): Promise<{ task_identifier: string; attempts: number; last_error: string | null }[]>
}

export async function stage(t: Test): Promise<Stage> {
  const { url, drop } = await createTestDatabase()
  const connection = { connectionString: url }
  const database = openDatabase({ connection, poolSize: 4 })
  const bench = startBench()
  const log: Logged[] = []
  const write =
    (level: Logged['level']) =>
    (fields: object, message: string): void => {
      log.push({ level, fields, message })
    }
  const logger = { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
  const started: Jobs[] = []
  t.after(async () => {
    await Promise.all(started.map(open => open.close()))
    await database.close()
    await drop()
  })
  await migrateJobs(connection, logger)
  return {
    connection,
    database,
    bench,
    log,
    async start(concurrency = 1, known = jobs) {
      const open = openJobs({ connection, database, jobs: known, logger, concurrency })
      started.push(open)
      await open.start(bench)
      return open
    },
    async until(runs) {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      while (bench.runs.length < runs) {
        await once(bench.ran, 'ran', { signal }).catch((error: unknown) => {
          throw new Error(`waited for ${runs} runs, saw ${bench.runs.length}`, { cause: error })
        })
      }
    },
    waiting: async () =>
      database.withClient(async client => {
        const { rows } = await client.query('select task_identifier, attempts, last_error from graphile_worker.jobs')
        return rows
      }),
  }
}
