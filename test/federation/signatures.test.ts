import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type Test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { Client } from '../support/client.ts'
import { suspendHost } from '../support/federation/domain_rules.ts'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'

/* Signatures of other servers' requests. */

/** The key of another server's actor, and a server that shows it. */
interface Signer {
  readonly uri: string
  privateKey: KeyObject
  /** Replaces the key, as a server does after an accident. */
  change(): void
  /** How often the actor was asked for. */
  readonly asked: () => number
}

async function startSigner(t: Test): Promise<Signer> {
  const pair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
    generateKeyPairSync('rsa', { modulusLength: 2048 })
  let keys = pair()
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    const publicKeyPem = keys.publicKey.export({ type: 'spki', format: 'pem' })
    const publicKey = { id: `${signer.uri}#main-key`, owner: signer.uri, publicKeyPem }
    const document = { '@context': 'https://www.w3.org/ns/activitystreams', id: signer.uri, type: 'Person' }
    const actor = { ...document, preferredUsername: 'carol', inbox: `${signer.uri}/inbox`, publicKey }
    response.writeHead(200, { 'content-type': 'application/activity+json' }).end(JSON.stringify(actor))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(
    () =>
      new Promise<void>(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const signer: Signer = {
    uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/users/carol`,
    privateKey: keys.privateKey,
    change() {
      keys = pair()
      this.privateKey = keys.privateKey
    },
    asked: () => asked,
  }
  return signer
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64')
const now = (): number => Math.floor(Date.now() / 1000)

interface Changes {
  /** Headers in the place of those that are sent. */
  readonly headers?: Record<string, string>
  /** The names of the signed headers. */
  readonly names?: string
  /** The parameters in the place of those that are sent; undefined leaves one out. */
  readonly parameters?: Record<string, string | undefined>
}

/** The headers of a GET with a signature as in draft-cavage. */
function cavage(url: string, signer: Signer, { headers = {}, names, parameters = {} }: Changes = {}) {
  const { host, pathname, search } = new URL(url)
  const sent: Record<string, string> = { host, date: new Date().toUTCString(), ...headers }
  const signed = names ?? '(request-target) host date'
  const all: Record<string, string | undefined> = {
    keyId: `${signer.uri}#main-key`,
    algorithm: 'rsa-sha256',
    headers: signed,
    ...parameters,
  }
  const lines = signed.split(' ').map(name => {
    if (name === '(request-target)') return `${name}: get ${pathname}${search}`
    if (name.startsWith('(')) return `${name}: ${all[name.slice(1, -1)] ?? ''}`
    return `${name}: ${sent[name] ?? ''}`
  })
  const signature = sign('RSA-SHA256', Buffer.from(lines.join('\n')), signer.privateKey).toString('base64')
  const text = Object.entries({
    ...all,
    signature,
    ...('signature' in parameters && { signature: parameters['signature'] }),
  })
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${value}"`]))
    .join(',')
  const { host: _, ...rest } = sent
  return { accept: 'application/activity+json', ...rest, signature: text }
}

/** The headers of a GET with a signature as in RFC 9421. */
function message(url: string, signer: Signer, components = '"@method" "@target-uri"', created = now()) {
  const parameters = `(${components});created=${created};keyid="${signer.uri}#main-key"`
  const lines = components.split(' ').map(name => `${name}: ${name === '"@method"' ? 'GET' : url}`)
  const text = [...lines, `"@signature-params": ${parameters}`].join('\n')
  const signature = sign('RSA-SHA256', Buffer.from(text), signer.privateKey).toString('base64')
  return {
    accept: 'application/activity+json',
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature}:`,
  }
}

test('in authorized fetch mode a document needs an acceptable signature', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const [alice, signer, anonymous] = [await person(server, 'alice'), await startSigner(t), new Client(server)]
  const path = `/ap/users/${alice.id}`
  const url = `${server.url}${path}`
  const get = async (headers: Record<string, string>, at = path): Promise<[number, unknown]> => {
    const answer = await anonymous.get(at, {}, headers)
    const error = (answer.json as { error?: string } | undefined)?.error
    return [answer.status, answer.status === 200 ? undefined : error]
  }
  const good = await anonymous.get(path, {}, cavage(url, signer))
  assert.equal(good.status, 200, good.text)
  assert.equal(good.headers.get('cache-control'), 'private, no-store')
  assert.match(good.headers.get('vary') ?? '', /\bSignature\b/)
  assert.deepEqual(await get(message(url, signer)), [200, undefined])
  const created = {
    parameters: { algorithm: 'hs2019', created: String(now()) },
    names: '(request-target) host (created)',
  }
  assert.deepEqual(await get(cavage(url, signer, created)), [200, undefined])
  // Some servers leave the query out of what they sign.
  assert.deepEqual(await get(cavage(url, signer), `${path}?a=b`), [200, undefined])
  assert.equal(signer.asked(), 1, 'the key is kept')

  const old = new Date(Date.now() - 3 * 3_600_000).toUTCString()
  const late = 'Signed request date outside acceptable time window'
  const named = 'Mastodon requires the'
  const pseudo = { ...created, parameters: { algorithm: 'rsa-sha256', created: String(now()) } }
  for (const [headers, text] of [
    [{ accept: 'application/activity+json' }, 'Request not signed'],
    [{ accept: 'application/json' }, 'Request not signed'],
    [
      cavage(url, signer, { parameters: { keyId: undefined } }),
      'Incompatible request signature. keyId and signature are required',
    ],
    [
      cavage(url, signer, { parameters: { algorithm: 'hmac-sha256' } }),
      'Unsupported signature algorithm (only rsa-sha256 and hs2019 are supported)',
    ],
    [cavage(url, signer, { headers: { date: old } }), late],
    [cavage(url, signer, { headers: { date: new Date(Date.now() + 2 * 3_600_000).toUTCString() } }), late],
    [cavage(url, signer, { headers: { date: 'soon' } }), 'Invalid Date header: soon'],
    [
      cavage(url, signer, { names: '(request-target) host' }),
      `${named} Date header or (created) pseudo-header to be signed`,
    ],
    [
      cavage(url, signer, { names: 'host date' }),
      `${named} Digest header or (request-target) pseudo-header to be signed`,
    ],
    [
      cavage(url, signer, { names: '(request-target) date' }),
      `${named} Host header to be signed when doing a GET request`,
    ],
    [cavage(url, signer, pseudo), 'Invalid pseudo-header (created) for rsa-sha256'],
    [
      cavage(url, signer, { ...created, parameters: { algorithm: 'hs2019' } }),
      'Pseudo-header (created) used but corresponding argument missing',
    ],
    [{ accept: 'application/activity+json', signature: 'what?' }, 'Error parsing signature parameters'],
    [
      { accept: 'application/activity+json', signature: 'keyId="a",keyId="b",signature="c"' },
      'Error parsing signature with duplicate keys',
    ],
    [message(url, signer, '"@method"'), `${named} @method and @target-uri derived components to be signed`],
    [message(url, signer, undefined, now() - 20_000), late],
  ] as const)
    assert.deepEqual(await get(headers), [401, text])
  const forged = cavage(url, signer, { parameters: { signature: sha256('forged') } })
  const verification = `Verification failed for carol@${new URL(signer.uri).host} ${signer.uri} ${signer.uri}#main-key`
  assert.deepEqual(await get(forged), [401, verification])
  assert.deepEqual(await get({ accept: 'application/activity+json', 'signature-input': '(', signature: 'a' }), [
    400,
    'Error parsing signature parameters',
  ])
  // The server's own actor and its addresses stay open, so that keys can be fetched.
  assert.equal((await anonymous.get('/actor')).status, 200)
})

test('a signature counts for five minutes or until it expires, at most twelve hours, and an hour longer', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const [alice, signer, anonymous] = [await person(server, 'alice'), await startSigner(t), new Client(server)]
  const path = `/ap/users/${alice.id}`
  const url = `${server.url}${path}`
  const get = async (headers: Record<string, string>): Promise<[number, unknown]> => {
    const { status, json } = await anonymous.get(path, {}, headers)
    return [status, status === 200 ? undefined : (json as { error: unknown }).error]
  }
  const late = 'Signed request date outside acceptable time window'
  /** With these times in hours from now. */
  const timed = (createdHours: number, expiresHours?: number) => {
    const [created, expires] = [createdHours, expiresHours ?? 0].map(hours => String(now() + hours * 3600))
    const names = `(request-target) host (created)${expiresHours === undefined ? '' : ' (expires)'}`
    const more = expiresHours === undefined ? {} : { expires }
    return cavage(url, signer, { names, parameters: { algorithm: 'hs2019', created, ...more } })
  }
  for (const headers of [timed(-1), timed(0.9), timed(-12, 1), timed(-12.9, 24), timed(-8, -0.9)])
    assert.deepEqual(await get(headers), [200, undefined], headers.signature)
  for (const headers of [timed(-1.2), timed(1.1), timed(1.1, 2), timed(-13.1, 24), timed(-8, -1.1)])
    assert.deepEqual(await get(headers), [401, late], headers.signature)
  const unnamed = {
    names: '(request-target) host (created) (expires)',
    parameters: { algorithm: 'hs2019', created: String(now()) },
  }
  assert.deepEqual(await get(cavage(url, signer, unnamed)), [
    401,
    'Pseudo-header (expires) used but corresponding argument missing',
  ])
})

test('a changed key is fetched again, once; a key of a suspended server is refused', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const [alice, signer, anonymous] = [await person(server, 'alice'), await startSigner(t), new Client(server)]
  const url = `${server.url}/ap/users/${alice.id}`
  const ask = () => anonymous.get(`/ap/users/${alice.id}`, {}, cavage(url, signer))
  assert.equal((await ask()).status, 200)
  signer.change()
  assert.equal((await ask()).status, 200)
  assert.equal(signer.asked(), 2)
  await suspendHost(server, new URL(signer.uri).host)
  await becomes(async () => (await ask()).status, 403, 'the rule applies')
  const refused = await ask()
  assert.deepEqual(
    [refused.status, refused.json],
    [403, { error: `Public key not found for key ${signer.uri}#main-key` }],
  )
})

test('a key that cannot be fetched is a temporary failure', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const [alice, signer, anonymous] = [await person(server, 'alice'), await startSigner(t), new Client(server)]
  const url = `${server.url}/ap/users/${alice.id}`
  const nobody = { ...signer, uri: 'http://127.0.0.1:9/users/nobody' }
  const failed = await anonymous.get(`/ap/users/${alice.id}`, {}, cavage(url, nobody))
  assert.equal(failed.status, 503)
  assert.match((failed.json as { error: string }).error, /^Failed to fetch remote data: /)
  const skipped = await anonymous.get(`/ap/users/${alice.id}`, {}, cavage(url, nobody))
  assert.deepEqual(
    [skipped.status, skipped.json],
    [503, { error: 'Fetching attempt skipped because of recent connection failure' }],
  )
})

test('a signed request gets what its signer may see; blocked signers get nothing', async t => {
  const server = await startServer(t)
  const [alice, signer, anonymous] = [await person(server, 'alice'), await startSigner(t), new Client(server)]
  const carol = await person(server, 'carol', {
    account: { domain: new URL(signer.uri).host, uri: signer.uri },
  })
  const [secret, open] = [await alice.postStatus('secret', { visibility: 'private' }), await alice.postStatus('open')]
  const status = async (path: string): Promise<number> =>
    (await anonymous.get(path, {}, cavage(`${server.url}${path}`, signer))).status
  const note = (id: string): string => `/ap/users/${alice.id}/statuses/${id}`
  assert.equal(await status(note(secret.id)), 404)
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [carol.id, alice.id])
  assert.equal(await status(note(secret.id)), 200)
  for (const path of ['', '/activity', '/replies', '/replies?page=true', '/likes', '/shares'].map(
    rest => `${note(secret.id)}${rest}`,
  )) {
    const { headers } = await anonymous.get(path, {}, cavage(`${server.url}${path}`, signer))
    assert.equal(headers.get('cache-control'), 'private, no-store', path)
  }
  const synchronization = `/ap/users/${alice.id}/followers_synchronization`
  const answer = await anonymous.get(synchronization, {}, cavage(`${server.url}${synchronization}`, signer))
  assert.deepEqual((answer.json as { orderedItems: unknown }).orderedItems, [signer.uri])
  assert.equal(await status(note(open.id)), 200)
  await sql(server, 'insert into account_domain_blocks (account_id, domain) values ($1, $2)', [
    alice.id,
    new URL(signer.uri).host,
  ])
  assert.equal(await status(note(open.id)), 404)
  await sql(server, `update account_domain_blocks set domain = 'handles.example'`)
  assert.equal(await status(note(open.id)), 200)
  await sql(server, `update accounts set domain = 'handles.example' where id = $1`, [carol.id])
  assert.equal(await status(note(open.id)), 404, 'the domain of the handle is blocked')
})
