import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { filter, firstValueFrom, timeout } from 'rxjs'
import { test } from 'tap'
import { createReader } from '../../../src/platform/events/reader.ts'
import type { Database } from '../../../src/platform/database/index.ts'
import { openEventLog, type EventLog, type ListenState, type LoggedEvent } from '../../../src/platform/events/index.ts'
import { startDatabaseProxy } from '../../support/tcp_proxy.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connect, idsOf, keepLines, openLog, openLogOn, take, write } from './log.ts'

const reach = (log: EventLog, state: ListenState): Promise<ListenState> =>
  firstValueFrom(
    log.state$.pipe(
      filter(now => now === state),
      timeout({ first: 10_000 }),
    ),
  )

test('events committed during an outage arrive after it, in order', async t => {
  const { url } = await createTestDatabase(t)
  const cable = await startDatabaseProxy(t, url)
  const { log, lines } = await openLogOn(t, cable.url)
  const client = await connect(t, url)
  const came = take(log.log$, 3)
  const before = await write(client)
  await take(log.log$, 1)
  cable.remove()
  await reach(log, 'lost')
  const during = [await write(client), await write(client)]
  await cable.restore()
  // Nothing more is written, so that only the new connection can trigger a read.
  assert.deepEqual(idsOf(await came), [before, ...during])
  assert.equal(await reach(log, 'listening'), 'listening')
  assert.ok(lines.includes('warn: lost the connection that listens to events; trying again'))
  assert.equal(log.statistics().reconnects, 1)
})

test('closing during an outage ends the attempts to connect', async t => {
  const { url } = await createTestDatabase(t)
  const cable = await startDatabaseProxy(t, url)
  const { log } = await openLogOn(t, cable.url)
  cable.remove()
  await reach(log, 'lost')
  await log.close()
  const accepted = cable.accepted()
  await cable.restore()
  const probe = await connect(t, cable.url)
  await probe.query('select pg_sleep(0.2)') // ten times the pause between two attempts
  assert.equal(cable.accepted(), accepted + 1)
})

test('opening fails immediately when the database is unreachable', async t => {
  const { url } = await createTestDatabase(t)
  const cable = await startDatabaseProxy(t, url)
  cable.remove()
  await assert.rejects(openLogOn(t, cable.url), { name: 'ApiError' })
})

test('after closing, nothing keeps the process alive', async t => {
  const { url } = await createTestDatabase(t)
  const source = (path: string): string => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))
  const script = `
    import { openDatabase } from ${JSON.stringify(source('platform/database/index.ts'))}
    import { openEventLog } from ${JSON.stringify(source('platform/events/index.ts'))}
    const logger = { info() {}, warn() {}, error() {} }
    const database = openDatabase({ connection: { connectionString: process.argv[1] }, poolSize: 2 })
    const log = await openEventLog({ database, logger })
    log.readOn()
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

test('events of another cluster, brought by a dump, are removed and logged', async t => {
  const { url } = await createTestDatabase(t)
  const client = await connect(t, url)
  await client.query(`insert into events (txid, kind) values ('900000000000', 'test.elsewhere')`)
  const { log, lines } = await openLogOn(t, url)
  assert.deepEqual(
    lines.filter(line => line.startsWith('error')),
    ['error: removed events of another cluster from the event log'],
  )
  const came = take(log.log$, 1)
  const id = await write(client)
  assert.deepEqual(idsOf(await came), [id])
})

test('a position from the future makes the reader continue at the end of the log, and log it', async t => {
  const { url, database } = await openLog(t)
  const client = await connect(t, url)
  const { lines, logger } = keepLines()
  const { promise, resolve } = Promise.withResolvers<string>()
  const reader = createReader(
    { database, logger, heldBackMs: 10, retryMs: 10, deliver: event => resolve(event.id), onSetBack: () => undefined },
    '900000000000-5',
  )
  t.after(() => reader.close())
  reader.trigger()
  while (!reader.position().endsWith('-0')) await client.query('select pg_sleep(0.001)')
  assert.deepEqual(lines, ['error: the event log was set back and events may be missing; continuing at its end'])
  const id = await write(client)
  reader.trigger()
  assert.equal(await promise, id)
})

test('a log that is set back makes everything in memory be forgotten', async t => {
  const { url, database } = await openLog(t)
  const { logger } = keepLines()
  let isLater = false
  // As if the database had been ahead when the log was opened.
  const ahead: Database = {
    ...database,
    async one(asked, parameters) {
      const found = await database.one(asked, parameters)
      if (asked.name !== 'platform/events/end' || isLater) return found
      isLater = true
      return { ...found, txid: '900000000000' } as typeof found
    },
  }
  const log = await openEventLog({ database: ahead, logger, heldBackMs: 10, retryMs: 10 })
  t.after(() => log.close())
  const seen: string[] = []
  const note = (stream: string) => (event: LoggedEvent) => {
    seen.push(`${stream} ${event.kind} ${JSON.stringify(event.data)}`)
  }
  log.invalidations$.subscribe(note('invalidations'))
  log.local$.subscribe(note('local'))
  log.log$.subscribe(note('log'))
  const setBack = firstValueFrom(log.setBack$.pipe(timeout({ first: 10_000 })))
  log.readOn()
  await setBack
  const cleared = 'caches.cleared {"change":"all"}'
  assert.deepEqual(seen, [`invalidations ${cleared}`, `local ${cleared}`, `log ${cleared}`])
  const came = take(log.log$, 1)
  const id = await write(await connect(t, url))
  log.readOn()
  assert.deepEqual(idsOf(await came), [id])
})
