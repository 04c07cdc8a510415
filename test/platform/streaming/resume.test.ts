import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'
import type { StreamMessage } from '../../support/socket.ts'

const MISSED = 50

const idIn = (payload: unknown): string =>
  typeof payload === 'object' && payload !== null && 'id' in payload ? String(payload.id) : String(payload)
const dataId = (data: string): string => (data.startsWith('{') ? idIn(JSON.parse(data)) : data)

async function sayMany(author: Person, many: number): Promise<string[]> {
  const ids: string[] = []
  for (let count = 0; count < many; count += 1) ids.push((await author.postStatus(`post ${count}`)).id)
  return ids
}

for (const name of ['user', 'public:local', 'list', 'hashtag']) {
  test(`a disconnected socket resumes ${name} with exactly the missed messages`, async t => {
    const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
    await alice.follow(bob)
    const made = await alice.post('/api/v1/lists', { title: 'close' })
    const { id: list } = made.json as { id: string }
    await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
    const parameters = { list, tag: 'resumed' }
    const text = name === 'hashtag' ? '#resumed' : 'hello'
    const before = await alice.stream(name, { ...parameters, last_event_id: '' })
    const first = await bob.postStatus(text)
    const { id, payload } = await before.next('update')
    assert.equal(idIn(payload), first.id)
    assert.match(id ?? '', /^\d+-\d+$/)
    await before.close()
    const missed: string[] = []
    for (let count = 0; count < MISSED - 1; count += 1) {
      missed.push(`update ${(await bob.postStatus(`${text} ${count}`)).id}`)
      if (count % 10 === 0) await carol.postStatus('not followed', { visibility: 'unlisted' })
    }
    await bob.delete(`/api/v1/statuses/${first.id}`)
    missed.push(`delete ${first.id}`)
    const after = await alice.stream(name, { ...parameters, last_event_id: id ?? '' })
    const live = await bob.postStatus(`${text} live`)
    const messages = await after.upTo('update', message => idIn(message.payload) === live.id)
    const received = messages.map(message => `${message.event} ${idIn(message.payload)}`)
    assert.deepEqual(received, [...missed, `update ${live.id}`])
    assert.ok(messages.every(message => message.id !== undefined))
  })
}

test('a stream of events resumes by the header or the query', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const before = await alice.events('user?last_event_id=')
  await bob.postStatus('first')
  const { id = '' } = await before.next('update')
  before.close()
  const missed = await sayMany(bob, MISSED)
  for (const after of [
    await alice.events('user', { 'last-event-id': id }),
    await alice.events(`user?last_event_id=${id}`),
  ]) {
    const live = await bob.postStatus('live')
    await after.until(() => after.text.includes(`"id":"${live.id}"`), 'live post')
    const received = after.events.map(({ event, data }) => `${event} ${dataId(data)}`)
    assert.deepEqual(
      received.slice(0, MISSED),
      missed.map(one => `update ${one}`),
    )
    assert.equal(received.at(-1), `update ${live.id}`)
  }
})

test('resuming loses and repeats nothing while new posts arrive', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const before = await alice.stream('public', { last_event_id: '' })
  await bob.postStatus('first')
  const { id = '' } = await before.next('update')
  await before.close()
  const authors = [bob, carol, alice]
  const posting = Promise.all(authors.map(author => sayMany(author, 25)))
  const sockets = []
  for (let count = 0; count < 8; count += 1) sockets.push(await alice.stream('public', { last_event_id: id }))
  const expected = (await posting).flat().sort()
  const last = await bob.postStatus('last')
  for (const socket of sockets) {
    const messages = await socket.upTo('update', message => idIn(message.payload) === last.id)
    assert.deepEqual(
      messages
        .slice(0, -1)
        .map(message => idIn(message.payload))
        .sort(),
      expected,
    )
  }
})

test('each subscription of a socket resumes by its own id', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const before = await alice.stream('hashtag', { tag: 'one', last_event_id: '' })
  await bob.postStatus('#one')
  const { id } = await before.next('update')
  await before.close()
  const missed = await bob.postStatus('#one again')
  const socket = await alice.stream('public')
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'one', last_event_id: id })
  const isResumed = ({ stream }: StreamMessage): boolean => stream[0] === 'hashtag'
  const resumed = await socket.next('update', isResumed)
  assert.deepEqual([resumed.stream, idIn(resumed.payload)], [['hashtag', 'one'], missed.id])
  const live = await bob.postStatus('#one live')
  const messages = await socket.upTo('update', isResumed)
  assert.deepEqual(
    messages.map(({ stream, payload, id: one }) => [stream[0], idIn(payload), one !== undefined]),
    [
      ['public', live.id, false],
      ['hashtag', live.id, true],
    ],
  )
})

test('notifications and conversations resume too', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const streams = { notifications: 'user:notification', conversations: 'direct' }
  const notifications = await alice.stream(streams.notifications, { last_event_id: '' })
  const conversations = await alice.stream(streams.conversations, { last_event_id: '' })
  await bob.postStatus(`@${alice.username} hi`, { visibility: 'direct' })
  const [one, two] = [await notifications.next('notification'), await conversations.next('conversation')]
  await Promise.all([notifications.close(), conversations.close()])
  const { id } = await bob.postStatus(`@${alice.username} again`, { visibility: 'direct' })
  for (const [stream, event, last] of [
    [streams.notifications, 'notification', one.id],
    [streams.conversations, 'conversation', two.id],
  ] as const) {
    const resumed = await alice.stream(stream, { last_event_id: last ?? '' })
    assert.ok(JSON.stringify((await resumed.next(event)).payload).includes(id))
  }
})

test('an unknown id sends a reload, and the stream continues from now', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const old = await alice.stream('public', { last_event_id: '' })
  await bob.postStatus('first')
  const { id = '' } = await old.next('update')
  await bob.postStatus('second')
  await old.next('update')
  // As trimming does: events older than a day are removed.
  const [txid, event] = id.split('-')
  await sql(server, 'delete from events where txid = $1::text::xid8 and id = $2', [txid, event])
  for (const from of [id, '1-1', 'nonsense', '99999999999999-1', `${txid}-99999999`]) {
    const socket = await alice.stream('public:local', { last_event_id: from })
    const bySocket = await socket.next('reload')
    assert.match(bySocket.id ?? '', /^\d+-\d+$/, from)
    const events = await alice.events('public/local', { 'last-event-id': from })
    const bySource = await events.next('reload')
    assert.equal(events.textWithoutComments, `:)\nid: ${bySource.id}\nevent: reload\ndata: null\n\n`)
    const live = await bob.postStatus('live')
    const [update] = await socket.upTo('update')
    assert.equal(idIn(update?.payload), live.id)
    assert.equal(dataId((await events.next('update')).data), live.id)
    events.close()
    await socket.close()
  }
})

test('replayed events follow the current rules', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const before = await alice.stream('public', { last_event_id: '' })
  await bob.postStatus('first')
  const { id = '' } = await before.next('update')
  await before.close()
  await bob.postStatus('blocked by now')
  const seen = await carol.postStatus('seen')
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  const after = await alice.stream('public', { last_event_id: id })
  const messages = await after.upTo('update')
  assert.deepEqual(
    messages.map(({ payload }) => idIn(payload)),
    [seen.id],
  )
})
