import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { test, type Test } from 'tap'
import { chooseOsUser, giveTo } from '../../../src/platform/database/embedded/os_user.ts'
import { createEmptyDatabase, execute } from '../../support/database.ts'
import { freePort } from '../../support/port.ts'
import { startProgram } from '../../support/program.ts'
import { findProgram } from '../../support/reverse_proxy.ts'
import { startDatabaseProxy } from '../../support/tcp_proxy.ts'

const pgbouncer = findProgram('pgbouncer')
const absent = pgbouncer === undefined && 'PgBouncer is not installed'

/** A PgBouncer in front of the database, until the test ends: the URL through it. */
async function startPooler(t: Test, databaseUrl: string, settings: Readonly<Record<string, string>>): Promise<string> {
  // The embedded server's socket is for its own user only.
  const database = new URL((await startDatabaseProxy(t, databaseUrl)).url)
  const [folder, port] = [mkdtempSync(join(tmpdir(), 'millrace-pooler-')), await freePort()]
  const server = {
    host: database.hostname,
    port: database.port,
    user: decodeURIComponent(database.username),
    password: decodeURIComponent(database.password),
  }
  const own = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any', ...settings }
  const write = (values: object): string[] =>
    Object.entries(values).map(([name, value]) => `${name} = ${String(value)}`)
  const file = join(folder, 'pgbouncer.ini')
  const lines = ['[databases]', `* = ${write(server).join(' ')}`, '[pgbouncer]', ...write(own)]
  writeFileSync(file, lines.join('\n'))
  const account = chooseOsUser(folder)
  if (account) giveTo(account, folder)
  const child = spawn(pgbouncer ?? '', [file], { stdio: 'ignore', ...account })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://any@127.0.0.1:${port}${database.pathname}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`)
    try {
      await execute(url, 'select 1')
      return url
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error
      await setImmediate()
    }
  }
}

const sharing: readonly Readonly<Record<string, string>>[] = [
  { pool_mode: 'transaction' },
  { pool_mode: 'transaction', server_round_robin: '1', min_pool_size: '2' },
  { pool_mode: 'transaction', default_pool_size: '1' },
  { pool_mode: 'statement' },
]

for (const settings of sharing) {
  const name = Object.entries(settings).map(entry => entry.join(' '))
  test(`the start says that PgBouncer shares connections: ${name.join(', ')}`, { skip: absent }, async t => {
    const { url } = await createEmptyDatabase(t)
    const program = await startProgram(t, { DATABASE_URL: await startPooler(t, url, settings) })
    assert.deepEqual(await program.ended(), { code: 78, signal: null })
    assert.match(program.errors, /^DATABASE_URL .*pooler.*pool_mode = session.*\n$/)
    assert.deepEqual(await execute(url, `select to_regclass('migrations') as made`), [{ made: null }])
  })
}

test('PgBouncer in session mode is as good as PostgreSQL itself', { skip: absent }, async t => {
  const { url } = await createEmptyDatabase(t)
  const settings = { pool_mode: 'session', default_pool_size: '50' }
  const program = await startProgram(t, { DATABASE_URL: await startPooler(t, url, settings) })
  await program.logged('listening')
  const response = await fetch(`${program.url}/api/v2/instance`)
  assert.equal(response.status, 200, await response.text())
})
