import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeToken, people, sql } from '../../support/people.ts'
import { openSocket, type StreamMessage } from '../../support/socket.ts'
import { sayWithMedia } from './arrive.ts'

const NO_SCOPE = 'Access token does not have the required scopes'

/** Each stream with its path for server-sent events, and the scopes that open it. */
const STREAMS: readonly (readonly [string, string, string])[] = [
  ['user', 'user', 'read:statuses'],
  ['user:notification', 'user/notification', 'read:notifications'],
  ['public', 'public', 'read:statuses'],
  ['public:media', 'public?only_media=true', 'read:statuses'],
  ['public:local', 'public/local', 'read:statuses'],
  ['public:local:media', 'public/local?only_media=true', 'read:statuses'],
  ['public:remote', 'public/remote', 'read:statuses'],
  ['public:remote:media', 'public/remote?only_media=true', 'read:statuses'],
  ['hashtag', 'hashtag?tag=tea', 'read:statuses'],
  ['hashtag:local', 'hashtag/local?tag=tea', 'read:statuses'],
  ['list', 'list?list=LIST', 'read:statuses'],
  ['direct', 'direct', 'read:statuses'],
]

for (const scope of ['read', 'read:statuses', 'read:notifications', 'read:lists', 'write']) {
  test(`a token with ${scope} opens the documented streams, by both transports`, async t => {
    const { alice, anonymous, server } = await people(t, 'alice')
    const { json } = await alice.post('/api/v1/lists', { title: 'close' })
    const { id: list } = json as { id: string }
    const token = await makeToken(server, alice.userId, [scope])
    const socket = await openSocket(server, token)
    t.after(() => socket.close())
    for (const [stream, path, due] of STREAMS) {
      const opens = scope === 'read' || scope === due
      socket.send({ type: 'subscribe', stream, tag: 'tea', list })
      // Messages are answered in order, so the answer to this one follows the answer to the one
      // before.
      socket.send({ type: 'subscribe', stream: 'nonsense' })
      const refused = { error: NO_SCOPE, status: 401 }
      if (!opens) assert.deepEqual(await socket.nextError(), refused, stream)
      assert.deepEqual(await socket.nextError(), { error: 'Unknown stream type', status: 400 }, stream)
      const abort = new AbortController()
      const response = await fetch(new URL(`/api/v1/streaming/${path.replace('LIST', list)}`, server.url), {
        headers: { authorization: `Bearer ${token}` },
        signal: abort.signal,
      })
      if (!opens) assert.deepEqual([response.status, await response.json()], [401, { error: NO_SCOPE }], path)
      else assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'text/event-stream'], path)
      abort.abort()
    }
    assert.equal((await anonymous.get('/api/v1/streaming/user')).status, 401)
  })
}

test('a subscription is not acknowledged', async t => {
  const { alice, server } = await people(t, 'alice')
  const socket = await openSocket(server, alice.token)
  t.after(() => socket.close())
  socket.send({ type: 'subscribe', stream: 'user' })
  socket.send({ type: 'unsubscribe', stream: 'public' })
  socket.send({ type: 'subscribe', stream: 'nonsense' })
  const { error } = await socket.next('')
  assert.equal(error, 'Unknown stream type', 'the first message answers the last request')
  const { id } = await alice.postStatus('sent')
  const [first] = await socket.upTo('update')
  assert.equal((first?.payload as { id?: string } | undefined)?.id, id)
})

test('of several tokens the header precedes the query, and the query the subprotocol', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const header = { headers: { authorization: `Bearer ${alice.token}` } }
  const sockets = [
    await openSocket(server, bob.token, 'user', {}, { ...header, protocols: [bob.token ?? ''] }),
    await openSocket(server, alice.token, 'user', {}, { protocols: [bob.token ?? ''] }),
  ]
  t.after(() => Promise.all(sockets.map(socket => socket.close())))
  const events = await alice.events(`user?access_token=${bob.token}`)
  await bob.postStatus('not sent', { visibility: 'private' })
  const { id } = await alice.postStatus('sent')
  for (const socket of sockets) {
    assert.deepEqual(
      (await socket.upTo('update')).map(({ payload }) => (payload as { id: string }).id),
      [id],
    )
  }
  assert.equal((JSON.parse((await events.next('update')).data) as { id: string }).id, id)
})

test('a WebSocket at the path of a stream is subscribed to it, unless the query names another', async t => {
  const { alice, server } = await people(t, 'alice')
  const { json } = await alice.post('/api/v1/lists', { title: 'close' })
  const { id: list } = json as { id: string }
  const open = (path: string, stream?: string, parameters: Record<string, string> = {}) =>
    openSocket(server, alice.token, stream, parameters, { path })
  const sockets = [
    await open('/user'),
    await open('/public/local/'),
    await open('/hashtag', undefined, { tag: 'tea' }),
    await open('/user', 'public'),
  ]
  const media = await open('/public', undefined, { only_media: 'true' })
  const others = [media, await open('/list', undefined, { list })]
  t.after(() => Promise.all([...sockets, ...others].map(socket => socket.close())))
  const { id } = await alice.postStatus('#tea')
  const streams: unknown[] = []
  for (const socket of sockets) {
    const { payload, stream } = await socket.next('update')
    assert.equal((payload as { id: string }).id, id)
    streams.push(stream)
  }
  assert.deepEqual(streams, [['user'], ['public:local'], ['hashtag', 'tea'], ['public']])
  const pictured = await sayWithMedia(alice, 'with')
  assert.equal(((await media.next('update')).payload as { id: string }).id, pictured)
})

test('the header Authorization may be the token alone', async t => {
  const { alice, server } = await people(t, 'alice')
  const open = (authorization: string) =>
    fetch(new URL('/api/v1/streaming/user', server.url), { headers: { authorization }, signal: abort.signal })
  const abort = new AbortController()
  const statuses: number[] = []
  for (const authorization of [alice.token ?? '', 'Bearer', `Basic ${alice.token ?? ''}`])
    statuses.push((await open(authorization)).status)
  abort.abort()
  assert.deepEqual(statuses, [200, 401, 401])
})

test('cross-origin requests are allowed, and preflight requests need no token', async t => {
  const { server } = await people(t)
  for (const path of ['user', 'public/local', 'list']) {
    const response = await fetch(new URL(`/api/v1/streaming/${path}`, server.url), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization, last-event-id',
      },
    })
    await response.text()
    assert.ok(response.ok, `${path}: ${response.status}`)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.match(response.headers.get('access-control-allow-headers') ?? '', /authorization/i)
  }
})

const idOf = ({ payload }: StreamMessage): string => (payload as { id: string }).id

test('only_media is true except for the usual spellings of false; on a WebSocket the stream’s name decides', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const open = (value: string) => alice.events(`public/local?only_media=${value}`)
  const all = await Promise.all(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'].map(open))
  const media = await Promise.all(['1', 't', 'true', 'on', 'yes', 'False'].map(open))
  const socket = await alice.stream('public:local', { only_media: 'true' })
  const plain = await bob.postStatus('without')
  const pictured = await sayWithMedia(bob, 'with')
  for (const [events, ids] of [
    [all, [plain.id, pictured]],
    [media, [pictured]],
  ] as const) {
    for (const one of events) {
      for (const id of ids) assert.equal((JSON.parse((await one.next('update')).data) as { id: string }).id, id)
    }
  }
  assert.deepEqual((await socket.upTo('update', message => idOf(message) === pictured)).map(idOf), [plain.id, pictured])
})

test('a hashtag is found in any spelling', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const ways = ['Cafetière', 'cafetiere', 'CAFETIÈRE', 'ｃａｆｅｔｉｅｒｅ', '#cafetière', 'cafe-tière', 'cafe tiere']
  const socket = await alice.stream()
  for (const [at, tag] of ways.entries()) {
    // One subscription each time, since all spellings name the same channel.
    socket.send({ type: 'subscribe', stream: 'hashtag', tag })
    socket.send({ type: 'subscribe', stream: 'nonsense' })
    await socket.nextError()
    const { id } = await bob.postStatus(`#CafetiÈre ${at}`)
    const [message, ...more] = await socket.upTo('update')
    assert.ok(message)
    assert.deepEqual([idOf(message), message.stream, more], [id, ['hashtag', tag], []])
    socket.send({ type: 'unsubscribe', stream: 'hashtag', tag: ways[0] })
  }
})

test('unexpired keyword filters apply to every stream, whatever their contexts', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const expired = { expires_in: 60, keywords_attributes: [{ keyword: 'onions' }] }
  const home = { keywords_attributes: [{ keyword: 'leek' }], filter_action: 'hide' }
  for (const more of [expired, home]) {
    assert.equal((await alice.post('/api/v2/filters', { title: 'food', context: ['home'], ...more })).status, 200)
  }
  await sql(
    server,
    `with changed as (update filters set expires_at = now() - interval '1 minute' where account_id = $1 and expires_at is not null)
     insert into events (kind, account_id) values ('filters.changed', $1)`,
    [alice.id],
  )
  const socket = await alice.stream('public:local')
  socket.send({ type: 'subscribe', stream: 'user' })
  socket.send({ type: 'subscribe', stream: 'nonsense' })
  await socket.nextError()
  const { id } = await bob.postStatus('leek and onions')
  for (const stream of ['public:local', 'user']) {
    const message = await socket.next('update', one => one.stream[0] === stream && idOf(one) === id)
    const { filtered } = message.payload as { filtered: { keyword_matches: string[]; status_matches: unknown }[] }
    assert.deepEqual(
      filtered.map(one => one.keyword_matches),
      [['leek']],
      stream,
    )
  }
})
