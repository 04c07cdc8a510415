import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { test, type Test } from 'tap'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { chooseOsUser, giveTo } from '../../../src/platform/database/embedded/os_user.ts'
import { migrate } from '../../../src/platform/database/migrate.ts'
import { until } from '../../media/attachments/media_fixtures.ts'
import { createTestDatabase, execute } from '../../support/database.ts'
import { person } from '../../support/people.ts'
import { freePort } from '../../support/port.ts'
import { startProgram } from '../../support/program.ts'
import { startServer } from '../../support/server.ts'

/** PostgreSQL's own values where they are bad for us, and a zone of the system. */
const FOREIGN = {
  jit: 'on',
  random_page_cost: '4',
  max_parallel_workers_per_gather: '2',
  idle_in_transaction_session_timeout: '0',
  client_connection_check_interval: '0',
  TimeZone: 'Europe/Berlin',
}

test('each connection has the settings that statements need, whatever the server has', async t => {
  const { url } = await createTestDatabase(t)
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of Object.entries(FOREIGN)) {
    await execute(url, `alter database ${name} set ${setting} = '${value}'`)
  }
  const read = `select name, setting from pg_settings where name in ('${Object.keys(FOREIGN).join("','")}')`
  const found = (rows: { name?: unknown; setting?: unknown }[]): object =>
    Object.fromEntries(rows.map(row => [String(row.name), row.setting]))
  assert.deepEqual(found(await execute(url, read)), FOREIGN)

  const database = openDatabase({ connection: { connectionString: url }, poolSize: 2 })
  t.after(() => database.close())
  const ask = (): Promise<object> =>
    database.withClient(async client => found((await client.query<{ name: string; setting: string }>(read)).rows))
  const wanted = {
    jit: 'off',
    random_page_cost: '1.1',
    max_parallel_workers_per_gather: '0',
    idle_in_transaction_session_timeout: '60000',
    client_connection_check_interval: '5000',
    TimeZone: 'UTC',
  }
  assert.deepEqual(await Promise.all([ask(), ask()]), [wanted, wanted])
})

test('a statement without an answer is cancelled', async t => {
  const { url } = await createTestDatabase(t)
  const database = openDatabase({ connection: { connectionString: url }, poolSize: 1 })
  t.after(() => database.close())
  const statement = { text: 'select pg_sleep(600)', query_timeout: 300 }
  await assert.rejects(database.withClient(client => client.query(statement)))
  const running = `select from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`
  assert.equal((await execute(url, running)).length, 1)
  await until(
    () => execute(url, running),
    rows => rows.length === 0,
    'the statement to be cancelled',
  )
})

test('a collation that has changed since the database was made is an error in the log', async t => {
  const { url } = await createTestDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-collation-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const message = 'texts are sorted differently than when the database was made'
  const said = async (): Promise<unknown[]> => {
    const program = await startProgram(t, { DATABASE_URL: url, DATA_DIR: folder })
    await program.logged('listening')
    program.kill('SIGTERM')
    await program.ended()
    return program.log.filter(({ msg }) => String(msg).startsWith(message)).map(({ stored }) => stored)
  }
  assert.deepEqual(await said(), [])
  await execute(url, `update pg_database set datcollversion = '0' where datname = current_database()`)
  assert.deepEqual(await said(), ['0'])
})

test('a database without statistics, such as a restored one, gets them at the start', async t => {
  const { url } = await createTestDatabase(t)
  await execute(url, `insert into tags (name, display_name) select 't' || n, 't' || n from generate_series(1, 1000) n`)
  const known = `select count(*)::int as columns from pg_stats where tablename = 'tags'`
  assert.deepEqual(await execute(url, known), [{ columns: 0 }])
  await migrate({ connectionString: url }, () => {})
  const [row] = await execute(url, known)
  assert.notEqual(row?.['columns'], 0)
  const said: string[] = []
  await migrate({ connectionString: url }, message => void said.push(message))
  assert.deepEqual(said, [], 'what is known is not asked again')
})

const DISTRIBUTED = '/usr/lib/postgresql'

/**
 * The newest PostgreSQL that Debian's packages have brought, of the oldest version that we take or
 * newer.
 */
function findStock(): string | undefined {
  const versions = existsSync(DISTRIBUTED) ? readdirSync(DISTRIBUTED).map(Number) : []
  const newest = Math.max(...versions.filter(version => version >= 15))
  const folder = join(DISTRIBUTED, String(newest), 'bin')
  return existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')) ? folder : undefined
}

/**
 * A cluster of that PostgreSQL as `initdb` makes it, until the test ends: the URL of its database.
 */
async function startStock(t: Test, programs: string): Promise<string> {
  const top = mkdtempSync(join(tmpdir(), 'millrace-stock-'))
  const [folder, port, account] = [join(top, 'data'), await freePort(), chooseOsUser(top)]
  mkdirSync(folder)
  if (account) giveTo(account, top)
  const how = { cwd: top, stdio: 'pipe', ...account } as const
  const options = ['-D', folder, '-U', 'stock', '--auth', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync']
  const made = spawnSync(join(programs, 'initdb'), options, { ...how, encoding: 'utf8' })
  assert.equal(made.status, 0, made.stderr)
  const listening = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const child = spawn(join(programs, 'postgres'), ['-D', folder, '-p', String(port), ...listening], {
    ...how,
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGINT')
    await ended
    rmSync(top, { recursive: true, force: true })
  })
  const url = `postgres://stock@127.0.0.1:${port}/postgres`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`)
    try {
      await execute(url, 'select 1')
      return url
    } catch (error) {
      const isStarting = error instanceof pg.DatabaseError && error.code === '57P03'
      const isClosed = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
      if (!isStarting && !isClosed) throw error
      await setImmediate()
    }
  }
}

const stock = findStock()

test(
  "a distribution's PostgreSQL will do as it is installed",
  { skip: stock === undefined && 'none is installed' },
  async t => {
    const databaseUrl = await startStock(t, stock ?? '')
    const server = await startServer(t, { databaseUrl })
    const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
    await bob.post(`/api/v1/accounts/${alice.id}/follow`)
    const status = await alice.postStatus('good morning @bob')
    const home = await bob.get('/api/v1/timelines/home')
    assert.deepEqual(
      (home.json as { id: string }[]).map(one => one.id),
      [status.id],
    )
    const found = await alice.get('/api/v2/search?q=morning&type=statuses')
    assert.equal((found.json as { statuses: unknown[] }).statuses.length, 1)
  },
)
