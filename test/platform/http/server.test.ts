import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'tap'
import { people } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { Client } from '../../support/client.ts'
import { signedIn } from '../../support/signed_in.ts'

const stranger = async (): Promise<Client> => new Client(await sharedServer())

test('health is reported as text and as JSON', async () => {
  const client = await stranger()
  const text = await client.get('/health')
  assert.equal(text.status, 200)
  assert.equal(text.text, 'OK')
  const json = await client.get('/health', {}, { accept: 'application/json' })
  assert.deepEqual(json.json, { status: 'UP' })
  const streaming = await client.get('/api/v1/streaming/health')
  assert.equal(streaming.text, 'OK')
  assert.equal(streaming.headers.get('cache-control'), 'private, no-store')
})

test('only permitted addresses may read metrics', async () => {
  const client = await stranger()
  assert.match((await client.get('/metrics')).text, /millrace_http_requests_total/)
  const outside = await client.get('/metrics', {}, { 'x-forwarded-for': '203.0.113.9' })
  assert.equal(outside.status, 404)
})

test('unknown paths and methods are a 404, as JSON for clients and as a page for browsers', async () => {
  const client = await stranger()
  for (const [method, path] of [
    ['GET', '/api/v1/nothing'],
    ['DELETE', '/api/v2/instance'],
    ['GET', '/api/v1/accounts.json'],
    ['POST', '/nowhere'],
  ] as const) {
    const response = await client.request(method, path)
    assert.equal(response.status, 404, `${method} ${path}`)
    assert.deepEqual(response.json, { error: 'Not Found' })
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  }
  const page = await client.get('/nowhere', {}, { accept: 'text/html' })
  assert.match(page.headers.get('content-type') ?? '', /text\/html/)
  assert.match(page.text, /<html lang="en"[\s\S]*<h1>Nothing is here<\/h1>[\s\S]*404 Not Found/)
  const german = await client.get('/nowhere', {}, { accept: 'text/html', 'accept-language': 'de-AT, en;q=0.5' })
  assert.match(german.text, /<html lang="de"[^>]*>[\s\S]*<h1>Hier ist nichts<\/h1>[\s\S]*404 Nicht gefunden/)
})

test('pages are in the language of the parameter, of the user, of the browser or of the server', async t => {
  const server = await startServer(t, { env: { DEFAULT_LOCALE: 'de' } })
  const { person: alice, browser } = await signedIn(t, 'alice', { server, user: { locale: 'fr' } })
  const { id } = await alice.postStatus('hello')
  const languageOf = ({ text }: { text: string }) => /<html lang="(\w+)"/.exec(text)?.[1]
  const anonymous = new Client(server)
  for (const path of ['/nowhere', `/@${alice.username}/${id}/embed`, '/api']) {
    const ask = async (query: Record<string, string>, language: string) =>
      languageOf(await anonymous.get(path, query, { accept: 'text/html', 'accept-language': language }))
    assert.equal(await ask({}, '*'), 'de', path)
    assert.equal(await ask({}, 'tlh'), 'de', path)
    assert.equal(await ask({}, 'fr'), 'fr', path)
    assert.equal(await ask({}, 'fr;q=0.1, en'), 'en', path)
    assert.equal(await ask({}, 'fr; q=0, *;q=0.5'), 'de', path)
    assert.equal(await ask({}, 'fr;q=often'), 'fr', path)
    assert.equal(await ask({ lang: 'en' }, 'fr'), 'en', path)
    assert.equal(await ask({ lang: 'tlh' }, 'fr'), 'fr', path)
  }
  // An error of a page that has opened the session, and the same in another language.
  const missing = '/settings/filters/1/edit'
  assert.equal(languageOf(await browser.get(missing, { 'accept-language': 'en' })), 'fr')
  assert.equal(languageOf(await browser.get(`${missing}?lang=en`)), 'en')
})

test('with FORCE_DEFAULT_LOCALE the language of the browser is ignored', async t => {
  const server = await startServer(t, { env: { FORCE_DEFAULT_LOCALE: 'on', DEFAULT_LOCALE: 'fr' } })
  const page = await new Client(server).get('/nowhere', {}, { accept: 'text/html', 'accept-language': 'de' })
  assert.match(page.text, /<html lang="fr"/)
})

test('every API response has the fixed headers and a request id', async () => {
  const response = await (await stranger()).get('/api/v1/nothing')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(response.headers.get('x-frame-options'), 'DENY')
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /Link, .*X-RateLimit-Reset/)
  assert.ok(response.headers.get('x-request-id'))
})

test('a preflight request is answered for any origin and header', async () => {
  const response = await (
    await stranger()
  ).request('OPTIONS', '/api/v1/statuses', {
    headers: {
      origin: 'https://client.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,idempotency-key',
    },
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('access-control-allow-headers'), 'authorization,idempotency-key')
  assert.match(response.headers.get('access-control-allow-methods') ?? '', /PATCH/)
})

test('pages of other sites may read the documents of actors', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const headers = { origin: 'https://viewer.example', accept: 'application/activity+json' }
  for (const path of [`/ap/users/${alice.id}`, '/actor']) {
    const response = await anonymous.get(path, {}, headers)
    const { id } = response.json as { id: string }
    assert.deepEqual([response.status, new URL(id).pathname], [200, path])
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path)
    const preflight = await anonymous.request('OPTIONS', path, {
      headers: { ...headers, 'access-control-request-method': 'GET', 'access-control-request-headers': 'accept' },
    })
    assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-methods')], [200, 'GET'])
  }
})

test('PHP clients send an empty list for no parameters', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const send = (method: string, path: string) =>
    alice.request(method, path, { body: '[]', headers: { 'content-type': 'application/json' } })
  const followed = await send('POST', `/api/v1/accounts/${bob.id}/follow`)
  assert.deepEqual([followed.status, (followed.json as { following: boolean }).following], [200, true])
  assert.equal((await send('DELETE', '/api/v1/conversations/1')).status, 404)
})

test('malformed bodies are a clear 4xx, and the server continues', async t => {
  const { alice } = await people(t, 'alice')
  const bodies: [string, string, number][] = [
    ['application/json', '{"status": ', 400],
    ['application/json', '[1, 2', 400],
    ['application/json', '[1, 2]', 422],
    ['application/json', '{"status":"a\\u0000b"}', 400],
    ['application/json', '{"status":"\\ud800"}', 400],
    ['application/json', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 400],
    ['application/x-www-form-urlencoded', 'status=%00', 400],
    ['application/x-www-form-urlencoded', 'status=%ff', 400],
    ['application/x-www-form-urlencoded', 'status=%zz', 400],
    ['application/x-www-form-urlencoded', 'status=a&status[b]=c', 400],
    ['text/csv', 'a,b', 415],
    ['multipart/form-data; boundary=x', '--x\r\nbroken', 400],
  ]
  for (const [type, body, status] of bodies) {
    const response = await alice.request('POST', '/api/v1/statuses', { body, headers: { 'content-type': type } })
    assert.equal(response.status, status, `${type} ${body.slice(0, 40)}`)
    assert.equal(typeof (response.json as { error?: unknown }).error, 'string')
  }
  const long = await alice.request('POST', '/api/v1/statuses', {
    body: JSON.stringify({ status: 'x'.repeat(2 * 1024 * 1024) }),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(long.status, 413)
  assert.equal((await alice.get('/health')).status, 200)
})

test('ids and parameters of the wrong type never cause a 500', async t => {
  const { alice } = await people(t, 'alice')
  const paths = [
    '/api/v1/accounts/99999999999999999999999',
    '/api/v1/accounts/-1',
    '/api/v1/accounts/abc',
    '/api/v1/accounts/%00',
    '/api/v1/statuses/9223372036854775808',
    '/api/v1/statuses/1e3',
    '/api/v1/timelines/home?limit=abc',
    '/api/v1/timelines/home?max_id=99999999999999999999999',
    '/api/v1/timelines/home?max_id[]=1',
    '/api/v1/timelines/home?limit=-5',
    '/api/v1/timelines/tag/%F0%9F%98%80',
    '/api/v1/accounts/relationships?id=1&id[a]=2',
    '/api/v1/notifications?types[a]=b',
    '/api/v1/accounts/lookup?acct[]=x',
    '/api/v2/search?q[]=1',
  ]
  for (const path of paths) {
    const response = await alice.get(path)
    assert.ok(response.status < 500, `${path} answers ${response.status} ${response.text}`)
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', path)
  }
})

test('a response without a body has the type text/html', async t => {
  const { alice } = await people(t, 'alice')
  for (const [method, path, status] of [
    ['POST', `/api/v1/accounts/${alice.id}/email_subscriptions`, 404],
    ['GET', '/.well-known/webfinger', 400],
    ['OPTIONS', '/api/v1/statuses', 200],
  ] as const) {
    const response = await alice.request(method, path)
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.text],
      [status, 'text/html', ''],
      path,
    )
  }
  const nothing = await alice.get('/api/v1/donation_campaigns')
  assert.deepEqual([nothing.status, nothing.headers.get('content-type')], [204, null])
})

test('HEAD answers like GET without a body', async () => {
  const response = await (await stranger()).request('HEAD', '/health')
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-length'), '2')
  assert.equal(response.text, '')
})

test('a client that disconnects during a request does no harm', async () => {
  const server = await sharedServer()
  for (let count = 0; count < 20; count += 1) {
    await new Promise<void>(resolve => {
      const socket = connect(server.config.port, '127.0.0.1', () => {
        socket.write('POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"a"', () =>
          socket.destroy(),
        )
      })
      socket.once('close', () => resolve())
    })
  }
  assert.equal((await (await stranger()).get('/health')).status, 200)
})

test('secrets in URLs are kept out of the log, and each line has its request id', async () => {
  const server = await sharedServer()
  const response = await (await stranger()).get('/api/v1/nothing?access_token=very-secret-thing&x=1')
  const line = server.log.find(entry => entry['requestId'] === response.headers.get('x-request-id'))
  assert.equal(line?.['url'], '/api/v1/nothing?access_token=[redacted]&x=1')
  assert.ok(!JSON.stringify(server.log).includes('very-secret-thing'))
})
