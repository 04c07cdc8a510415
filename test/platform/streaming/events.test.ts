import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { person } from '../../support/people.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

const ID = /\d+-\d+/

test('server-sent events have the documented format, with an id for an EventSource', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const events = await alice.events('public/local', { accept: 'text/event-stream' })
  assert.equal(events.status, 200)
  assert.equal(events.headers['content-type'], 'text/event-stream')
  assert.equal(events.headers['cache-control'], 'private, no-store')
  assert.equal(events.headers['x-accel-buffering'], 'no')
  assert.equal(events.headers['access-control-allow-origin'], '*')
  assert.equal(events.headers['transfer-encoding'], 'chunked')
  const status = await bob.postStatus('a\n\nb')
  const update = await events.next('update')
  await bob.delete(`/api/v1/statuses/${status.id}`)
  const deletion = await events.next('delete')
  assert.match(update.id ?? '', ID)
  const stored = JSON.parse(update.data) as { id: string }
  assert.equal(stored.id, status.id)
  assert.equal(
    events.textWithoutComments,
    `:)\nid: ${update.id}\nevent: update\ndata: ${update.data}\n\nid: ${deletion.id}\nevent: delete\ndata: ${status.id}\n\n`,
  )
  const own = await alice.events('user', { accept: 'text/event-stream' })
  await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
  const changed = await own.next('filters_changed')
  assert.equal(own.textWithoutComments, `:)\nid: ${changed.id}\nevent: filters_changed\ndata: null\n\n`)
})

test('events have two lines for clients that may know only these', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const withoutIds = [
    await alice.events('user', { accept: '*/*' }),
    await alice.events('user'),
    // megalodon, which drops an event with a third line; an EventSource sends no Content-Type.
    await alice.events('user', { accept: 'text/event-stream', 'content-type': 'text/event-stream' }),
  ]
  const withIds = [
    await alice.events('user', { 'last-event-id': '1-1' }),
    await alice.events('user?last_event_id='),
    await alice.events('user', { accept: 'text/html, Text/Event-Stream;q=0.9' }),
  ]
  await alice.follow(bob)
  const status = await bob.postStatus('hi')
  for (const events of withoutIds) {
    const update = await events.next('update')
    assert.equal((JSON.parse(update.data) as { id: string }).id, status.id)
    assert.equal(events.textWithoutComments, `:)\nevent: update\ndata: ${update.data}\n\n`)
  }
  for (const events of withIds) assert.match((await events.next('update')).id ?? '', ID)
  await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
  for (const events of withoutIds) {
    await events.next('filters_changed')
    assert.ok(events.textWithoutComments.endsWith('\n\nevent: filters_changed\ndata: null\n\n'))
  }
})

test('only_media selects the media stream', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const media = await alice.events('public?only_media=true')
  const all = await alice.events('public?only_media=0')
  const [made] = await sql(
    server,
    `insert into media_attachments (account_id, type, processing) values ($1, 'image', 'done') returning id::text as id`,
    [bob.id],
  )
  await bob.postStatus('without')
  const { id } = await bob.postStatus('with', { media_ids: [made?.['id']] })
  assert.equal((JSON.parse((await media.next('update')).data) as { id: string }).id, id)
  assert.notEqual((JSON.parse((await all.next('update')).data) as { id: string }).id, id)
})

test('the query may contain the token', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const events = await anonymous.events(`user?access_token=${alice.token}`)
  t.after(() => events.close())
  await alice.postStatus('hi')
  await events.next('update')
})

test('thumps are sent every fifteen seconds, and a peer that answers no ping is disconnected', async t => {
  fakeTimers(t).enable({ apis: ['setInterval'] })
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const events = await alice.events('user')
  await events.until(() => events.textWithoutComments === ':)\n', 'greeting')
  fakeTimers(t).tick(15_000)
  await events.until(() => /^:thump\n(?!\n)/m.test(events.text), 'thump')
  const socket = await alice.stream('user')
  socket.socket.pause()
  fakeTimers(t).tick(30_000)
  fakeTimers(t).tick(30_000)
  socket.socket.resume()
  assert.equal((await socket.end()).code, 1006)
})
