import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { analyzeUnknown } from './analyze.ts'
import { updateFunctions } from './functions.ts'
import {
  isSameMigration,
  listMigrations,
  readFunctions,
  readMigrations,
  sqlFolder,
  type Migration,
  type Part,
} from './migration_files.ts'
import { withoutTimeouts } from './session_settings.ts'

export type Log = (message: string, fields?: object) => void

/** A database that cannot be migrated, with the reason for the operator. */
export class MigrationError extends Error {}

/** A database that a newer release has migrated; starting again does not help. */
export class NewerDatabaseError extends MigrationError {
  constructor(unknown: readonly string[]) {
    super(
      `the database is of a newer release than this one, which does not know ${unknown.join(', ')}: ` +
        'install that release or a later one again, or restore a backup from before the upgrade (OPERATING.md, "Upgrading")',
    )
  }
}

/** Pending migrations that no running process of the previous release would survive. */
class StopFirstError extends MigrationError {
  constructor(names: readonly string[]) {
    super(`${names.join(', ')} cannot be applied while the server runs: stop it, then start it`)
  }
}

const OLDEST = 150_000
/** A number that no other advisory lock in the database uses: "mill" in ASCII. */
const LOCK = 0x6d_69_6c_6c
const LOCK_RETRY_MS = 100

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  const server = rows[0]
  if (server && server.number < OLDEST)
    throw new MigrationError(`PostgreSQL 15 or newer is needed, this server is ${server.version}`)
}

/**
 * Polls instead of waiting inside PostgreSQL: a session that waits for an advisory lock holds a
 * snapshot, `create index concurrently` in the session that has the lock waits for all snapshots to
 * end, so the two would deadlock.
 */
async function acquireLock(client: pg.Client, log: Log): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [LOCK])
    if (rows[0]?.taken) return
    if (tries === 0) log('waiting for another process that is migrating the database')
    await delay(LOCK_RETRY_MS)
  }
}

/** `file:line:column: message`. PostgreSQL's position counts characters, not UTF-16 units. */
function explain(error: unknown, part: Part): MigrationError {
  const file = relative(process.cwd(), part.path)
  if (!(error instanceof pg.DatabaseError)) return new MigrationError(`${file}: ${String(error)}`, { cause: error })
  const { message, position, detail, hint, where } = error
  const before = Array.from(part.text)
    .slice(0, Number(position ?? 1) - 1)
    .join('')
    .split('\n')
  const line = part.linesAbove + before.length
  const place = position === undefined ? file : `${file}:${line}:${Array.from(before.at(-1) ?? '').length + 1}`
  const more = [detail, hint, where].filter(text => text !== undefined).map(text => `\n  ${text}`)
  return new MigrationError(`${place}: ${message}${more.join('')}`, { cause: error })
}

async function run(client: pg.Client, part: Part): Promise<void> {
  try {
    await client.query(part.text)
  } catch (error) {
    throw explain(error, part)
  }
}

async function runAll(client: pg.Client, migration: Migration): Promise<void> {
  for (const part of migration.parts) await run(client, part)
}

const RECORD = 'insert into migrations (name, checksum) values ($1, $2)'

async function apply(client: pg.Client, migration: Migration, log: Log): Promise<void> {
  const started = performance.now()
  await runAll(client, migration)
  // If it is killed before this, a migration without a transaction runs again: such a file must
  // allow that (drop index … if exists, then create it; change the rows that are not changed yet).
  await client.query(RECORD, [migration.name, migration.checksum])
  // Checks that wait for the end of the transaction would refuse a later `alter table`.
  if (migration.inTransaction) await client.query('set constraints all immediate')
  log('applied a migration', { name: migration.name, durationMs: Math.round(performance.now() - started) })
}

/** Migrations that are applied together: all that need no transaction of their own, in order. */
function group(pending: readonly Migration[]): Migration[][] {
  const groups: Migration[][] = []
  for (const migration of pending) {
    const last = groups.at(-1)
    if (migration.inTransaction && last?.[0]?.inTransaction === true) last.push(migration)
    else groups.push([migration])
  }
  return groups
}

/**
 * The tables that record the applied migrations and functions. Before the first release there was
 * no table of functions, and other migrations had the same names.
 */
async function prepareTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ refused: boolean }>(
    `select to_regclass('migrations') is not null and to_regclass('functions') is null as refused`,
  )
  if (rows[0]?.refused) {
    throw new MigrationError(
      'the database was made by a development version from before the first release: use an empty one',
    )
  }
  await client.query(`
    create table if not exists migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists functions (like migrations including all)`)
}

/**
 * Returns the migrations that are left to apply, in the order of their numbers. One may have a
 * lower number than an applied one: branches of development are merged in any order.
 * @throws MigrationError when an applied migration differs from its file, NewerDatabaseError when
 * there is no file
 */
async function findPending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  const applied = new Map(rows.map(row => [row.name, row.checksum]))
  const names = new Set(migrations.map(migration => migration.name))
  const unknown = [...applied.keys()].filter(name => !names.has(name)).toSorted()
  if (unknown.length > 0) throw new NewerDatabaseError(unknown)
  for (const migration of migrations) {
    if (!isSameMigration(migration, applied.get(migration.name) ?? migration.checksum)) {
      throw new MigrationError(
        `migration ${migration.name} was changed after it was applied: put the file back, and make the change in a new migration`,
      )
    }
  }
  return migrations.filter(migration => !applied.has(migration.name))
}

/**
 * Refuses to serve from files that are newer than the schema: they were replaced, and nothing has
 * migrated the database yet.
 * @throws MigrationError
 */
export async function requireMigrations(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'millrace migrate' })
  client.on('error', () => undefined) // the running statement fails too
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const applied = new Set(rows.map(({ name }) => name))
    const missing = listMigrations(join(sqlFolder, 'migrations')).find(name => !applied.has(name))
    if (missing !== undefined)
      throw new MigrationError(`the database lacks ${missing}, because the files were replaced: run \`ctl restart\``)
  } finally {
    await client.end()
  }
}

export interface MigrateOptions {
  /** The folder of `migrations` and `functions`. */
  readonly folder?: string
  /** Applies these migrations and nothing else, for rows of an older release. */
  readonly only?: readonly { readonly name: string; readonly checksum: string }[]
  /** Whether other processes use the database meanwhile, which some migrations do not allow. */
  readonly whileServing?: boolean
}

/** @throws MigrationError for a migration that this release does not have, or has changed */
function selectMigrations(all: readonly Migration[], only: MigrateOptions['only']): readonly Migration[] {
  if (!only) return all
  const wanted = new Map(only.map(({ name, checksum }) => [name, checksum]))
  const found = all.filter(migration => isSameMigration(migration, wanted.get(migration.name) ?? ''))
  const known = new Set(found.map(({ name }) => name))
  const missing = [...wanted.keys()].filter(name => !known.has(name))
  if (missing.length > 0)
    throw new MigrationError(`this release does not have the migrations ${missing.join(', ')}: use the newer one`)
  return found
}

/** lock_not_available and deadlock_detected (PostgreSQL, appendix A). */
const LOCKED: ReadonlySet<string> = new Set(['55P03', '40P01'])
const LOCKED_RETRY_MS = 1_000
const LOCKED_TRIES = 30

const isLocked = (error: unknown): boolean =>
  error instanceof MigrationError && error.cause instanceof pg.DatabaseError && LOCKED.has(error.cause.code ?? '')

/** While other processes serve, does work again that failed at a lock of another session. */
async function retryLocked<T>(whileServing: boolean, log: Log, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!whileServing || !isLocked(error) || tries === LOCKED_TRIES) throw error // the session ends, too
      log('a migration waits for a lock that another session holds', { tries })
      await delay(LOCKED_RETRY_MS)
    }
  }
}

/**
 * Runs work in a transaction; after an error it has no effect. While other processes serve, it
 * waits for each lock three seconds at most, since all others would wait behind it, and tries
 * again.
 */
const inTransaction = async <T>(
  client: pg.Client,
  whileServing: boolean,
  log: Log,
  work: () => Promise<T>,
): Promise<T> =>
  retryLocked(whileServing, log, async () => {
    await client.query('begin')
    try {
      if (whileServing) await client.query(`set local lock_timeout = '3s'`)
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      if (isLocked(error)) await client.query('rollback')
      throw error
    }
  })

/**
 * Brings the database's schema up to date: first the migrations, then the functions whose text has
 * changed, then the planner's statistics of tables that have rows but no statistics, as after a
 * restore. Returns the names of the migrations and functions that this call has applied. Any number
 * of processes may call it at once: one works, the others wait.
 *
 * When a file fails, with its line and column in the error, everything is as before, except after a
 * migration without a transaction. It throws as well when a migration was changed after it was
 * applied, when the database is of a newer release, and when the server is older than PostgreSQL
 * 15.
 */
export async function migrate(
  connection: pg.ClientConfig,
  log: Log,
  { folder = sqlFolder, only, whileServing = false }: MigrateOptions = {},
): Promise<{ applied: string[]; functions: readonly string[] }> {
  const files = readFunctions(join(folder, 'functions'))
  const migrations = selectMigrations(readMigrations(join(folder, 'migrations'), files), only)
  const client = new pg.Client({ ...connection, application_name: 'millrace migrate' })
  client.on('error', error => log('lost the database connection while migrating', { error })) // the running statement fails too
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query(withoutTimeouts)
    await acquireLock(client, log)
    await prepareTables(client)
    // Functions may refer to tables that are created later. A test checks all bodies when
    // everything exists.
    await client.query('set check_function_bodies = off')
    const pending = await findPending(client, migrations)
    const disruptive = pending.filter(({ stopFirst }) => stopFirst).map(({ name }) => name)
    if (whileServing && disruptive.length > 0) throw new StopFirstError(disruptive)
    const update = async (): Promise<readonly string[]> =>
      only ? [] : updateFunctions(client, files.values(), part => run(client, part))
    const groups = group(pending)
    const last = groups.at(-1)?.[0]?.inTransaction === true ? groups.pop() : []
    const applyTogether = async (migrations: readonly Migration[] = []): Promise<void> => {
      for (const migration of migrations) await apply(client, migration, log)
    }
    for (const migrations of groups) {
      const apply = (): Promise<void> => applyTogether(migrations)
      if (migrations[0]?.inTransaction === true) await inTransaction(client, whileServing, log, apply)
      else await retryLocked(whileServing, log, apply)
    }
    const functions = await inTransaction(client, whileServing, log, async () => {
      await applyTogether(last)
      return update()
    })
    if (functions.length > 0) log('applied functions', { names: functions })
    const analyzed = await analyzeUnknown(client)
    if (analyzed.length > 0) log('analyzed tables without statistics', { tables: analyzed })
    return { applied: pending.map(({ name }) => name), functions }
  } finally {
    await client.end() // gives the advisory lock back
  }
}
