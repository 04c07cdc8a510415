import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { test, type Test } from 'tap'
import { startEmbedded, stopAbandoned, type Embedded } from '../../../src/platform/database/embedded/index.ts'
import { canReach, type OsUser } from '../../../src/platform/database/embedded/os_user.ts'
import { identifyProcess } from '../../../src/platform/database/embedded/process.ts'
import { chooseTemporaryFolder, connectionUrl } from '../../support/cluster.ts'
import { execute } from '../../support/database.ts'
import { until } from '../../media/attachments/media_fixtures.ts'

const holder = fileURLToPath(new URL('../../support/hold_cluster.ts', import.meta.url))
const nobody: OsUser = { uid: 65534, gid: 65534 }
const isRoot = process.getuid?.() === 0
const log = (): void => {}

/** Processes and clusters that the current test has started. */
const started: Embedded[] = []

/**
 * A new folder whose cluster is stopped and removed after the test, even if its process was killed.
 */
function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-embedded-'))
  t.after(async () => {
    for (const embedded of started.splice(0)) await embedded.close()
    await stopAbandoned(folder, log)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

async function start(dataDir: string): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log, extraSettings: { fsync: 'off' } })
  started.push(embedded)
  return embedded
}

function spawnHolder(t: Test, folder: string, account?: OsUser): ChildProcess {
  const child = spawn(process.execPath, [holder, folder], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...account,
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Starts a process that uses the folder's cluster, and waits until it is ready. */
async function hold(t: Test, folder: string, account?: OsUser): Promise<ChildProcess> {
  const child = spawnHolder(t, folder, account)
  assert.ok(child.stdout)
  const lines = createInterface(child.stdout)
  const ended = once(child, 'exit').then(() => assert.fail('the holder ended before it was ready'))
  await Promise.race([once(lines, 'line'), ended])
  return child
}

function postmasterPid(folder: string): number {
  return Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

const isRunning = (pid: number): boolean => identifyProcess(pid) !== null

const sql = (embedded: Embedded, statement: string): Promise<Record<string, unknown>[]> =>
  execute(connectionUrl(embedded.connection), statement)

test('written data survives a stop and a start', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  await sql(first, 'create table saved as select 1 as one')
  const pid = postmasterPid(folder)
  await Promise.all([first.close(), first.close()])
  assert.equal(isRunning(pid), false)

  const second = await start(folder)
  assert.deepEqual(await sql(second, 'select one from saved'), [{ one: 1 }])
  assert.deepEqual(second.connection, first.connection)
})

test('what the shared buffers held is loaded again after a start', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  await sql(first, 'create extension pg_buffercache')
  // Nothing else reads it, not even the autovacuum.
  await sql(first, 'create table saved with (autovacuum_enabled = off) as select n from generate_series(1, 10000) n')
  await sql(first, 'checkpoint')
  await first.close()

  const second = await start(folder)
  const pages = `select count(*)::integer as count from pg_buffercache where relfilenode = pg_relation_filenode('saved')`
  await until(
    () => sql(second, pages),
    ([row]) => Number(row?.['count']) >= 40,
    'the pages of the table',
  )
})

/** The resident memory of a process in pages that it does not share. */
function privatePages(pid: number): number {
  const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number)
  return resident - shared
}

const hasProc = existsSync('/proc/self/statm')

test('a connection returns the memory that a large statement needed', { skip: !hasProc && 'needs /proc' }, async t => {
  const embedded = await start(makeFolder(t))
  const client = new pg.Client({ connectionString: connectionUrl(embedded.connection) })
  await client.connect()
  t.after(() => client.end())
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  await client.query('select 1')
  const before = privatePages(pid)
  // After the first one, malloc would take the memory for the next from its heap, and keep it.
  for (const megabytes of [25, 20, 20]) await client.query(`select length(repeat(repeat('x', 1000000), ${megabytes}))`)
  const gained = ((privatePages(pid) - before) * 4096) / 1e6
  assert.ok(gained < 5, `it holds ${gained} MB more`)
})

test('the cluster is UTF-8, has checksums, the same sort order everywhere, and a password that only its owner can read', async t => {
  const folder = makeFolder(t)
  const embedded = await start(folder)
  assert.equal(statSync(join(folder, 'postgres.password')).mode & 0o777, 0o600)
  const rows = await sql(
    embedded,
    `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums, upper('é') as upper,
      (select datctype from pg_database where datname = current_database()) as letters, 'B' < 'a' as by_code, current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as tcp`,
  )
  assert.deepEqual(rows, [
    { encoding: 'UTF8', checksums: 'on', upper: 'É', letters: 'C.UTF-8', by_code: true, commit: 'on', tcp: '' },
  ])
  await assert.rejects(
    execute(connectionUrl({ ...embedded.connection, password: 'wrong' }), 'select 1'),
    /password authentication failed/,
  )
})

test('a cluster whose process was killed is joined, and stopped by the process that joined', async t => {
  const folder = makeFolder(t)
  const child = await hold(t, folder)
  const pid = postmasterPid(folder)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(isRunning(pid))

  const joined = await start(folder)
  assert.equal(postmasterPid(folder), pid)
  assert.deepEqual(await sql(joined, 'select 1 as one'), [{ one: 1 }])
  await joined.close()
  assert.equal(isRunning(pid), false)
})

test('Ctrl-C in the terminal does not reach PostgreSQL', async t => {
  const folder = makeFolder(t)
  const child = await hold(t, folder)
  const pid = postmasterPid(folder)
  assert.ok(child.pid)
  process.kill(-child.pid, 'SIGINT') // what a terminal does: to the whole process group
  await once(child, 'exit')
  await start(folder)
  assert.equal(postmasterPid(folder), pid)
})

test('processes that start at the same instant share one cluster, and the last one stops it', async t => {
  const folder = makeFolder(t)
  const [first, second, ours] = await Promise.all([hold(t, folder), hold(t, folder), start(folder)])
  const pid = postmasterPid(folder)
  first.stdin?.end()
  await once(first, 'exit')
  assert.deepEqual(await sql(ours, 'select 1 as one'), [{ one: 1 }])
  await ours.close()
  assert.ok(isRunning(pid))
  second.stdin?.end()
  await once(second, 'exit')
  assert.equal(isRunning(pid), false)
})

test('a process that is killed while it creates the cluster leaves nothing behind that prevents a start', async t => {
  const folder = makeFolder(t)
  const watcher = watch(folder)
  t.after(() => watcher.close())
  const child = spawnHolder(t, folder)
  while (!existsSync(join(folder, 'postgres.unfinished'))) await once(watcher, 'change')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(existsSync(join(folder, 'postgres.lock')))

  const embedded = await start(folder)
  assert.deepEqual(await sql(embedded, 'select 1 as one'), [{ one: 1 }])
  assert.equal(existsSync(join(folder, 'postgres.unfinished')), false)
})

test('a pid file whose pid now belongs to another process does not prevent a start', async t => {
  const folder = makeFolder(t)
  await (await start(folder)).close()
  const content = [process.pid, join(folder, 'postgres'), 1, 5432, '.', '', '', 'ready   '].join('\n')
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), content)
  const embedded = await start(folder)
  assert.notEqual(postmasterPid(folder), process.pid)
  await embedded.close()
})

test('PostgreSQL that was killed recovers at the next start', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  await sql(first, 'create table saved as select 1 as one')
  const pid = postmasterPid(folder)
  process.kill(pid, 'SIGKILL')
  const second = await start(folder)
  assert.notEqual(postmasterPid(folder), pid)
  assert.deepEqual(await sql(second, 'select one from saved'), [{ one: 1 }])
  await Promise.all([first.close(), second.close()])
})

test('a killed PostgreSQL is restarted by one of its users and joined by the others', async t => {
  const folder = makeFolder(t)
  const first = await start(folder)
  const second = await start(folder)
  const holder = await hold(t, folder)
  const pid = postmasterPid(folder)
  process.kill(pid, 'SIGKILL')
  for (
    const until = Date.now() + 60_000;
    first.restarts() + second.restarts() < 2;
    await sql(second, 'select 1').catch(log)
  )
    assert.ok(Date.now() < until, 'it does not run again')
  assert.notEqual(postmasterPid(folder), pid)
  await first.close()
  assert.deepEqual(await sql(second, 'select 1 as one'), [{ one: 1 }])
  holder.stdin?.end()
  await once(holder, 'exit')
  assert.deepEqual(await sql(second, 'select 1 as one'), [{ one: 1 }])
  const last = postmasterPid(folder)
  await second.close()
  assert.equal(isRunning(last), false)
})

test('a cluster without its password, or of another version, is refused with one line', async t => {
  const folder = makeFolder(t)
  await (await start(folder)).close()
  const password = readFileSync(join(folder, 'postgres.password'))
  rmSync(join(folder, 'postgres.password'))
  await assert.rejects(start(folder), /postgres\.password.* cannot be read/)
  assert.equal(existsSync(join(folder, 'postgres', 'postmaster.pid')), false)
  writeFileSync(join(folder, 'postgres.password'), password)
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '12\n')
  await assert.rejects(start(folder), /was created by PostgreSQL 12/)
})

test('a path that is too long for a socket works', async t => {
  const folder = join(makeFolder(t), 'x'.repeat(100))
  const embedded = await start(folder)
  assert.deepEqual(await sql(embedded, 'select 1 as one'), [{ one: 1 }])
})

test('root: a folder that other users may not enter works', { skip: !isRoot && 'needs root' }, async t => {
  const closed = join(makeFolder(t), 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const folder = join(closed, 'data')
  const child = await hold(t, folder)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const joined = await start(folder)
  const pid = postmasterPid(folder)
  assert.deepEqual(await sql(joined, 'select 1 as one'), [{ one: 1 }])
  await joined.close()
  assert.equal(isRunning(pid), false)
})

const cannotBeNobody =
  (!isRoot && 'needs root') || (!canReach(dirname(holder), nobody) && 'the code is out of reach for others')
test('root joins the cluster of another user, and leaves it as that user’s', { skip: cannotBeNobody }, async t => {
  const folder = makeFolder(t)
  chownSync(folder, nobody.uid, nobody.gid)
  chmodSync(folder, 0o700)
  const child = await hold(t, folder, nobody)
  const joined = await start(folder)
  child.stdin?.end()
  await once(child, 'exit')
  await joined.close()
  await (await start(folder)).close()
  const again = await hold(t, folder, nobody)
  assert.equal(statSync(join(folder, 'postgres')).uid, nobody.uid)
  again.stdin?.end()
  await once(again, 'exit')
})
