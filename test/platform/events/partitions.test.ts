import assert from 'node:assert/strict'
import type pg from 'pg'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { maintainLog } from '../../../src/platform/events/index.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connect, idsOf, openLog, take, write } from './log.ts'

const DAY_MS = 86_400_000

async function open(t: Test) {
  const { url } = await createTestDatabase(t)
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 4 })
  t.after(() => database.close())
  return { url, database, client: await connect(t, url) }
}

async function partitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by name`,
  )
  return rows.map(row => row.name)
}

async function partitionOf(client: pg.Client, id: string): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select tableoid::regclass::text as name from events where id = $1`,
    [id],
  )
  return rows[0]?.name
}

test('an open log has partitions for this hour and the next ones', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  assert.equal((await partitions(client)).length, 1 + 7)
  const came = take(log.log$, 1)
  const id = await write(client)
  assert.match((await partitionOf(client, id)) ?? '', /^events_\d{10}$/)
  assert.deepEqual(idsOf(await came), [id])
})

test('partitions use the index of the log', async t => {
  const { url } = await openLog(t)
  const client = await connect(t, url)
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_inherits where inhparent = 'events_cursor'::regclass`,
  )
  assert.equal(rows[0]?.count, 8)
})

test('any number of processes may maintain the log at once', async t => {
  const { url, client } = await open(t)
  const databases = Array.from({ length: 6 }, () =>
    openDatabase({ connection: { connectionString: url }, poolSize: 1 }),
  )
  t.after(() => Promise.all(databases.map(database => database.close())))
  const done = await Promise.all(databases.map(database => maintainLog(database)))
  assert.equal(
    done.reduce((sum, { made }) => sum + made, 0),
    7,
  )
  assert.equal((await partitions(client)).length, 8)
})

test('old partitions are dropped, recent ones stay', async t => {
  const { database, client } = await open(t)
  await client.query('select make_event_partition(ahead) from generate_series(-30, -20) ahead')
  const { dropped } = await maintainLog(database, { keepMs: DAY_MS })
  const ages = dropped.length
  assert.ok(ages === 5 || ages === 6, dropped.join(' '))
  const left = await partitions(client)
  assert.equal(left.length, 1 + 11 - ages + 7)
  assert.deepEqual(
    dropped.filter(name => left.includes(name)),
    [],
  )
  assert.deepEqual((await maintainLog(database, { keepMs: DAY_MS })).dropped, [])
})

test('events without a partition are read, stored, and removed with age', async t => {
  const { database, client } = await open(t)
  const id = await write(client)
  assert.equal(await partitionOf(client, id), 'events_default')
  const first = await maintainLog(database, { aheadHours: 1 })
  // The hour of the event gets no partition (unless the hour has just turned: then both are
  // created).
  assert.ok(first.made >= 1)
  assert.equal(first.removed, 0)
  assert.equal(await partitionOf(client, id), 'events_default')
  await client.query(`insert into events (kind, created_at) values ('test.done', now() - interval '2 days')`)
  assert.equal((await maintainLog(database)).removed, 1)
  assert.equal(await partitionOf(client, id), 'events_default')
})

test('a session that reads the whole log blocks no writer; the drop is left to the next run', async t => {
  const { url, database, client } = await open(t)
  await client.query('select make_event_partition(-30)')
  const dump = await connect(t, url)
  await dump.query('begin')
  await dump.query('lock table events in access share mode')
  const writer = await connect(t, url)
  await writer.query(`set lock_timeout = '3s'`)
  await assert.rejects(maintainLog(database), { name: 'ApiError' })
  await write(writer)
  await dump.query('commit')
  assert.equal((await maintainLog(database)).dropped.length, 1)
})
