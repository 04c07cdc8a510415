import assert from 'node:assert/strict'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { test, type Test } from 'tap'
import { restore, writeBackupFile } from '../../../src/platform/backup/index.ts'
import { migrate, type MigrateOptions } from '../../../src/platform/database/migrate.ts'
import { readFunctions, readMigrations, sqlFolder } from '../../../src/platform/database/migration_files.ts'
import { migrateJobs } from '../../../src/platform/jobs/index.ts'
import { createEmptyDatabase } from '../../support/database.ts'
import { fillTables } from './fill_tables.ts'

/*
 * Upgrades from each release, with rows in every table. A release is described by a file here,
 * which `npm run release` writes: the migrations that it has.
 */

/** The last migration of the first schema; development versions before it are refused. */
const BASELINE = '0013_staff'

const silent = (): void => {}
const quiet = { error: silent, warn: silent, info: silent, debug: silent, flush: silent }

type State = NonNullable<MigrateOptions['only']>

function readStates(): [name: string, state: State][] {
  const folder = import.meta.dirname
  const files = readdirSync(folder).filter(name => /^release_.*\.json$/.test(name))
  const known = readMigrations(join(sqlFolder, 'migrations'), readFunctions(join(sqlFolder, 'functions')))
  return [
    ['the first schema', known.filter(({ name }) => name <= BASELINE)],
    // Written by write_release.ts.
    ...files.map((file): [string, State] => [file, JSON.parse(readFileSync(join(folder, file), 'utf8')) as State]),
  ]
}

/** What belongs to a running server, and is not in a backup: the event log and counted requests. */
const NOT_IN_BACKUPS = ['events', 'rate_counters']

/** Tables that a later release has replaced, and by what. */
const REPLACED: Readonly<Record<string, string>> = {
  activity_days: 'day_counters',
}

/** Columns that a later release has computed again from other rows. */
const RECOMPUTED = ['statuses.content_kinds']

type Row = Readonly<Record<string, unknown>>

async function readTable(client: pg.Client, table: string): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)
  return rows.map(({ row }) => row)
}

/** A row without the columns that it did not have, as text. */
const textOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map(name => row[name]))

/** A database as this release left it, with rows in every table, and these rows. */
async function makeOld(t: Test, state: State): Promise<{ url: string; before: ReadonlyMap<string, Row[]> }> {
  const { url } = await createEmptyDatabase(t)
  const connection = { connectionString: url }
  await migrateJobs(connection, quiet)
  const client = await connect(t, url)
  await migrate(connection, silent, { only: state })
  const before = new Map<string, Row[]>()
  for (const table of await fillTables(client)) before.set(table, await readTable(client, table))
  assert.ok(before.size > 50)
  return { url, before }
}

async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Each row is still there, in the columns that still are. A migration may fill empty ones. */
async function assertKept(client: pg.Client, before: ReadonlyMap<string, Row[]>, left: readonly string[] = []) {
  for (const [table, rows] of before) {
    assert.ok(rows.length > 0, `${table} was empty`)
    if (REPLACED[table] !== undefined || left.includes(table)) continue
    const after = await readTable(client, table)
    for (const row of rows) {
      const columns = Object.keys(row).filter(
        column => row[column] !== null && column in (after[0] ?? {}) && !RECOMPUTED.includes(`${table}.${column}`),
      )
      const kept = new Set(after.map(one => textOf(one, columns)))
      assert.ok(kept.has(textOf(row, columns)), `${table} lost ${JSON.stringify(row)}`)
    }
  }
}

for (const [name, state] of readStates()) {
  test(`an upgrade from ${name} keeps every row`, async t => {
    const { url, before } = await makeOld(t, state)
    const connection = { connectionString: url }
    const { applied } = await migrate(connection, silent)
    assert.ok(applied.length > 0 || name !== 'the first schema')
    await assertKept(await connect(t, url), before)
    assert.deepEqual(await migrate(connection, silent), { applied: [], functions: [] })
  })

  test(`a backup of ${name} is restored onto this release, with every row`, async t => {
    const { url, before } = await makeOld(t, state)
    const folder = await mkdtemp(join(tmpdir(), 'millrace-old-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'backup.tar.gz')
    await writeBackupFile(file, { connection: { connectionString: url }, version: '0.0.1', dataDir: folder })
    const { url: target } = await createEmptyDatabase(t)
    const connection = { connectionString: target }
    await restore(createReadStream(file), { connection, dataDir: folder })
    await assertKept(await connect(t, target), before, NOT_IN_BACKUPS)
    assert.deepEqual(await migrate(connection, silent), { applied: [], functions: [] })
  })
}

/** Copies of a table's first row, with these ids and changes. */
const copies = (table: string, key: string, last: number, changes: object): string => `
  insert into ${table} select made.*
  from (select * from ${table} order by ${key} limit 1) one, generate_series(1000001, ${last}) number,
    jsonb_populate_record(null::${table}, to_jsonb(one) || '${JSON.stringify(changes)}' || jsonb_build_object('${key}', number)
      ${table === 'accounts' ? `|| jsonb_build_object('username', 'copy' || number, 'uri', 'https://elsewhere.example/' || number)` : ''}) made`

/** Migrations that change rows of large tables: what they do to a row of the first batch. */
const LONG_CHANGES = [
  {
    migration: '0104_links_of_other_servers',
    table: 'statuses',
    rows: [
      copies('statuses', 'id', 1_001_001, {
        local: false,
        uri: null,
        reblog_of_id: null,
        deleted_at: null,
        content_kinds: [],
      }),
      copies('preview_cards_statuses', 'status_id', 1_001_001, {}),
    ],
    locked: 1_001_001,
    isDone: `content_kinds @> '{link}'`,
  },
  {
    migration: '0109_long_urls_of_accounts',
    table: 'accounts',
    rows: [copies('accounts', 'id', 1_010_001, { domain: 'elsewhere.example', url: `https://${'long/'.repeat(500)}` })],
    locked: 1_010_001,
    isDone: 'octet_length(url) <= 2048',
  },
]

for (const { migration, table, rows, locked, isDone } of LONG_CHANGES) {
  test(`what ${migration} has changed is committed while it waits for a row`, async t => {
    const known = readMigrations(join(sqlFolder, 'migrations'), readFunctions(join(sqlFolder, 'functions')))
    const { url } = await makeOld(
      t,
      known.filter(({ name }) => name < migration),
    )
    const client = await connect(t, url)
    await client.query('set session_replication_role = replica')
    for (const statement of rows) await client.query(statement)
    const done = async (): Promise<readonly unknown[]> => {
      const ids = `select id::int as id from ${table} where id in (1000001, ${locked}) and ${isDone} order by id`
      return (await client.query<{ id: number }>(ids)).rows.map(({ id }) => id)
    }
    assert.deepEqual(await done(), [])
    const other = await connect(t, url)
    await other.query('begin')
    await other.query(`select from ${table} where id = ${locked} for update`)
    const migrating = migrate({ connectionString: url }, silent)
    const waits = `select from pg_stat_activity
      where application_name = 'millrace migrate' and wait_event_type = 'Lock' and datname = current_database()`
    while ((await client.query(waits)).rowCount === 0);
    const meanwhile = await done()
    await other.query('commit')
    await migrating
    assert.deepEqual([meanwhile, await done()], [[1_000_001], [1_000_001, locked]])
  })
}
