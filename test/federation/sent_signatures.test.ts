import assert from 'node:assert/strict'
import { createHash, verify, type KeyLike } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'tap'
import { entity } from '../statuses/status_fixtures.ts'
import { Client } from '../support/client.ts'
import { startPeer } from '../support/federation/peer.ts'
import { people } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { json, startHostile } from './hostile_fixtures.ts'
import { accountOf, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Signatures of this server's requests. */

/** A request as its receiver sees it. */
interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body?: string
}

const headerOf = ({ headers }: Seen, name: string): string => String(headers[name] ?? '')
const digestOf = (body = ''): string => createHash('sha256').update(body).digest('base64')

async function keyOf(server: TestServer, keyId: string): Promise<KeyLike> {
  const document = await new Client(server).get(new URL(keyId).pathname, {}, { accept: 'application/activity+json' })
  const key = entity(entity(document.json)['publicKey'])
  assert.equal(key.id, keyId)
  return String(key['publicKeyPem'])
}

/** Verifies a signature as in draft-cavage; the id of the key and what is signed. */
async function verifyCavage(server: TestServer, seen: Seen): Promise<{ keyId: string; signed: string }> {
  const pattern = /^keyId="([^"]+)",algorithm="rsa-sha256",headers="([^"]+)",signature="([^"]+)"$/
  const [, keyId = '', signed = '', signature = ''] = pattern.exec(headerOf(seen, 'signature')) ?? []
  const { pathname, search } = new URL(seen.url)
  const lines = signed
    .split(' ')
    .map(
      name =>
        `${name}: ${name === '(request-target)' ? `${seen.method.toLowerCase()} ${pathname}${search}` : headerOf(seen, name)}`,
    )
  const key = await keyOf(server, keyId)
  assert.ok(verify('RSA-SHA256', Buffer.from(lines.join('\n')), key, Buffer.from(signature, 'base64')), 'signature')
  if (seen.body !== undefined) assert.equal(headerOf(seen, 'digest'), `SHA-256=${digestOf(seen.body)}`)
  return { keyId, signed }
}

/** Verifies a signature as in RFC 9421; the id of the key and what is signed. */
async function verifyRfc9421(server: TestServer, seen: Seen): Promise<{ keyId: string; signed: string }> {
  const [, parameters = ''] = /^sig1=(.*)$/.exec(headerOf(seen, 'signature-input')) ?? []
  const [, signed = '', keyId = ''] = /^\(([^)]*)\);created=\d+;keyid="([^"]+)"/.exec(parameters) ?? []
  const [, signature = ''] = /^sig1=:(.*):$/.exec(headerOf(seen, 'signature')) ?? []
  const values: Record<string, string> = { '"@method"': seen.method, '"@target-uri"': seen.url }
  const lines = signed.split(' ').map(name => `${name}: ${values[name] ?? headerOf(seen, name.replaceAll('"', ''))}`)
  const text = Buffer.from([...lines, `"@signature-params": ${parameters}`].join('\n'))
  assert.ok(verify('RSA-SHA256', text, await keyOf(server, keyId), Buffer.from(signature, 'base64')), 'signature')
  if (seen.body !== undefined) assert.equal(headerOf(seen, 'content-digest'), `sha-256=:${digestOf(seen.body)}:`)
  return { keyId, signed }
}

test('a delivery is signed by its author, and again by RFC 9421 if that is refused', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  // Another spelling of the same address.
  const inbox = `${peer.url.toUpperCase()}/users/./${bob.username}/inbox?for=Bob B`
  peer.serve({ ...peer.documentOf(bob.uri), inbox, endpoints: {} })
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  peer.refuses = 401
  peer.refusesRfc9421 = 202
  peer.received.length = 0
  await alice.post(`/api/v1/accounts/${id}/follow`)
  const seen: Seen[] = []
  for (const _ of [1, 2]) {
    const { path, headers, body } = await peer.next(() => true)
    seen.push({ method: 'POST', url: `${peer.url}${path}`, headers, body })
  }
  const [first, second] = seen
  assert.ok(first && second)
  assert.equal(first.url, `${peer.url}/users/${bob.username}/inbox?for=Bob%20B`)
  const keyId = `${server.url}/ap/users/${alice.id}#main-key`
  assert.deepEqual(await verifyCavage(server, first), {
    keyId,
    signed: '(request-target) host date digest content-type',
  })
  assert.deepEqual(await verifyRfc9421(server, second), { keyId, signed: '"@method" "@target-uri" "content-digest"' })
  for (const one of seen) {
    assert.equal(headerOf(one, 'content-type'), 'application/activity+json')
    assert.match(headerOf(one, 'user-agent'), /^Millrace\/[\d.]+\S* \(\+http:\/\/127\.0\.0\.1:\d+\)$/)
  }
  assert.deepEqual(peer.received, [], 'it is sent twice')
})

test('a document is requested by the instance actor, and again by RFC 9421 after 400 and 401', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  for (const status of [400, 401]) {
    const bob = host.peer.actor('bob')
    const seen: Seen[] = []
    host.on(new URL(bob.uri).pathname, (response, { url = '', headers }) => {
      seen.push({ method: 'GET', url: `${host.url}${url}`, headers })
      if (headers['signature-input'] === undefined) response.writeHead(status).end()
      else json(response, host.peer.documentOf(bob.uri))
    })
    const found = await alice.get('/api/v2/search', { q: `${bob.uri}?a=b#c`, resolve: 'true', type: 'accounts' })
    assert.equal(found.status, 200)
    const [first, second] = seen
    assert.ok(first && second)
    const keyId = `${server.url}/actor#main-key`
    assert.deepEqual(await verifyCavage(server, first), { keyId, signed: '(request-target) host date' })
    assert.deepEqual(await verifyRfc9421(server, second), { keyId, signed: '"@method" "@target-uri"' })
  }
})
