import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import test from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { filter, firstValueFrom, timeout } from 'rxjs'
import { createReader } from '../../src/events/reader.ts'
import type { EventLog, ListenState } from '../../src/events/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { connect, idsOf, keepLines, openLog, openLogOn, take, write } from './log.ts'

/** A way to the database that can be cut off. */
async function startProxy(t: test.TestContext, url: string) {
  const { host, port } = new pg.Client({ connectionString: url })
  const sockets = new Set<Socket>()
  let accepted = 0
  const server = createServer(client => {
    accepted += 1
    const upstream = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host)
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => sockets.delete(socket) && other.destroy())
    }
  })
  const listen = async (on: number): Promise<number> => {
    server.listen(on, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const own = await listen(0)
  const cut = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  t.after(cut)
  const through = new URL(url)
  through.host = `127.0.0.1:${own}`
  through.searchParams.delete('host')
  return { url: through.href, cut, restore: () => listen(own), accepted: () => accepted }
}

const reach = (log: EventLog, state: ListenState): Promise<ListenState> =>
  firstValueFrom(
    log.state$.pipe(
      filter(now => now === state),
      timeout({ first: 10_000 }),
    ),
  )

test('what was committed during an outage comes after it, in order', async t => {
  const { url } = await createTestDatabase(t)
  const proxy = await startProxy(t, url)
  const { log, lines } = await openLogOn(t, proxy.url)
  const client = await connect(t, url)
  const came = take(log.log$, 3)
  const before = await write(client)
  await take(log.log$, 1)
  proxy.cut()
  await reach(log, 'lost')
  const during = [await write(client), await write(client)]
  await proxy.restore()
  // Nothing more is written, so that only the new connection can ring.
  assert.deepEqual(idsOf(await came), [before, ...during])
  assert.equal(await reach(log, 'listening'), 'listening')
  assert.ok(lines.includes('warn: not listening to events, trying again'))
  assert.equal(log.statistics().reconnects, 1)
})

test('closing during an outage ends the tries to connect', async t => {
  const { url } = await createTestDatabase(t)
  const proxy = await startProxy(t, url)
  const { log } = await openLogOn(t, proxy.url)
  proxy.cut()
  await reach(log, 'lost')
  await log.close()
  const accepted = proxy.accepted()
  await proxy.restore()
  const probe = await connect(t, proxy.url)
  await probe.query('select pg_sleep(0.2)') // ten times the time between two tries
  assert.equal(proxy.accepted(), accepted + 1)
})

test('a database that cannot be reached is an error at once', async t => {
  const { url } = await createTestDatabase(t)
  const proxy = await startProxy(t, url)
  proxy.cut()
  await assert.rejects(openLogOn(t, proxy.url), { name: 'Failure' })
})

test('after closing, nothing keeps the process', async t => {
  const { url } = await createTestDatabase(t)
  const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url))
  const script = `
    import { openDatabase } from ${JSON.stringify(source('database/index.ts'))}
    import { openEventLog } from ${JSON.stringify(source('events/index.ts'))}
    const logger = { info() {}, warn() {}, error() {} }
    const database = openDatabase({ connection: { connectionString: process.argv[1] }, poolSize: 2 })
    const log = await openEventLog({ database, logger })
    log.ring()
    await log.close()
    await database.close()
    process.once('beforeExit', () => process.stdout.write('nothing left'))`
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, url], { timeout: 20_000 })
  assert.equal(stdout, 'nothing left')
})

test('closing ends the streams', async t => {
  const { log } = await openLog(t)
  const ended: string[] = []
  log.log$.subscribe({ complete: () => ended.push('log') })
  log.state$.subscribe({ complete: () => ended.push('state') })
  await log.close()
  assert.deepEqual(ended.sort(), ['log', 'state'])
})

test('events of another cluster, brought by a dump, are removed and told of', async t => {
  const { url } = await createTestDatabase(t)
  const client = await connect(t, url)
  await client.query(`insert into events (txid, kind) values ('900000000000', 'test.elsewhere')`)
  const { log, lines } = await openLogOn(t, url)
  assert.deepEqual(
    lines.filter(line => line.startsWith('error')),
    ['error: the event log had events of another cluster, they were removed'],
  )
  const came = take(log.log$, 1)
  const id = await write(client)
  assert.deepEqual(idsOf(await came), [id])
})

test('a position from the future makes the reader go on at the end of the log, and say so', async t => {
  const { url, database } = await openLog(t)
  const client = await connect(t, url)
  const { lines, logger } = keepLines()
  const { promise, resolve } = Promise.withResolvers<string>()
  const reader = createReader(
    { database, logger, heldBackMs: 10, retryMs: 10, deliver: event => resolve(event.id) },
    '900000000000-5',
  )
  t.after(() => reader.close())
  reader.ring()
  while (!reader.position().endsWith('-0')) await client.query('select pg_sleep(0.001)')
  assert.deepEqual(lines, ['error: the event log was set back, events may be missing: going on at its end'])
  const id = await write(client)
  reader.ring()
  assert.equal(await promise, id)
})
