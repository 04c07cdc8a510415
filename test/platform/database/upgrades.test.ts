import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { test } from 'tap'
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

/** Tables that a later release has replaced, and by what. */
const REPLACED: Readonly<Record<string, string>> = {
  activity_days: 'day_counters',
}

type Row = Readonly<Record<string, unknown>>

async function readTable(client: pg.Client, table: string): Promise<Row[]> {
  const { rows } = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${table} t`)
  return rows.map(({ row }) => row)
}

/** A row without the columns that it did not have, as text. */
const textOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map(name => row[name]))

for (const [name, state] of readStates()) {
  test(`an upgrade from ${name} keeps every row`, async t => {
    const { url } = await createEmptyDatabase(t)
    const connection = { connectionString: url }
    await migrateJobs(connection, quiet)
    const client = new pg.Client(connection)
    await client.connect()
    t.after(() => client.end())
    await migrate(connection, silent, { only: state })
    const before = new Map<string, Row[]>()
    for (const table of await fillTables(client)) before.set(table, await readTable(client, table))
    assert.ok(before.size > 50)

    const { applied } = await migrate(connection, silent)
    assert.ok(applied.length > 0 || name !== 'the first schema')
    for (const [table, rows] of before) {
      assert.ok(rows.length > 0, `${table} was empty`)
      if (REPLACED[table] !== undefined) continue
      const after = await readTable(client, table)
      const columns = Object.keys(rows[0] ?? {}).filter(column => column in (after[0] ?? {}))
      const kept = new Set(after.map(row => textOf(row, columns)))
      for (const row of rows) assert.ok(kept.has(textOf(row, columns)), `${table} lost ${JSON.stringify(row)}`)
    }
    assert.deepEqual(await migrate(connection, silent), { applied: [], functions: [] })
  })
}
