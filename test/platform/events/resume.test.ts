import assert from 'node:assert/strict'
import { test } from 'tap'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { cursorOf, type Cursor, type EventLog, type ReplayFilter } from '../../../src/platform/events/index.ts'
import { connect, idsOf, openLog, openLogOn, take, write } from './log.ts'

async function replayed(log: EventLog, after: Cursor, filter?: ReplayFilter): Promise<LoggedEvent[]> {
  const pages = await log.replay(after, filter)
  assert.ok(pages, `${after} is not covered`)
  const events: LoggedEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}

test('replay from any position equals the live events after it', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  const start = log.position()
  const live = take(log.log$, 2600)
  for (let written = 0; written < 2600; written += 130) {
    await client.query(
      `insert into events (kind, account_id, data) select 'test.done', n, jsonb_build_object('n', n) from generate_series(1, 130) n`,
    )
  }
  const events = await live
  assert.deepEqual(await replayed(log, start), events)
  for (let at = 0; at < events.length; at += 222) {
    const event = events[at]
    assert.ok(event)
    assert.deepEqual(await replayed(log, cursorOf(event)), events.slice(at + 1))
  }
  assert.deepEqual(await replayed(log, log.position()), [])
  const rare = events.filter(event => event.account_id === '130')
  assert.equal(rare.length, 20)
  assert.deepEqual(await replayed(log, start, { accounts: ['130'] }), rare)
})

test('replay ends at the position of log$, even when there are more events', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  const start = log.position()
  const first = take(log.log$, 1)
  const id = await write(client)
  await first
  const pages = await log.replay(start)
  const second = take(log.log$, 1)
  await write(client)
  await second
  const got: LoggedEvent[] = []
  for await (const page of pages ?? []) got.push(...page)
  assert.deepEqual(idsOf(got), [id])
})

test('replay returns only the requested kinds and accounts', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  const start = log.position()
  const live = take(log.log$, 4)
  const mine = await write(client, 'note.made', '7')
  await write(client, 'note.made', '8')
  const other = await write(client, 'note.gone', '7')
  const { rows } = await client.query<{ id: string }>(
    `insert into events (kind, actor_id, account_id) values ('note.made', 7, 9) returning id::text`,
  )
  const done = rows[0]?.id ?? ''
  await live
  assert.deepEqual(idsOf(await replayed(log, start, { kinds: ['note.made'], accounts: ['7'] })), [mine, done])
  assert.deepEqual(idsOf(await replayed(log, start, { kinds: ['note.gone'] })), [other])
  assert.deepEqual(idsOf(await replayed(log, start, { accounts: ['7'] })), [mine, other, done])
  assert.deepEqual(await replayed(log, start, { kinds: [] }), [])
})

test('a position is covered while its event is stored; a position of another log never is', async t => {
  const { url, log } = await openLog(t)
  const client = await connect(t, url)
  const came = take(log.log$, 2)
  await write(client)
  await client.query(`insert into events (kind, created_at) values ('test.done', now() - interval '25 hours')`)
  const [young, old] = await came
  assert.ok(young && old)
  assert.equal(await log.covers(cursorOf(young)), true)
  assert.equal(await log.covers(log.position()), false)
  assert.equal(await log.covers(cursorOf(old)), false)
  assert.equal(await log.replay(cursorOf(old)), undefined)
  const elsewhere = [
    `${young.txid}-${BigInt(young.id) + 1000n}`,
    `${BigInt(young.txid) + 1n}-${young.id}`,
    '9999999999999-1',
  ]
  for (const cursor of [...elsewhere, '9999999999999-0', '3-0']) assert.equal(await log.covers(cursor), false, cursor)
})

test('the start of a process is covered, also for another process when an event precedes it', async t => {
  const first = await openLog(t)
  assert.equal(await first.log.covers(first.log.position()), true)
  const came = take(first.log.log$, 1)
  await write(await connect(t, first.url))
  await came
  const second = await openLogOn(t, first.url)
  assert.equal(await first.log.covers(second.log.position()), true)
  assert.deepEqual(await replayed(first.log, second.log.position()), [])
})
