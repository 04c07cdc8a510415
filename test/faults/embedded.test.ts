import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { chooseTemporaryFolder, connectionUrl } from '../support/cluster.ts'
import { execute } from '../support/database.ts'
import { person, type Person } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'
import { startReader } from '../support/resuming_reader.ts'
import type { ServerAddress } from '../support/server.ts'

/* A server whose embedded PostgreSQL is killed, as the kernel does when memory runs out. */

const ENDED = 'embedded PostgreSQL exited unexpectedly; restarting it'
const RUNS = 'embedded PostgreSQL was restarted'
const FAILED = 'could not restart the embedded PostgreSQL; trying again later'
const ERROR = 50
const WAIT_MS = 60_000

interface Running {
  readonly program: Program
  readonly server: ServerAddress
  readonly folder: string
}

async function start(t: Test, env: Record<string, string> = {}): Promise<Running> {
  const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-killed-'))
  t.after(async () => {
    await stopAbandoned(folder, () => {})
    rmSync(folder, { recursive: true, force: true })
  })
  const program = await startProgram(t, { DATA_DIR: folder, ...env })
  await program.logged('listening')
  const password = readFileSync(join(folder, 'postgres.password'), 'utf8')
  const host = join(folder, 'postgres')
  const databaseUrl = connectionUrl({ host, port: 5432, user: 'millrace', password, database: 'millrace' })
  return { program, folder, server: { url: program.url, databaseUrl } }
}

function postmaster({ folder }: Running): number {
  try {
    return Number.parseInt(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10) || 0
  } catch {
    return 0 // not running at present
  }
}

const linesOf = ({ program }: Running, message: string): Record<string, unknown>[] =>
  program.log.filter(({ msg }) => msg === message)

/** Retries until the condition holds. */
async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; !(await holds()); await new Promise(done => setImmediate(done)))
    assert.ok(Date.now() < end, what)
}

/** Posts until that succeeds; other responses must be 503. */
async function sayAtLast(who: Person, status: string): Promise<string> {
  let id = ''
  await until('nothing can be posted', async () => {
    const response = await who.post('/api/v1/statuses', { status })
    if (response.status === 200) ({ id } = response.json as { id: string })
    else assert.equal(response.status, 503, response.text)
    return id !== ''
  })
  return id
}

async function restarts(who: Person): Promise<number> {
  const { text } = await who.get('/metrics', {}, { connection: 'close' })
  return Number(/^millrace_database_restarts (\d+)$/m.exec(text)?.[1])
}

for (const workers of ['1', '2']) {
  test(`a killed PostgreSQL is restarted automatically, WORKERS=${workers}`, async t => {
    const running = await start(t, { WORKERS: workers, DATABASE_POOL: '4' })
    const { program, server } = running
    const [author, reader] = await Promise.all([person(server, 'author'), person(server, 'reader')])
    await reader.follow(author)
    const first = await reader.stream('user', { last_event_id: '' })
    await author.postStatus('before')
    const { id: from = '' } = await first.next('update')
    await first.close()
    const stream = await startReader(t, server, reader, { stream: 'user', from, transport: 'websocket' })
    assert.equal(await restarts(author), 0)

    process.kill(postmaster(running), 'SIGKILL')
    const ended = await program.logged(ENDED)
    assert.deepEqual([ended['level'], ended['signal'], ended['code']], [ERROR, 'SIGKILL', null])
    assert.match(String(ended['likelyCause']), /killed.*memory/)
    await program.logged(RUNS)
    const id = await sayAtLast(author, 'after')
    await stream.inbox.takeUntil(`status ${id}`, ({ payload }) => (JSON.parse(payload) as { id: string }).id === id)
    assert.equal(await restarts(author), 1)

    program.kill('SIGTERM')
    assert.deepEqual(await program.ended(), { code: 0, signal: null })
    assert.equal(postmaster(running), 0, 'PostgreSQL was not shut down in order')
  })
}

test('a PostgreSQL that is killed during its restart is restarted again', async t => {
  const running = await start(t)
  const author = await person(running.server, 'author')
  const first = postmaster(running)
  process.kill(first, 'SIGKILL')
  await until('it was not started again', () => ![0, first].includes(postmaster(running)))
  process.kill(postmaster(running), 'SIGKILL')
  await sayAtLast(author, 'after')
  assert.ok((await restarts(author)) >= 1)
})

test('a PostgreSQL that cannot start is retried after growing pauses, and the server reports why', async t => {
  const running = await start(t)
  const author = await person(running.server, 'author')
  const control = join(running.folder, 'postgres', 'global', 'pg_control')
  renameSync(control, `${control}.away`)
  process.kill(postmaster(running), 'SIGKILL')
  await running.program.logged(ENDED)
  await until('it was not tried', () => linesOf(running, FAILED).length >= 3)
  const failures = linesOf(running, FAILED)
  for (const failure of failures) {
    assert.equal(failure['level'], ERROR)
    assert.match((failure['err'] as { message: string }).message, /does not start .*pg_control/s)
  }
  const waits = failures.map(failure => Number(failure['waitMs']))
  for (const [index, wait] of waits.slice(1).entries()) assert.equal(wait, (waits[index] ?? 0) * 2)
  assert.equal((await author.get('/health', {}, { connection: 'close' })).status, 503)
  renameSync(`${control}.away`, control)
  await running.program.logged(RUNS)
  await sayAtLast(author, 'after')
  assert.equal(await restarts(author), 1)
})

test('a killed backend of PostgreSQL does not restart the server', async t => {
  const running = await start(t)
  const author = await person(running.server, 'author')
  const pid = postmaster(running)
  const [session] = await execute(
    running.server.databaseUrl,
    `select a.pid from pg_stat_activity a where a.datname = 'millrace' and a.application_name = 'millrace' limit 1`,
  )
  process.kill(Number(session?.['pid']), 'SIGKILL')
  await sayAtLast(author, 'after')
  assert.equal(postmaster(running), pid)
  assert.equal(await restarts(author), 0)
  assert.deepEqual(linesOf(running, ENDED), [])
})
