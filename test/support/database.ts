import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { migrate } from '../../src/platform/database/migrate.ts'
import { migrateJobs } from '../../src/platform/jobs/index.ts'
import { startCluster } from './cluster.ts'

export interface TestDatabase {
  /** postgres://…, for pg and libpq. */
  url: string
  /** Drops it, even with open connections. Idempotent. */
  drop(): Promise<void>
}

/** A migrated database that is cloned for each test. */
export interface Template {
  url: string
  close(): Promise<void>
}

/**
 * URL of an existing server to test with, instead of an embedded one: a database whose user may
 * create others.
 */
const SERVER = 'MILLRACE_TEST_DATABASE'
/** URL of the template that test/run.ts created for its test files. */
export const TEMPLATE = 'MILLRACE_TEST_TEMPLATE'

const silent = (): void => {}

function withName(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

const newName = (): string => `millrace_test_${randomBytes(6).toString('hex')}`

/** Runs one statement in a separate connection, and returns its rows. */
export async function execute(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/**
 * Creates a migrated database: on the server that the environment names, else in a new embedded
 * cluster.
 */
export async function createTemplate({ vacuums = false } = {}): Promise<Template> {
  const server = process.env[SERVER]
  const cluster = server === undefined ? await startCluster(vacuums) : { url: server, close: async () => {} }
  const name = newName()
  const url = withName(cluster.url, name)
  const close = async (): Promise<void> => {
    await execute(cluster.url, `drop database if exists ${name} with (force)`)
    await cluster.close()
  }
  try {
    await execute(cluster.url, `create database ${name} template template0 encoding 'UTF8'`)
    await migrateJobs({ connectionString: url }, { error: silent, warn: silent, info: silent, debug: silent })
    await migrate({ connectionString: url }, silent)
  } catch (error) {
    await close()
    throw error
  }
  return { url, close }
}

/**
 * The template of the run; for a test file without test/run.ts a separate one, removed before the
 * process exits.
 */
async function getTemplate(): Promise<string> {
  const given = process.env[TEMPLATE]
  if (given !== undefined) return given
  const made = await createTemplate()
  process.once('beforeExit', () => void made.close())
  return made.url
}

let template: Promise<string> | undefined

async function createDatabase(source: string, from: string, t?: Test): Promise<TestDatabase> {
  const name = newName()
  const server = withName(source, 'postgres')
  await execute(server, `create database ${name} ${from}`)
  const drop = async (): Promise<void> => {
    await execute(server, `drop database if exists ${name} with (force)`)
  }
  t?.after(drop)
  return { url: withName(source, name), drop }
}

/**
 * Creates a database with the migrated schema and no accounts. Dropped at the end of the test `t`.
 */
export async function createTestDatabase(t?: Test): Promise<TestDatabase> {
  const source = await (template ??= getTemplate())
  // Copying files is faster than logging every page (10 ms instead of 90 in memory).
  return createDatabase(source, `template ${new URL(source).pathname.slice(1)} strategy file_copy`, t)
}

/** Creates an empty database, for tests of migrations. */
export async function createEmptyDatabase(t: Test): Promise<TestDatabase> {
  return createDatabase(await (template ??= getTemplate()), `template template0 encoding 'UTF8'`, t)
}
