import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'tap'
import { startPeer, type Document } from '../support/federation/peer.ts'
import { person } from '../support/people.ts'
import { startServer } from '../support/server.ts'

test('a revoked, expired or unlisted key is refused', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const peer = await startPeer(t)
  const path = `/ap/users/${alice.id}`
  const [past, future] = [-60_000, 60_000].map(ms => new Date(Date.now() + ms).toISOString())
  /** What somebody is told whose key has these members. */
  const told = async (more: Document): Promise<{ keyId: string; status: number; error: unknown }> => {
    const actor = peer.actor('somebody')
    const document = peer.documentOf(actor.uri)
    peer.serve({ ...document, publicKey: { ...(document['publicKey'] as Document), ...more } })
    const { status, text } = await actor.ask(server, path)
    return { keyId: actor.keyId, status, error: (JSON.parse(text) as Document)['error'] }
  }
  for (const more of [{ revoked: past }, { revoked: past, expires: past }, { revoked: 'some time ago' }]) {
    const { keyId, status, error } = await told(more)
    assert.deepEqual([status, error], [401, `Key ${keyId} is revoked`])
  }
  const { keyId, status, error } = await told({ expires: past })
  assert.deepEqual([status, error], [401, `Key ${keyId} has expired`])
  assert.equal((await told({ expires: future, revoked: future })).status, 200)
  for (const response of [403, 500]) {
    const hidden = peer.actor('hidden')
    peer.documents.set(new URL(hidden.uri).pathname, response)
    const refused = await hidden.ask(server, path)
    assert.equal(refused.status, 503)
    assert.match(refused.text, /Failed to fetch remote data/)
  }
})

test('of many keys the first ten count; one that is too large is none', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const peer = await startPeer(t)
  const path = `/ap/users/${alice.id}`
  /** Whether an actor is answered whose document lists other keys before its own. */
  const ask = async (others: number, more: Document = {}) => {
    const actor = peer.actor('somebody')
    const document = peer.documentOf(actor.uri)
    const own = document['publicKey'] as Document
    const publicKey = Array.from({ length: others }, (_, at) => ({ ...own, id: `${actor.uri}#key${at}` }))
    peer.serve({ ...document, publicKey: [...publicKey, { ...own, ...more }] })
    const { status, text } = await actor.ask(server, path)
    return { status, error: status === 200 ? undefined : (JSON.parse(text) as Document)['error'], keyId: actor.keyId }
  }
  assert.equal((await ask(9)).status, 200)
  const beyond = await ask(10)
  assert.deepEqual([beyond.status, beyond.error], [401, `Public key not found for key ${beyond.keyId}`])
  for (const bytes of [2048, 400_000]) {
    const jwk = { kty: 'RSA', n: Buffer.alloc(bytes, 0xff).toString('base64url'), e: 'AQAB' }
    const publicKeyPem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
    const large = await ask(0, { publicKeyPem })
    assert.deepEqual([large.status, large.error], [401, `Public key not found for key ${large.keyId}`])
  }
})
