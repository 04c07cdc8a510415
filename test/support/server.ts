import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { t as file, type Test } from 'tap'
import { readConfig, type Config } from '../../src/core/config.ts'
import { freePort } from './port.ts'
import { createLogger } from '../../src/core/logger.ts'
import { createTestDatabase } from './database.ts'
import { PROCESSES, startProcesses } from './processes.ts'

/** The addresses of a server and its database. */
export interface ServerAddress {
  readonly url: string
  /** postgres:// URL of its database. */
  readonly databaseUrl: string
}

/** A started server with a separate database. */
export interface TestServer extends ServerAddress {
  readonly config: Config
  /** Lines of its log, parsed. */
  readonly log: Record<string, unknown>[]
  stop(): Promise<void>
}

export interface TestServerOptions {
  env?: Record<string, string>
  /** Another server's database, for two servers on one database. */
  databaseUrl?: string
  /** Settings other than the defaults, stored before it starts. */
  settings?: Readonly<Record<string, unknown>>
  /** The reason why it is always one process (processes.ts); shown in the test's report. */
  oneProcess?: string
}

/** Everybody may sign up, as after `ctl settings registrations open`. */
export const OPEN_REGISTRATIONS: TestServerOptions = { settings: { registrations_mode: 'open' } }

async function storeSettings(databaseUrl: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (const [key, value] of Object.entries(settings))
      await client.query('insert into settings (key, value) values ($1, $2)', [key, JSON.stringify(value)])
  } finally {
    await client.end()
  }
}

/**
 * Starts a server in this process, or an imitation of two processes (processes.ts). Stopped at the
 * end of the test `t`, or by the caller.
 */
export async function startServer(t: Test | undefined, options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.databaseUrl === undefined ? await createTestDatabase() : undefined
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  if (options.settings) await storeSettings(databaseUrl, options.settings)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-test-'))
  const port = await freePort()
  const config = readConfig({
    PORT: String(port),
    BIND: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    RATE_LIMITS: 'off',
    // Hourly jobs must not rank or clean the rows of tests.
    CRON: 'off',
    ALLOW_PRIVATE_ADDRESSES: 'on',
    ...options.env,
  })
  const log: Record<string, unknown>[] = []
  const logger = createLogger(config, { write: line => void log.push(JSON.parse(line) as Record<string, unknown>) })
  const processes = options.oneProcess === undefined ? PROCESSES : 1
  if (processes < PROCESSES) t?.comment(`one process: ${options.oneProcess}`)
  const server = await startProcesses(processes, config, databaseUrl, logger)
  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      await server.stop()
      await database?.drop()
      await rm(dataDir, { recursive: true, force: true })
    })())
  t?.after(stop)
  return { url: server.url, config, databaseUrl, log, stop }
}

let shared: Promise<TestServer> | undefined
let sharedOptions: TestServerOptions = {}

/** Chooses how the shared server of this file is started; call it before the first test. */
export function shareServerWith(options: TestServerOptions): void {
  assert.equal(shared, undefined, 'the shared server runs already')
  sharedOptions = options
}

/**
 * The server that all tests of a file share, started at the first call and stopped after the last
 * test.
 */
export function sharedServer(): Promise<TestServer> {
  if (shared === undefined) {
    const starting = startServer(undefined, sharedOptions)
    shared = starting
    file.teardown(async () => {
      await (await starting.catch(() => undefined))?.stop()
    })
  }
  return shared
}
