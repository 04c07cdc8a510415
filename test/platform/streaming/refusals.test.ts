import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { test, type Test } from 'tap'
import { WebSocket } from 'ws'
import { Client } from '../../support/client.ts'
import { makeToken, people, person, sql } from '../../support/people.ts'
import { openSocket, type TestSocket } from '../../support/socket.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const SCOPES = 'Access token does not have the required scopes'

/** The paths of streams of events. */
const PATHS = [
  'user',
  'user/notification',
  'public',
  'public/local',
  'public/remote',
  'hashtag',
  'hashtag/local',
  'list',
  'direct',
]

/** The response to a refused handshake. */
async function refused(server: TestServer, token: string | undefined): Promise<[number, string, string, string]> {
  const url = new URL('/api/v1/streaming?stream=user', server.url.replace(/^http/, 'ws'))
  if (token !== undefined) url.searchParams.set('access_token', token)
  const socket = new WebSocket(url)
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  let body = ''
  for await (const chunk of response) body += String(chunk)
  socket.terminate()
  const { headers, statusCode } = response
  return [statusCode ?? 0, headers['content-type'] ?? '', String(headers['x-error-message']), body]
}

/** Tokens without access to streams. */
async function useless(server: TestServer): Promise<Record<string, string>> {
  const revoked = await person(server, 'revoked')
  await sql(server, 'update oauth_tokens set revoked_at = now() where user_id = $1', [revoked.userId])
  const disabled = await person(server, 'disabled', { user: { disabled: true } })
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  return {
    unknown: 'nonsense',
    application: await makeToken(server, null),
    revoked: revoked.token ?? '',
    disabled: disabled.token ?? '',
    suspended: suspended.token ?? '',
  }
}

test('a caller without access is refused before the socket opens', async t => {
  const { server } = await people(t)
  assert.deepEqual(await refused(server, undefined), [401, 'text/plain', 'Missing access token', ''])
  for (const [name, token] of Object.entries(await useless(server))) {
    assert.deepEqual(await refused(server, token), [401, 'text/plain', 'Invalid access token', ''], name)
  }
})

test('a caller without access to a stream of events gets the errors in the documented order', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const expect = async (path: string, token: string | undefined, status: number, error: string): Promise<void> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const answer = await anonymous.get(`/api/v1/streaming/${path}`, {}, headers)
    assert.deepEqual([answer.status, answer.json], [status, { error }], path)
  }
  await expect('nonsense', undefined, 400, 'Unknown channel requested')
  await expect('public/nonsense', undefined, 400, 'Unknown channel requested')
  const tokens = Object.values(await useless(server))
  for (const path of PATHS) {
    await expect(path, undefined, 401, 'Missing access token')
    for (const token of tokens) await expect(path, token, 401, 'Invalid access token')
  }
  const narrow = await makeToken(server, alice.userId, ['read:notifications'])
  for (const path of PATHS.filter(one => one !== 'user/notification')) {
    await expect(path, narrow, 401, SCOPES)
  }
  await expect('user/notification', await makeToken(server, alice.userId, ['read:statuses']), 401, SCOPES)
  await expect('hashtag', alice.token, 400, 'Missing tag name parameter')
  await expect('hashtag/local?tag=', alice.token, 400, 'Missing tag name parameter')
  await expect(`hashtag?tag=${'a'.repeat(501)}`, alice.token, 400, 'Tag name is too long')
  await expect('list', alice.token, 400, 'Missing list name parameter')
  const bob = await person(server, 'bob')
  const { id: another } = (await bob.post('/api/v1/lists', { title: 'mine' })).json as { id: string }
  for (const list of ['1', another, 'abc', '99999999999999999999']) {
    await expect(`list?list=${list}`, alice.token, 401, 'Not authorized to stream this list')
  }
})

test('a forbidden subscription sends an error, and the socket stays open', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const socket = await openSocket(server, await makeToken(server, bob.userId, ['read:notifications']), 'public')
  t.after(() => socket.close())
  const unknown = { error: 'Unknown stream type', status: 400 }
  assert.deepEqual(await socket.nextError(), { error: SCOPES, status: 401 })
  const own = await alice.stream()
  const made = await bob.post('/api/v1/lists', { title: 'mine' })
  const expect = async (message: object, error: object): Promise<void> => {
    own.send({ type: 'subscribe', ...message })
    assert.deepEqual(await own.nextError(), error)
  }
  await expect({ stream: 'nonsense' }, unknown)
  await expect({ stream: 5 }, unknown)
  await expect({ stream: [] }, unknown)
  await expect({}, unknown)
  await expect({ stream: 'hashtag' }, { error: 'Missing tag name parameter', status: 400 })
  const tooLong = { error: 'Tag name is too long', status: 400 }
  for (const stream of ['hashtag', 'hashtag:local']) {
    await expect({ stream, tag: 'a'.repeat(501) }, tooLong)
    await expect({ stream, tag: '\ufdfa'.repeat(5000) }, tooLong)
  }
  await expect({ stream: 'list' }, { error: 'Missing list name parameter', status: 400 })
  const notOwn = { error: 'Not authorized to stream this list', status: 401 }
  await expect({ stream: 'list', list: (made.json as { id: string }).id }, notOwn)
  own.send({ type: 'subscribe', stream: 'public' })
  // Messages are handled in order: after this error the subscription is there.
  await expect({ stream: 'nonsense' }, unknown)
  const { id } = await bob.postStatus('still there')
  await own.next('update', ({ payload }) => (payload as { id: string }).id === id)
})

test('a socket subscribes to few hashtags of extreme length', async t => {
  const { alice } = await people(t, 'alice')
  const socket = await alice.stream()
  // NFKC makes eighteen characters of each.
  for (let count = 0; count < 100; count += 1) {
    socket.send({ type: 'subscribe', stream: 'hashtag', tag: `${'\ufdfa'.repeat(450)}${count}` })
  }
  for (let count = 0; count < 90; count += 1) {
    assert.deepEqual(await socket.nextError(), { error: 'Too many subscriptions', status: 400 })
  }
  socket.send({ type: 'unsubscribe', stream: 'hashtag', tag: `${'\ufdfa'.repeat(450)}0` })
  socket.send({ type: 'subscribe', stream: 'hashtag', tag: 'short' })
  socket.send({ type: 'subscribe', stream: 'nonsense' })
  await socket.next('', ({ error }) => error === 'Unknown stream type')
  const { id } = await alice.postStatus('#short')
  await socket.next('update', ({ payload }) => (payload as { id: string }).id === id)
})

test('the token comes from the header, the query or the subprotocol, which is then accepted', async t => {
  const { alice, server } = await people(t, 'alice')
  const token = alice.token ?? ''
  const opened = async (socket: Promise<TestSocket>): Promise<TestSocket> => {
    const one = await socket
    t.after(() => one.close())
    await alice.postStatus('hi')
    await one.next('update')
    return one
  }
  const authorization = { headers: { authorization: `Bearer ${token}` } }
  await opened(openSocket(server, undefined, 'user', {}, authorization))
  await opened(openSocket(server, undefined, 'user', { access_token: token }))
  const browser = await opened(openSocket(server, undefined, 'user', {}, { protocols: [token] }))
  assert.equal(browser.socket.protocol, token)
})

test('a binary message closes the socket with 1003', async t => {
  const { alice } = await people(t, 'alice')
  const socket = await alice.stream('user')
  socket.socket.send(Buffer.from('{}'))
  assert.deepEqual(await socket.end(), {
    code: 1003,
    reason: 'The mastodon streaming server does not support binary messages',
  })
})

test('unconfirmed users may stream', async t => {
  const { server } = await people(t)
  const waiting = await person(server, 'waiting', { user: { confirmed_at: null } })
  const socket = await waiting.stream('public')
  await socket.close()
})

async function elsewhere(t: Test): Promise<TestServer> {
  return startServer(t, { env: { STREAMING_URL: 'wss://stream.example' } })
}

test('a request that is no handshake gets 404, or the address of the streaming host', async t => {
  const { anonymous } = await people(t)
  const here = await anonymous.get('/api/v1/streaming')
  assert.deepEqual([here.status, here.json], [404, { error: 'Not Found' }])
  const server = await elsewhere(t)
  const there = await fetch(`${server.url}/api/v1/streaming?stream=user`, { redirect: 'manual' })
  assert.equal(there.status, 301)
  assert.equal(there.headers.get('location'), 'https://stream.example/api/v1/streaming?stream=user')
  const instance = (await new Client(server).get('/api/v2/instance')).json as {
    configuration: { urls: { streaming: string } }
  }
  assert.equal(instance.configuration.urls.streaming, 'wss://stream.example')
  const health = await anonymous.get('/api/v1/streaming/health')
  assert.deepEqual(
    [health.status, health.text, health.headers.get('content-type')?.split(';')[0]],
    [200, 'OK', 'text/plain'],
  )
  const posted = await anonymous.post('/api/v1/streaming/user')
  assert.equal(posted.status, 404)
})
