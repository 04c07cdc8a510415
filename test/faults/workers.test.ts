import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { WebSocket } from 'ws'
import { Client } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../support/oauth.ts'
import { person, sql } from '../support/people.ts'
import { startProgram, type Program } from '../support/program.ts'
import type { ServerAddress } from '../support/server.ts'
import { TestSocket } from '../support/socket.ts'

interface Running {
  readonly program: Program
  readonly server: ServerAddress
  readonly env: Record<string, string>
}

/** Two server processes on one port, with a separate database. */
async function startWorkers(t: Test): Promise<Running> {
  const { url: databaseUrl } = await createTestDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'millrace-workers-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, WORKERS: '2', DATABASE_POOL: '4' }
  const program = await startProgram(t, env)
  await program.logged('listening')
  return { program, env, server: { url: program.url, databaseUrl } }
}

/**
 * Request ids begin with a random part for each process; those of WebSockets are numbered
 * separately.
 */
const workerOf = (requestId: unknown): string => String(requestId).split('-')[0] ?? ''

/** Opens a WebSocket to the stream on a new connection; returns its worker too. */
async function openOn(
  server: ServerAddress,
  token: string | undefined,
  stream: string,
): Promise<{ worker: string; socket: TestSocket }> {
  const url = new URL(`/api/v1/streaming?stream=${stream}&access_token=${token ?? ''}`, server.url)
  const opening = new WebSocket(url)
  let worker = ''
  opening.once('upgrade', response => (worker = workerOf(response.headers['x-request-id'])))
  const socket = new TestSocket(opening)
  await once(opening, 'open')
  return { worker, socket }
}

/**
 * Opens sockets to a stream until each of the two workers has one: the kernel assigns connections.
 */
async function openOnBoth(
  server: ServerAddress,
  token: string | undefined,
  stream: string,
): Promise<Map<string, TestSocket>> {
  const found = new Map<string, TestSocket>()
  for (let tries = 0; found.size < 2 && tries < 64; tries += 1) {
    const { worker, socket } = await openOn(server, token, stream)
    if (found.has(worker)) await socket.close()
    else found.set(worker, socket)
  }
  assert.equal(found.size, 2, 'all connections went to one worker')
  return found
}

/** The program's warnings and errors, except slow statements: the machine may be busy. */
const warningsOf = (program: Program): Program['log'] =>
  program.log.filter(line => Number(line['level']) >= 40 && line['msg'] !== 'slow query')

test('a write by one worker is streamed and read by both', async t => {
  const { server, program } = await startWorkers(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  await alice.follow(bob)
  const sockets = await openOnBoth(server, alice.token, 'user')
  const writers = new Set<string>()
  // Each response comes from the worker of its connection; new connections until both workers have
  // posted.
  for (let tries = 0; writers.size < 2 && tries < 64; tries += 1) {
    const answer = await bob.post('/api/v1/statuses', { status: `number ${tries}` }, { connection: 'close' })
    assert.equal(answer.status, 200, answer.text)
    writers.add(workerOf(answer.headers.get('x-request-id')))
    const { id } = answer.json as { id: string }
    for (const socket of sockets.values()) {
      await socket.next('update', ({ payload }) => (payload as { id: string }).id === id)
    }
    // An edit: no worker may show or stream its earlier rendering.
    const edited = await bob.request('PUT', `/api/v1/statuses/${id}`, {
      body: { status: `changed ${tries}` },
      headers: { connection: 'close' },
    })
    assert.equal(edited.status, 200, edited.text)
    for (const socket of sockets.values()) {
      const { payload } = await socket.next('status.update')
      assert.match((payload as { content: string }).content, new RegExp(`changed ${tries}<`))
    }
  }
  assert.equal(writers.size, 2, 'all writes went to one worker')
  for (const socket of sockets.values()) await socket.close()
  assert.deepEqual(warningsOf(program), [])
})

test('a worker that is started again from newer files than the database serves nothing', async t => {
  const { server, program } = await startWorkers(t)
  const alice = await person(server, 'alice')
  const applied = await sql(
    server,
    `delete from migrations where name = (select max(name) from migrations) returning *`,
  )
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(program.pid)], { encoding: 'utf8' })
  const killed = Number(/^ *(\d+) .*worker\.ts/m.exec(children)?.[1])
  assert.ok(killed > 0, children)
  process.kill(killed, 'SIGKILL')
  const refused = await program.logged('a worker could not start')
  assert.match(
    JSON.stringify(refused),
    /the database lacks \d{4}_\w+, because the files were replaced: run `ctl restart`/,
  )
  assert.equal((await alice.get('/api/v1/timelines/home', {}, { connection: 'close' })).status, 200)

  await sql(server, 'insert into migrations select * from json_populate_recordset(null::migrations, $1::json)', [
    JSON.stringify(applied),
  ])
  // It is tried again, until it serves beside the other one.
  const workers = new Set<string>()
  while (workers.size < 2) {
    const { worker, socket } = await openOn(server, alice.token, 'user')
    workers.add(worker)
    await socket.close()
  }
})

test('the metrics of each worker include both', async t => {
  const { server, program } = await startWorkers(t)
  const alice = await person(server, 'alice')
  const sockets = await openOnBoth(server, alice.token, 'public')
  for (let count = 0; count < 8; count += 1) {
    // The kernel decides which worker gets a new connection.
    const { text } = await alice.get('/metrics', {}, { connection: 'close' })
    assert.match(text, /^millrace_streams\{transport="websocket"\} 2$/m)
    assert.match(text, /^millrace_stream_subscriptions\{stream="public"\} 2$/m)
    assert.equal(text.match(/^process_resident_memory_bytes /gm)?.length, 1)
  }
  for (const socket of sockets.values()) await socket.close()
  assert.deepEqual(warningsOf(program), [])
})

test('a token revoked at one worker ends its sockets at both', async t => {
  const { server } = await startWorkers(t)
  const [application, alice] = await Promise.all([registerApplication(server), personWithPassword(server, 'alice')])
  const credentials = { client_id: application.client_id, client_secret: application.client_secret }
  const login = { grant_type: 'password', username: alice.email, password: PASSWORD, scope: 'read' }
  const { json } = await new Client(server).post('/oauth/token', { ...credentials, ...login })
  const { access_token: token } = json as { access_token: string }
  const sockets = await openOnBoth(server, token, 'user')
  assert.equal((await new Client(server).post('/oauth/revoke', { ...credentials, token })).status, 200)
  for (const socket of sockets.values()) assert.equal((await socket.closed).code, 1000)
  const refused = await new Client(server, token).get('/api/v1/preferences')
  assert.deepEqual([refused.status, refused.json], [401, { error: 'The access token was revoked' }])
})

test('SIGTERM closes sockets with 1001 and ends the program with status 0', async t => {
  const { server, program } = await startWorkers(t)
  const alice = await person(server, 'alice')
  const sockets = await openOnBoth(server, alice.token, 'user')
  program.kill('SIGTERM')
  for (const socket of sockets.values()) assert.equal((await socket.closed).code, 1001)
  assert.deepEqual(await program.ended(), { code: 0, signal: null })
  await assert.rejects(fetch(`${server.url}/api/v2/instance`))
  assert.deepEqual(warningsOf(program), [])
})

test('a second server on the same port is refused in one line, and the first continues', async t => {
  const { server, program, env } = await startWorkers(t)
  const port = new URL(server.url).port
  for (const workers of ['1', '2']) {
    const second = await startProgram(t, { ...env, PORT: port, WORKERS: workers })
    assert.deepEqual(await second.ended(), { code: 1, signal: null })
    assert.equal(second.errors, `cannot listen on 127.0.0.1:${port}: another program is using the port\n`)
  }
  const response = await fetch(`${server.url}/api/v2/instance`)
  assert.equal(response.status, 200)
  await response.text()
  program.kill('SIGTERM')
  assert.equal((await program.ended()).code, 0)
})
