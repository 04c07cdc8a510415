import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../../support/people.ts'
import type { StreamMessage } from '../../support/socket.ts'
import { arrive, sayWithMedia } from './arrive.ts'

const namesOf = (messages: readonly StreamMessage[]): [string, string][] =>
  messages.map(({ event, payload }) => [
    event,
    typeof payload === 'object' && payload !== null && 'id' in payload ? String(payload.id) : String(payload),
  ])

test('a public post is streamed as an anonymous viewer sees it, then edited and deleted', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const stream = await alice.stream('public')
  const status = await bob.postStatus('hello')
  const update = await stream.next('update', ({ payload }) => (payload as { id: string }).id === status.id)
  assert.deepEqual(update.stream, ['public'])
  assert.equal(update.id, undefined)
  const seen = update.payload as Record<string, unknown>
  assert.deepEqual(seen['filtered'], [])
  for (const field of ['favourited', 'reblogged', 'muted', 'bookmarked', 'pinned'])
    assert.equal(field in seen, false, field)
  assert.deepEqual(seen['account'], status['account'])
  assert.equal((seen['quote_approval'] as { current_user: string }).current_user, 'denied')
  await bob.put(`/api/v1/statuses/${status.id}`, { status: 'changed' })
  const edit = await stream.next('status.update')
  assert.match((edit.payload as { content: string }).content, /changed/)
  await bob.delete(`/api/v1/statuses/${status.id}`)
  assert.equal((await stream.next('delete')).payload, status.id)
})

test('posts that public streams exclude are not sent', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const limited = await person(server, 'limited', { account: { silenced_at: new Date() } })
  const stream = await alice.stream('public:local')
  const first = await bob.postStatus('the first')
  await bob.postStatus('unlisted', { visibility: 'unlisted' })
  await bob.postStatus('private', { visibility: 'private' })
  await bob.postStatus(`@${alice.username} direct`, { visibility: 'direct' })
  await carol.postStatus('an answer', { in_reply_to_id: first.id })
  await carol.post(`/api/v1/statuses/${first.id}/reblog`)
  await limited.postStatus('of a limited account')
  const thread = await bob.postStatus('an answer to myself', { in_reply_to_id: first.id })
  assert.deepEqual(
    namesOf(await stream.upTo('update', ({ payload }) => (payload as { id: string }).id === thread.id)),
    [
      ['update', first.id],
      ['update', thread.id],
    ],
  )
})

test('deletes are sent for every public post, also for replies and limited accounts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const limited = await person(server, 'limited')
  const first = await bob.postStatus('the first')
  const response = await carol.postStatus('an answer', { in_reply_to_id: first.id })
  const quiet = await limited.postStatus('quiet')
  await sql(server, 'update accounts set silenced_at = now() where id = $1', [limited.id])
  const hidden = await bob.postStatus('hidden', { visibility: 'unlisted' })
  const stream = await alice.stream('public')
  for (const [who, { id }] of [
    [carol, response],
    [limited, quiet],
    [bob, hidden],
    [bob, first],
  ] as const) {
    await who.delete(`/api/v1/statuses/${id}`)
  }
  assert.deepEqual(namesOf(await stream.upTo('delete', ({ payload }) => payload === first.id)), [
    ['delete', response.id],
    ['delete', quiet.id],
    ['delete', first.id],
  ])
})

test('local and remote posts have streams of their own, and one for both', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const socket = await alice.stream()
  for (const stream of ['public', 'public:local', 'public:remote', 'public:media', 'public:local:media']) {
    socket.send({ type: 'subscribe', stream })
  }
  socket.send({ type: 'subscribe', stream: 'nonsense' })
  await socket.nextError()
  const local = await bob.postStatus('near')
  const streamsOf = async (id: string, last: string): Promise<string[]> => {
    const fits = ({ stream, payload }: StreamMessage): boolean =>
      stream[0] === last && (payload as { id: string }).id === id
    return (await socket.upTo('update', fits)).map(({ stream }) => stream[0] ?? '')
  }
  assert.deepEqual(await streamsOf(local.id, 'public:local'), ['public', 'public:local'])
  await arrive(server, { ageHours: 7 })
  const remote = await arrive(server)
  assert.deepEqual(await streamsOf(remote, 'public:remote'), ['public', 'public:remote'])
})

test('the media streams have only posts with media', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const media = await alice.stream('public:local:media')
  await bob.postStatus('without')
  const id = await sayWithMedia(bob, 'look')
  assert.deepEqual(namesOf(await media.upTo('update')), [['update', id]])
})

test('a hashtag stream has all public posts with the tag, replies too, labelled as the client wrote it', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const socket = await alice.stream('hashtag', { tag: 'Tea' })
  const first = await bob.postStatus('I like #tea')
  await bob.postStatus('not this #coffee')
  await bob.postStatus('nor this #tea', { visibility: 'unlisted' })
  const response = await carol.postStatus('me #TEA too', { in_reply_to_id: first.id })
  const messages = await socket.upTo('update', ({ payload }) => (payload as { id: string }).id === response.id)
  assert.deepEqual(namesOf(messages), [
    ['update', first.id],
    ['update', response.id],
  ])
  assert.deepEqual(messages[0]?.stream, ['hashtag', 'Tea'])
  await bob.delete(`/api/v1/statuses/${first.id}`)
  assert.equal((await socket.next('delete')).payload, first.id)
})

test('a socket has many subscriptions, each at most once, until it unsubscribes', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const socket = await alice.stream('public:local')
  socket.send({ type: 'subscribe', stream: ['hashtag', 'ignored'], tag: 'many' })
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'MANY' })
  socket.send({ type: 'subscribe', stream: 'hashtag:local', tag: 'many' })
  socket.send({ type: 'subscribe', stream: 'public:local' })
  socket.send({ type: 'unsubscribe', stream: 'public' })
  socket.send({ type: 'nothing' })
  socket.socket.send('not JSON')
  socket.send({ type: 'unsubscribe', stream: 'nonsense' })
  assert.deepEqual(await socket.nextError(), { error: 'Error unsubscribing from channel', status: undefined })
  const isLast = ({ stream }: StreamMessage): boolean => stream[0] === 'hashtag:local'
  await bob.postStatus('#many')
  const copies = await socket.upTo('update', isLast)
  assert.deepEqual(
    copies.map(({ stream }) => stream),
    [['public:local'], ['hashtag', 'many'], ['hashtag:local', 'many']],
  )
  socket.send({ type: 'unsubscribe', stream: 'hashtag', tag: 'mAny' })
  socket.send({ type: 'unsubscribe', stream: 'public:local' })
  socket.send({ type: 'unsubscribe', stream: 'hashtag' })
  await socket.nextError()
  await bob.postStatus('#many again')
  assert.deepEqual(
    (await socket.upTo('update', isLast)).map(({ stream }) => stream),
    [['hashtag:local', 'many']],
  )
})
