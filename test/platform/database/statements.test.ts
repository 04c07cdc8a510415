import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { ApiError } from '../../../src/core/errors.ts'
import { c, openDatabase, type Columns, type Database, type Query } from '../../../src/platform/database/index.ts'
import { createTestDatabase, execute } from '../../support/database.ts'

/** As `query` declares a file of sql/queries. */
function statement<const P extends Columns, const R extends Columns>(
  text: string,
  parameters: P,
  columns: R,
  options: { pipelined?: boolean } = {},
): Query<P, R> {
  const order = Object.keys(parameters) as (keyof P & string)[]
  return {
    name: text.slice(0, 63),
    text,
    parameters,
    columns,
    order,
    pipelined: false,
    returnsAllEvents: false,
    ...options,
  }
}

async function open(t: Test, poolSize = 2): Promise<{ database: Database; url: string }> {
  const { url } = await createTestDatabase(t)
  const database = openDatabase({ connection: { connectionString: url }, poolSize })
  t.after(() => database.close())
  return { database, url }
}

const session = statement(
  'select pg_backend_pid() as pid, $1::text as name',
  { name: c.text },
  {
    pid: c.integer,
    name: c.text,
  },
)
const quick = statement(
  'select pg_backend_pid() as pid, now() as at, 6 / $1::integer as quotient',
  { divisor: c.integer },
  { pid: c.integer, at: c.timestamp, quotient: c.integer },
  { pipelined: true },
)

test('parameters and columns of all types arrive as they were sent', async t => {
  const { database } = await open(t)
  const columns = {
    id: c.id,
    ids: c.ids,
    number: c.integer,
    numbers: c.integers,
    float: c.float,
    floats: c.floats,
    yes: c.boolean,
    word: c.text,
    words: c.texts,
    at: c.timestamp,
    day: c.date,
    bytes: c.bytes,
    addresses: c.inets,
    json: c.json<unknown>(),
    nothing: c.nullable(c.text),
  }
  const selected = Object.entries(columns).map(([name, { sql }], at) => `$${at + 1}::${sql} as ${name}`)
  const echo = statement(`select ${selected.join(', ')}`, columns, columns)
  const sent = {
    id: '9223372036854775807',
    ids: ['1', '9007199254740993'],
    number: -5,
    numbers: [1, 2, 3],
    float: 0.1,
    floats: [1.5, -2],
    yes: true,
    word: 'ünïcode 🎉, "quoted" \\ and {braces}',
    words: ['', 'NULL', 'a,b', '"quoted"', String.raw`back\slash`, '{}', ' spaces ', '🎉'],
    at: new Date('2026-01-02T03:04:05.678Z'),
    day: '2026-01-02',
    bytes: Buffer.from([0, 1, 255]),
    addresses: ['192.0.2.1', '2001:db8::/32'],
    json: { text: 'a "b"', list: [1, null], nested: { yes: true } },
    nothing: null,
  }
  for (const round of [1, 2]) assert.deepEqual(await database.one(echo, sent), sent, `round ${round}`)
  const empty = { ...sent, ids: [], numbers: [], floats: [], words: [], addresses: [], json: 'text' }
  assert.deepEqual(await database.one(echo, empty), empty)
})

test('bytes are in memory of their own, of which a cache keeps no more than it counts', async t => {
  const { database } = await open(t)
  const read = statement('select $1::bytea as bytes', { bytes: c.bytes }, { bytes: c.bytes })
  const { bytes } = (await database.one(read, { bytes: Buffer.from('short') })) ?? {}
  assert.equal(bytes?.toString(), 'short')
  assert.equal(bytes?.buffer.byteLength, 5)
})

test('timestamps of all years and fractions arrive to the millisecond', async t => {
  const { database } = await open(t)
  const read = statement('select $1::text::timestamptz as at', { text: c.text }, { at: c.timestamp })
  for (const [text, expected] of [
    ['2026-11-28 14:36:01+00', '2026-11-28T14:36:01.000Z'],
    ['2026-11-28 14:36:01.5+02', '2026-11-28T12:36:01.500Z'],
    ['2026-11-28 14:36:01.057999+00', '2026-11-28T14:36:01.057Z'],
    ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
    ['1000-01-01 00:00:00+00', '1000-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999999+00', '9999-12-31T23:59:59.999Z'],
    ['0999-12-31 00:00:00+00', '0999-12-31T00:00:00.000Z'],
    ['0050-03-01 00:00:00+00', '0050-03-01T00:00:00.000Z'],
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
    ['2026-03-01 00:00:00+00 BC', '-002025-03-01T00:00:00.000Z'],
  ] as const)
    assert.equal((await database.one(read, { text }))?.at.toISOString(), expected, text)
})

test('columns may have any name', async t => {
  const { database } = await open(t)
  const columns = { 'a"b': c.integer, "c'd": c.text, [String.raw`e\f`]: c.text, 'f(g)': c.nullable(c.text) }
  const read = statement(String.raw`select 1 as "a""b", 'x' as "c'd", 'y' as "e\f", null as "f(g)"`, {}, columns)
  assert.deepEqual(await database.run(read, {}), [{ 'a"b': 1, "c'd": 'x', [String.raw`e\f`]: 'y', 'f(g)': null }])
})

test('rows are read as their own connection describes them', async t => {
  const { database, url } = await open(t)
  await execute(url, 'create table changing (value integer); insert into changing values (1)')
  const read = statement('select value from changing', {}, { value: c.json<unknown>() })
  assert.deepEqual(await database.run(read, {}), [{ value: 1 }])
  await execute(url, `alter table changing alter value type text using 'one'`)
  const later = openDatabase({ connection: { connectionString: url }, poolSize: 1 })
  t.after(() => later.close())
  assert.deepEqual(await later.run(read, {}), [{ value: 'one' }])
})

test('an error of a statement does not cost its connection', async t => {
  const { database } = await open(t, 1)
  const divide = statement('select 6 / $1::integer as quotient', { divisor: c.integer }, { quotient: c.integer })
  const before = await database.one(session, { name: 'before' })
  await assert.rejects(database.one(divide, { divisor: 0 }), /division by zero/)
  assert.deepEqual(await database.one(divide, { divisor: 2 }), { quotient: 3 })
  const wrong = statement('select $1::bigint as id', { id: c.id }, { id: c.id })
  await assert.rejects(database.one(wrong, { id: 'x' }), (error: unknown) => error instanceof ApiError)
  assert.equal((await database.one(session, { name: 'after' }))?.pid, before?.pid)
})

test('quick reads that are requested together share a transaction, and their rows are not mixed up', async t => {
  const { database } = await open(t, 4)
  for (const round of [1, 2]) {
    const rows = await Promise.all([1, 2, 3, 6].map(divisor => database.one(quick, { divisor })))
    assert.deepEqual(
      rows.map(row => row?.quotient),
      [6, 3, 2, 1],
      `round ${round}`,
    )
    assert.equal(new Set(rows.map(row => `${row?.pid} ${row?.at.toISOString()}`)).size, 1)
  }
})

test('a quick read that fails leaves the others alone', async t => {
  const { database } = await open(t)
  for (const round of [1, 2]) {
    const results = await Promise.allSettled([1, 0, 2].map(divisor => database.one(quick, { divisor })))
    const quotients = results.map(result => (result.status === 'fulfilled' ? result.value?.quotient : 'failed'))
    assert.deepEqual(quotients, [6, 'failed', 3], `round ${round}`)
  }
})

test('quick reads survive the loss of their connection', async t => {
  const { database, url } = await open(t, 1)
  const sleepy = statement(
    `select $1::text as word, pg_sleep(case when current_setting('transaction_read_only') = 'on' then 0 else 60 end)::text`,
    { word: c.text },
    { word: c.text },
    { pipelined: true },
  )
  const reading = Promise.all(['a', 'b'].map(word => database.one(sleepy, { word })))
  const end = `select count(pg_terminate_backend(pid)) as ended from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(case%' and pid <> pg_backend_pid() and state = 'active'`
  const isRead = (): Promise<boolean> => Promise.race([reading.then(() => true), setImmediate(false)])
  while (!(await isRead())) await execute(url, end)
  assert.deepEqual(
    (await reading).map(row => row?.word),
    ['a', 'b'],
  )
})

test('more quick reads than fit into one round trip are all answered', async t => {
  const { database } = await open(t)
  const divisors = Array.from({ length: 50 }, (_, at) => at + 1)
  const rows = await Promise.all(divisors.map(divisor => database.one(quick, { divisor })))
  assert.deepEqual(
    rows.map(row => row?.quotient),
    divisors.map(divisor => Math.trunc(6 / divisor)),
  )
})

const backend = statement('select pg_backend_pid() as pid', {}, { pid: c.integer })

/** Begins transactions that stay open until the returned function is called. */
async function holdConnections(database: Database, count: number): Promise<() => Promise<unknown>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const transactions: Promise<void>[] = []
  for (let left = count; left > 0; left -= 1) {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    transactions.push(
      database.transaction(async transaction => {
        await transaction.run(backend, {})
        begin()
        await ended
      }),
    )
    await begun
  }
  return () => {
    end()
    return Promise.all(transactions)
  }
}

test('statements in turn share one connection; more are opened while all are in use', async t => {
  const { database } = await open(t, 3)
  for (let left = 20; left > 0; left -= 1) await database.run(backend, {})
  assert.equal(database.statistics().total, 1)
  const release = await holdConnections(database, 2)
  assert.equal(database.statistics().total, 2)
  const pids = await Promise.all(Array.from({ length: 20 }, async () => (await database.one(backend, {}))?.pid))
  assert.equal(new Set(pids).size, 1, 'one connection was left')
  assert.equal(database.statistics().total, 3)
  await release()
})

test('a statement that waits for a connection gets the first that is free', async t => {
  const { database } = await open(t, 2)
  const releaseFirst = await holdConnections(database, 1)
  const releaseSecond = await holdConnections(database, 1)
  const waiting = Array.from({ length: 5 }, () => database.one(backend, {}))
  await releaseFirst()
  assert.equal(new Set((await Promise.all(waiting)).map(row => row?.pid)).size, 1)
  await releaseSecond()
  assert.equal(database.statistics().total, 2)
})

test('statements that wait for a connection fail when the database is closed', async t => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 5 })
  const release = await holdConnections(database, 1)
  const waiting = Promise.allSettled(Array.from({ length: 3 }, () => database.one(backend, {})))
  const closed = database.close()
  for (const { status } of await waiting) assert.equal(status, 'rejected')
  await release()
  await closed
})
