import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../src/platform/database/embedded/index.ts'
import { identifyProcess } from '../../src/platform/database/embedded/process.ts'
import { chooseTemporaryFolder } from '../support/cluster.ts'
import { startProgram, type Program } from '../support/program.ts'

/** A folder for DATA_DIR; its PostgreSQL is stopped after the test in any case. */
function makeFolder(t: Test): string {
  const folder = mkdtempSync(join(chooseTemporaryFolder(), 'millrace-start-'))
  t.after(async () => {
    await stopAbandoned(folder, () => {})
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const postmasterFile = (folder: string): string => join(folder, 'postgres', 'postmaster.pid')
const postmasterPid = (folder: string): number => Number.parseInt(readFileSync(postmasterFile(folder), 'utf8'), 10)
const isRunning = (pid: number): boolean => identifyProcess(pid) !== null

/** The log lines of pino's levels warn and above. */
/** The server's warnings, without the one about a missing ffmpeg. */
const complaints = (program: Program): unknown[] =>
  program.log.filter(line => Number(line['level']) >= 40 && !String(line['msg']).includes('ffmpeg'))

async function post(program: Program, path: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(`${program.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text) as Record<string, unknown>
}

test('the server starts with an empty folder, and Ctrl-C stops everything', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, { DATA_DIR: folder })
  const { durationMs } = await program.logged('listening')
  t.comment(`first start: ${String(durationMs)} ms`)
  const response = await fetch(`${program.url}/api/v2/instance`)
  assert.equal(response.status, 200)
  await response.text()
  const postgres = postmasterPid(folder)
  assert.ok(isRunning(postgres))

  program.kill('SIGHUP')
  await program.logged('ignored a signal: a changed environment needs a restart')
  assert.equal((await fetch(`${program.url}/health`)).status, 200)

  program.interrupt()
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  assert.equal(isRunning(postgres), false, 'PostgreSQL runs on')
  assert.equal(existsSync(postmasterFile(folder)), false, 'PostgreSQL was not shut down in order')
  assert.deepEqual(complaints(program), [])
  // No terminal: JSON only, one line for all migrations, and no link that makes an account.
  assert.equal(program.errors, '')
  const migrated = program.log.filter(({ msg }) => /migrat|applied/.test(String(msg)))
  assert.equal(migrated.length, 1)
  assert.ok(Number(migrated[0]?.['migrations']) > 10)
  assert.ok(program.log.some(({ command }) => command === 'ctl owner-link'))
  assert.ok(!JSON.stringify(program.log).includes('token='))

  const second = await startProgram(t, { DATA_DIR: folder })
  t.comment(`second start: ${String((await second.logged('listening'))['durationMs'])} ms`)
  second.kill('SIGTERM')
  assert.deepEqual(await second.ended(), { code: 0, signal: null })
  assert.equal(existsSync(postmasterFile(folder)), false)
})

test('a signal during the start stops PostgreSQL too', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, { DATA_DIR: folder, LOG_LEVEL: 'debug' })
  await program.logged('embedded PostgreSQL started')
  program.kill('SIGTERM')
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  assert.equal(existsSync(postmasterFile(folder)), false, 'PostgreSQL runs on, or was not shut down in order')
})

test('a killed server starts again with everything that it acknowledged', async t => {
  const folder = makeFolder(t)
  const killed = await startProgram(t, { DATA_DIR: folder })
  await killed.logged('listening')
  const redirect = 'urn:ietf:wg:oauth:2.0:oob'
  const application = await post(killed, '/api/v1/apps', { client_name: 'Tapir', redirect_uris: redirect })
  killed.kill('SIGKILL')
  assert.equal((await killed.ended()).signal, 'SIGKILL')

  const program = await startProgram(t, { DATA_DIR: folder })
  t.comment(`start after kill -9: ${String((await program.logged('listening'))['durationMs'])} ms`)
  const { token_type: tokenType } = await post(program, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: String(application['client_id']),
    client_secret: String(application['client_secret']),
    redirect_uri: redirect,
  })
  assert.equal(tokenType, 'Bearer')
  const postgres = postmasterPid(folder)
  program.interrupt()
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  assert.equal(isRunning(postgres), false, 'PostgreSQL runs on')
})

test('invalid environment variables are reported together, and nothing starts', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, {
    DATA_DIR: folder,
    PORT: 'eighty',
    PUBLIC_URL: 'example.com',
    WORKERS: '0',
    RATE_LIMITS: 'perhaps',
    LOG_LEVEL: 'loud',
  })
  assert.deepEqual(await program.ended(), { code: 78, signal: null })
  const lines = program.errors.trimEnd().split('\n')
  assert.equal(lines.length, 5, program.errors)
  for (const variable of ['PORT', 'PUBLIC_URL', 'WORKERS', 'RATE_LIMITS', 'LOG_LEVEL']) {
    assert.equal(lines.filter(line => line.startsWith(`${variable} must be `)).length, 1, program.errors)
  }
  assert.equal(existsSync(join(folder, 'postgres')), false)
})

test('an unreachable database is reported in one line, after the wait that was set', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, {
    DATA_DIR: folder,
    DATABASE_URL: `postgres://nobody:hush@localhost:1/nothing?host=${encodeURIComponent(folder)}`,
    DATABASE_WAIT_SECONDS: '1',
  })
  const { code } = await program.ended()
  assert.equal(code, 1)
  const lines = program.errors.trimEnd().split('\n')
  assert.equal(lines.length, 1, program.errors)
  assert.match(program.errors, /^DATABASE_URL: no database answers at .* after 1 s: .*(\.s\.PGSQL\.1|refused|ENOENT)/)
  assert.ok(program.log.some(({ msg }) => msg === 'the database is not up yet; waiting for it'))
  assert.doesNotMatch(program.errors + JSON.stringify(program.log), /hush/)
})

test('what the settings refer to is checked before anything starts, and a misspelt name is a warning', async t => {
  const folder = makeFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const program = await startProgram(t, {
    DATA_DIR: join(file, 'data'),
    BACKUP_DIR: join(file, 'backups'),
    BIND: '192.0.2.1',
    DATABASE_URL: `postgres://mill:hush@localhost/mill?sslmode=verify-full&sslrootcert=${folder}/none.pem`,
    SMTP_ULR: 'smtp://me:hush@mail.example',
  })
  assert.deepEqual(await program.ended(), { code: 78, signal: null })
  const lines = program.errors.trimEnd().split('\n')
  assert.equal(lines.length, 4, program.errors)
  assert.match(program.errors, /^DATA_DIR must be a folder, but .*file is none$/m)
  assert.match(program.errors, /^BACKUP_DIR must be a folder, but .*file is none$/m)
  assert.match(
    program.errors,
    /^DATABASE_URL needs sslrootcert to be a file that can be read: .*none\.pem \(ENOENT\)$/m,
  )
  assert.match(program.errors, /^BIND: cannot listen on 192\.0\.2\.1:\d+: this machine does not have the address$/m)
  const warning = program.log.find(({ msg }) => String(msg).includes('there is no such setting'))
  assert.deepEqual([warning?.['variable'], warning?.['nearest']], ['SMTP_ULR', 'SMTP_URL'])
  assert.doesNotMatch(program.errors + JSON.stringify(program.log), /hush/)
})

test('a taken port is reported before the database starts, and a free one can be chosen', async t => {
  const folder = makeFolder(t)
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise<void>(resolve => other.close(() => resolve())))
  const address = other.address()
  assert.ok(address !== null && typeof address === 'object')
  const refused = await startProgram(t, { DATA_DIR: folder, PORT: String(address.port) })
  assert.equal((await refused.ended()).code, 1)
  assert.match(refused.errors, /^cannot listen on 127\.0\.0\.1:\d+: another program is using the port\n$/)
  assert.equal(existsSync(join(folder, 'postgres')), false)

  const free = await startProgram(t, { DATA_DIR: folder, PORT: '0', PUBLIC_URL: '' })
  const { url } = await free.logged('listening')
  assert.match(String(url), /^http:\/\/localhost:[1-9]\d*$/)
  assert.equal((await fetch(`${String(url).replace('localhost', '127.0.0.1')}/health`)).status, 200)
})
