import assert from 'node:assert/strict'
import { filter } from 'rxjs'
import { test } from 'tap'
import { c, query } from '../../../src/platform/database/index.ts'
import { connect, idsOf, openLog, openLogOn, take, write } from './log.ts'

const change = query(
  'platform/settings/change',
  { changes: c.json<Record<string, unknown>>(), actor: c.nullable(c.id) },
  { events: c.events },
)

/** Beside its event, a changed setting logs that of the entry in the audit log. */
const isOfSetting = filter((event: { kind: string }) => event.kind !== 'action.logged')

test('local$ emits own commits immediately, log$ in the order of the log', async t => {
  const { url, database, log } = await openLog(t)
  const slow = await connect(t, url)
  await slow.query('begin')
  await slow.query('select pg_current_xact_id()')
  const applied: string[] = []
  const delivered: string[] = []
  log.local$.pipe(isOfSetting).subscribe(event => applied.push(event.kind))
  log.log$.pipe(isOfSetting).subscribe(event => delivered.push(event.kind))
  const came = take(log.log$, 2)
  await database.transaction(async transaction => {
    await transaction.run(change, { changes: { site_title: 'A' }, actor: null })
    assert.deepEqual(applied, [], 'nothing before the commit')
  })
  assert.deepEqual(applied, ['settings.changed'])
  assert.deepEqual(delivered, [])
  await slow.query('commit')
  await came
  assert.deepEqual(delivered, ['settings.changed'])
  assert.deepEqual(applied, ['settings.changed', 'settings.changed'])
})

test('invalidations$ emits each event once: own commits immediately, the rest from the log', async t => {
  const { url, database, log } = await openLog(t)
  const changes: string[] = []
  log.invalidations$.pipe(filter(event => event.kind !== 'action.logged')).subscribe(event => changes.push(event.id))
  const came = take(log.log$, 3)
  const own = await database.one(change, { changes: { site_title: 'A' }, actor: null })
  const ids = (own?.events ?? []).map(event => event.id)
  assert.deepEqual(changes, ids)
  const other = await write(await connect(t, url))
  await came
  assert.deepEqual(changes, [...ids, other])
})

test('notify() makes other processes read events that caused no notification', async t => {
  const { url, log } = await openLog(t)
  const { log: writersLog } = await openLogOn(t, url)
  const client = await connect(t, url)
  await client.query(`set millrace.defer_notify = 'on'`)
  const came = take(log.log$, 2)
  const ids = [await write(client), await write(client)]
  writersLog.notify()
  assert.deepEqual(idsOf(await came), ids)
})

test('local$ emits events that other processes commit', async t => {
  const { url, log } = await openLog(t)
  const came = take(log.local$, 1)
  const id = await write(await connect(t, url))
  assert.deepEqual(idsOf(await came), [id])
})

test('an event has the columns of its row, ids as text', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  const came = take(log.log$, 1)
  await client.query(
    `insert into events (kind, actor_id, account_id, status_id, data)
     values ('test.done', 9223372036854775807, 2, 115000000000000001, '{"tags": ["a"]}')`,
  )
  const [event] = await came
  const { txid, id, ...facts } = event ?? { txid: '', id: '' }
  assert.match(txid, /^\d+$/)
  assert.match(id, /^\d+$/)
  assert.deepEqual(facts, {
    kind: 'test.done',
    actor_id: '9223372036854775807',
    account_id: '2',
    status_id: '115000000000000001',
    object_id: null,
    data: { tags: ['a'] },
  })
})

test('subscribers of local$ get an event before those of log$, whichever subscribed first', async t => {
  const { url, log } = await openLog(t)
  const order: string[] = []
  log.log$.subscribe(() => order.push('stream'))
  log.local$.subscribe(() => order.push('state'))
  const came = take(log.log$, 1)
  await write(await connect(t, url))
  await came
  assert.deepEqual(order, ['state', 'stream'])
})
