import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'
import { entity, picture, upload } from '../../media/attachments/media_fixtures.ts'
import { makeToken, people } from '../../support/people.ts'
import { RawConnection, type RawResponse } from '../../support/raw_http.ts'
import { startServer, type ServerAddress } from '../../support/server.ts'

async function open(t: Test, server: ServerAddress): Promise<RawConnection> {
  const connection = await RawConnection.open(server.url)
  t.after(() => connection.close())
  return connection
}

const HOST = 'Host: example.com'

/**
 * Sends HEAD and GET twice each on one connection, and compares the headers. A body after the
 * response to HEAD would be parsed as the next response.
 */
async function compare(connection: RawConnection, path: string, headers: readonly string[] = []): Promise<RawResponse> {
  const ask = (method: string): Promise<RawResponse> =>
    connection.request(`${method} ${path} HTTP/1.1`, [HOST, ...headers])
  for (let times = 0; times < 2; times += 1) {
    const head = await ask('HEAD')
    const get = await ask('GET')
    for (const name of ['content-type', 'content-length', 'content-encoding', 'location', 'etag', 'cache-control']) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${name} of ${path}`)
    }
    assert.equal(head.status, get.status, path)
  }
  return ask('HEAD')
}

test('HEAD has the headers of GET without a body, and the connection stays usable', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('a post')
  const file = new URL(String(entity(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))['url']))
  const connection = await open(t, server)
  const token = `Authorization: Bearer ${alice.token}`
  const cases: [path: string, status: number, ...headers: string[]][] = [
    ['/health', 200],
    ['/health', 200, 'Accept: application/json'],
    ['/api/v1/streaming/health', 200],
    ['/api/v1/instance', 200],
    ['/api/v2/instance', 200, 'Accept-Encoding: gzip'],
    [`/api/v1/statuses/${status.id}`, 200],
    ['/api/v1/accounts/verify_credentials', 200, token],
    ['/api/v1/timelines/home', 200, token],
    ['/api/v1/timelines/home', 401],
    ['/api/v1/accounts/verify_credentials', 401, 'Authorization: Bearer nonsense'],
    ['/api/v1/statuses/1', 404],
    ['/api/v1/accounts/lookup', 404],
    ['/api/v1/directory?limit=x', 200],
    ['/api/v1/accounts/verify_credentials', 422, `Authorization: Bearer ${await makeToken(server, null)}`],
    ['/api/v1/nothing', 404],
    ['/nowhere', 404],
    ['/nowhere', 404, 'Accept: text/html'],
    ['/api/v1/apps', 404],
    ['/auth/sign_in', 200, 'Accept: text/html'],
    ['/auth/edit', 302, 'Accept: text/html'],
    ['/about', 200, 'Accept: text/html', 'Accept-Encoding: br'],
    [`/@${alice.username}`, 200, 'Accept: text/html'],
    ['/assets/style.css', 200],
    ['/avatars/original/missing.png', 200],
    [file.pathname, 200],
    [file.pathname.replace(/\w+\.png$/, 'none.png'), 404],
    ['/.well-known/webfinger', 400],
  ]
  for (const [path, expected, ...headers] of cases) {
    assert.equal((await compare(connection, path, headers)).status, expected, `${path} ${headers.join()}`)
  }
  for (const path of ['/api/v1/instance', '/assets/style.css', file.pathname]) {
    const etag = (await compare(connection, path)).headers.get('etag') ?? ''
    assert.equal((await compare(connection, path, [`If-None-Match: ${etag}`])).status, 304, path)
  }
})

test('HEAD has the whole length of a file, whatever range is requested', async t => {
  const { alice, server } = await people(t, 'alice')
  const file = new URL(String(entity(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))['url']))
  const connection = await open(t, server)
  const whole = await connection.request(`GET ${file.pathname} HTTP/1.1`, [HOST])
  const head = await connection.request(`HEAD ${file.pathname} HTTP/1.1`, [HOST, 'Range: bytes=1-3'])
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(whole.body.length)])
  assert.equal((await connection.request('GET /health HTTP/1.1', [HOST])).body, 'OK')
})

test('HEAD of a stream ends, and the connection stays usable', async t => {
  const { alice, server } = await people(t, 'alice')
  const connection = await open(t, server)
  const head = await connection.request('HEAD /api/v1/streaming/user HTTP/1.1', [
    HOST,
    `Authorization: Bearer ${alice.token}`,
  ])
  assert.equal(head.status, 200)
  assert.match(head.headers.get('content-type') ?? '', /^text\/event-stream/)
  assert.equal(head.headers.get('content-length'), undefined, 'GET has none')
  assert.equal((await connection.request('GET /health HTTP/1.1', [HOST])).body, 'OK')
})

test('HEAD beyond a limit or from a blocked address has no body either', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const connection = await open(t, server)
  const statuses = new Set<number>()
  // A window allows thirty, and there may be two windows.
  for (let times = 0; times < 70; times += 1) {
    statuses.add((await connection.request('HEAD /media_proxy/1/small HTTP/1.1', [HOST])).status)
  }
  assert.ok(statuses.has(429), [...statuses].join(' '))
  assert.equal((await connection.request('GET /health HTTP/1.1', [HOST])).body, 'OK')
  const ctl = await createCommandLine(t, server.databaseUrl)
  await ctl.ok('ip_blocks', 'add', '203.0.113.9', '--severity', 'no_access')
  const from = [HOST, 'X-Forwarded-For: 203.0.113.9']
  const ask = async (): Promise<number> => (await connection.request('HEAD /health HTTP/1.1', from)).status
  // The server learns of it through the log: repeat until it has.
  for (let tries = 0; tries < 500 && (await ask()) !== 403; tries += 1);
  assert.equal(await ask(), 403)
  assert.equal((await connection.request('GET /health HTTP/1.1', [HOST])).body, 'OK')
})
