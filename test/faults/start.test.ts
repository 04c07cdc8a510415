import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

test('an empty folder is enough to start, and Ctrl-C stops everything', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, { DATA_DIR: folder })
  const { durationMs } = await program.logged('listening')
  t.comment(`first start: ${String(durationMs)} ms`)
  const response = await fetch(`${program.url}/api/v2/instance`)
  assert.equal(response.status, 200)
  await response.text()
  const postgres = postmasterPid(folder)
  assert.ok(isRunning(postgres))

  program.interrupt()
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  assert.equal(isRunning(postgres), false, 'PostgreSQL runs on')
  assert.equal(existsSync(postmasterFile(folder)), false, 'PostgreSQL was not shut down in order')
  assert.deepEqual(complaints(program), [])
  assert.match(program.errors, /^\s*Millrace listens on http:\/\/127\.0\.0\.1:\d+/)

  const second = await startProgram(t, { DATA_DIR: folder })
  t.comment(`second start: ${String((await second.logged('listening'))['durationMs'])} ms`)
  second.kill('SIGTERM')
  assert.deepEqual(await second.ended(), { code: 0, signal: null })
  assert.equal(existsSync(postmasterFile(folder)), false)
})

test('a server that was killed starts again with all that it had acknowledged', async t => {
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

test('what is wrong in the environment is told all at once, a line each, and nothing is started', async t => {
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

test('a database that cannot be reached is one clear line', async t => {
  const folder = makeFolder(t)
  const program = await startProgram(t, {
    DATA_DIR: folder,
    DATABASE_URL: `postgres://nobody@localhost:1/nothing?host=${encodeURIComponent(folder)}`,
  })
  const { code } = await program.ended()
  assert.equal(code, 1)
  const lines = program.errors.trimEnd().split('\n')
  assert.equal(lines.length, 1, program.errors)
  assert.match(program.errors, /\.s\.PGSQL\.1|refused|ENOENT/)
})
