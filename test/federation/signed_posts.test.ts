import assert from 'node:assert/strict'
import { createHash, sign } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { test } from 'tap'
import { startPeer, type PeerActor } from '../support/federation/peer.ts'
import { person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

/* Signatures of deliveries, and of requests that were made for another server. */

interface Answer {
  readonly status: number
  readonly error: unknown
}

/** Sends a request with exactly these headers, which may be repeated; `fetch` sets its own Host. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string | string[]>,
  body = '',
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = httpRequest(url, { method, headers }, response => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const error = text.startsWith('{"error"') ? (JSON.parse(text) as { error: unknown }).error : undefined
      resolve({ status: response.statusCode ?? 0, error })
    })
  })
  request.on('error', reject)
  request.end(body)
  return promise
}

const hash = (body: string, name = 'sha256'): string => createHash(name).update(body).digest('base64')
const signed = (actor: PeerActor, text: string): string =>
  sign('RSA-SHA256', Buffer.from(text), actor.keys.privateKey).toString('base64')
const now = (): number => Math.floor(Date.now() / 1000)

interface Changes {
  readonly method?: string
  /** Headers besides Date, Digest and Signature, or in their place; empty ones are not sent. */
  readonly headers?: Record<string, string>
  readonly names?: string
  readonly keyId?: string
  readonly more?: string
  readonly scheme?: string
}

/** Sends a request with a signature as in draft-cavage. */
async function cavage(server: TestServer, actor: PeerActor, body: string, changes: Changes = {}): Promise<Answer> {
  const {
    method = 'POST',
    names = '(request-target) host date digest',
    keyId = actor.keyId,
    more = '',
    scheme = '',
  } = changes
  const url = new URL(method === 'POST' ? `${server.url}/inbox` : `${server.url}${body}`)
  const headers: Record<string, string> = {
    host: url.host,
    date: new Date().toUTCString(),
    ...(method === 'POST' && { digest: `SHA-256=${hash(body)}` }),
    ...changes.headers,
  }
  const lines = names
    .split(' ')
    .map(name => `${name}: ${name === '(request-target)' ? `${method.toLowerCase()} ${url.pathname}` : headers[name]}`)
  const signature = `${scheme}keyId="${keyId}",headers="${names}",algorithm="rsa-sha256"${more},signature="${signed(actor, lines.join('\n'))}"`
  const sent = Object.fromEntries(Object.entries({ ...headers, signature }).filter(([, value]) => value !== ''))
  return send(url.href, method, { accept: 'application/activity+json', ...sent }, method === 'POST' ? body : '')
}

/** Sends a POST with a signature as in RFC 9421. */
async function message(
  server: TestServer,
  actor: PeerActor,
  body: string,
  { digest = `sha-256=:${hash(body)}:`, components = '"@method" "@target-uri" "content-digest"', more = '' } = {},
): Promise<Answer> {
  const url = `${server.url}/inbox`
  const parameters = `(${components});created=${now()};keyid="${actor.keyId}"${more}`
  const values: Record<string, string> = { '"@method"': 'POST', '"@target-uri"': url, '"content-digest"': digest }
  const lines = components.split(' ').map(name => `${name}: ${values[name] ?? ''}`)
  const signature = signed(actor, [...lines, `"@signature-params": ${parameters}`].join('\n'))
  const headers = { 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` }
  return send(url, 'POST', { ...headers, ...(digest !== '' && { 'content-digest': digest }) }, body)
}

test('the digest of a delivery is signed and that of its body', async t => {
  const server = await startServer(t)
  const actor = (await startPeer(t)).actor('bob')
  const body = JSON.stringify(actor.activity('Like', 'https://nowhere.example/1'))
  const right = hash(body)
  const digest = (value: string): Promise<Answer> => cavage(server, actor, body, { headers: { digest: value } })
  for (const value of [`SHA-256=${right}`, `sha-256=${right}`, `SHA-512=${hash(body, 'sha512')},SHA-256=${right}`])
    assert.deepEqual(await digest(value), { status: 202, error: undefined }, value)
  const wrong = hash('another body')
  const short = Buffer.from('short').toString('base64')
  const invalid = 'Invalid Digest value. The provided Digest value is not a'
  for (const [value, error] of [
    ['', 'Digest header missing'],
    ['MD5=a,sha-512=b', 'Mastodon only supports SHA-256 in Digest header. Offered algorithms: MD5, sha-512'],
    ['SHA-256=%%', `${invalid} valid base64 string. Given digest: %%`],
    [`SHA-256=${short}`, `${invalid} SHA-256 digest. Given digest: ${short}`],
    [`SHA-256=${wrong}`, `Invalid Digest value. Computed SHA-256 digest: ${right}; given: ${wrong}`],
  ] as const)
    assert.deepEqual(await digest(value), { status: 401, error })
  assert.deepEqual(await cavage(server, actor, body, { names: '(request-target) host date' }), {
    status: 401,
    error: 'Mastodon requires the Digest header to be signed when doing a POST request',
  })
})

test('a delivery with a signature of RFC 9421 has a Content-Digest', async t => {
  const server = await startServer(t)
  const actor = (await startPeer(t)).actor('bob')
  const body = JSON.stringify(actor.activity('Like', 'https://nowhere.example/1'))
  const right = hash(body)
  const wrong = hash('another body')
  const sha512 = `sha-512=:${hash(body, 'sha512')}:`
  for (const digest of [`sha-256=:${right}:`, `${sha512}, sha-256=:${right}:`, `sha-256=:${right}:;note="a, b", n=1`])
    assert.deepEqual(await message(server, actor, body, { digest }), { status: 202, error: undefined }, digest)
  const unparsed = 'Content-Digest could not be parsed. It does not contain a valid RFC8941 dictionary.'
  const offered = 'Mastodon only supports SHA-256 in Content-Digest header. Offered algorithms: sha-512'
  for (const [digest, status, error] of [
    ['', 401, 'Content-Digest header missing'],
    [sha512, 401, offered],
    [`SHA-256=:${right}:`, 400, unparsed],
    [`sha-256=:${right}`, 400, unparsed],
    [`sha-256=:${right}:,`, 400, unparsed],
    [`sha-256=:${wrong}:`, 401, `Invalid Digest value. Computed SHA-256 digest: ${right}; given: ${wrong}`],
  ] as const)
    assert.deepEqual(await message(server, actor, body, { digest }), { status, error }, digest)
  assert.deepEqual(await message(server, actor, body, { components: '"@method" "@target-uri"' }), {
    status: 401,
    error: 'Mastodon requires the Content-Digest header to be signed when doing a POST request',
  })
  const malformed = 'Error parsing signature parameters'
  for (const components of ['"@method" "@target-uri" "content-digest" "absent"', '"@method";req "@target-uri"', '('])
    assert.deepEqual(await message(server, actor, body, { components }), { status: 400, error: malformed })
})

test('a signed GET or HEAD is accepted, and one for another server refused', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const alice = await person(server, 'alice')
  const actor = (await startPeer(t)).actor('bob')
  const get = (host?: string, method = 'GET'): Promise<Answer> =>
    cavage(server, actor, `/ap/users/${alice.id}`, {
      method,
      names: '(request-target) host date',
      ...(host !== undefined && { headers: { host } }),
    })
  for (const method of ['GET', 'HEAD']) assert.equal((await get(undefined, method)).status, 200, method)
  assert.equal((await get('other.example', 'HEAD')).status, 401)
  const replayed = await get('other.example')
  assert.equal(replayed.status, 401)
  assert.match(String(replayed.error), /^Verification failed for /)
})

test('a key may be named by the handle of its owner', async t => {
  const server = await startServer(t)
  const peer = await startPeer(t)
  const actor = peer.actor('bob')
  const body = JSON.stringify(actor.activity('Like', 'https://nowhere.example/1'))
  assert.equal((await cavage(server, actor, body, { keyId: `acct:${actor.acct}` })).status, 202)
  const asked = peer.asked.length
  const keyId = `acct:${actor.username}@${peer.domain}/elsewhere?a=b`
  const answer = await cavage(server, actor, body, { keyId })
  assert.deepEqual(answer, { status: 401, error: `Public key not found for key ${keyId}` })
  assert.equal(peer.asked.length, asked, 'nothing else than WebFinger is requested')
})

test('the parameters of a signature may be tokens, spaced, and follow the name of the scheme', async t => {
  const server = await startServer(t)
  const actor = (await startPeer(t)).actor('bob')
  const body = JSON.stringify(actor.activity('Like', 'https://nowhere.example/1'))
  const accepted = { status: 202, error: undefined }
  assert.deepEqual(await cavage(server, actor, body, { more: ',opaque=a.b-c , note = "x"' }), accepted)
  assert.deepEqual(await cavage(server, actor, body, { scheme: 'Signature ' }), accepted)
  for (const more of [',opaque', ',=x', ',opaque=a b'])
    assert.deepEqual(await cavage(server, actor, body, { more }), {
      status: 401,
      error: 'Error parsing signature parameters',
    })
})
