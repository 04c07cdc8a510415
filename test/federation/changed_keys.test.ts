import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { makeKeyPair, PeerActor, PUBLIC, startPeer } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entity } from '../statuses/status_fixtures.ts'
import { forgetRequests } from './federation_fixtures.ts'
import { accountOf, deliver, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Actors of other servers whose keys change. */

/** Announces other keys by an Update that the old one signs, and waits until it is processed. */
async function announceKeys(person: Person, actor: PeerActor, server: TestServer): Promise<PeerActor['keys']> {
  const { id } = accountOf(await waitUntilProcessed(server, person, actor))
  const keys = makeKeyPair()
  assert.equal(
    await actor.send(server, actor.activity('Update', { ...actor.documentWith(keys), name: 'with a new key' })),
    202,
  )
  const nameOf = async () => entity((await person.get(`/api/v1/accounts/${id}`)).json)['display_name']
  await becomes(nameOf, 'with a new key', 'the Update is processed')
  return keys
}

test('after an Update the new key counts at once, and the old one no longer', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const [kept, removed] = [noteTo(server, alice, carol, 'kept'), noteTo(server, alice, carol, 'removed')]
  const [first, second] = [await deliver(server, alice, carol, kept), await deliver(server, alice, carol, removed)]
  const old = carol.keys
  const keys = await announceKeys(alice, carol, server)
  peer.serve(carol.documentWith(keys))
  assert.equal(await carol.send(server, carol.activity('Delete', kept.id)), 401, 'the old key')
  carol.keys = keys
  assert.equal(await carol.send(server, carol.activity('Delete', removed.id)), 202)
  await waitUntilProcessed(server, alice, carol)
  assert.equal((await alice.get(`/api/v1/statuses/${second.id}`)).status, 404)
  assert.equal((await alice.get(`/api/v1/statuses/${first.id}`)).status, 200)
  carol.keys = old
  assert.equal(await carol.send(server, carol.activity('Delete', carol.uri)), 401)
  assert.equal((await alice.get(`/api/v1/accounts/${accountOf(first).id}`)).status, 200)
})

test('a key that an Update announced signs the Delete of an actor whose document is no longer served', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  carol.keys = await announceKeys(alice, carol, server)
  peer.documents.set(new URL(carol.uri).pathname, 404)
  assert.equal(await carol.send(server, carol.activity('Delete', carol.uri)), 202)
  const found = async () => (await alice.get('/api/v1/accounts/lookup', { acct: carol.acct })).status
  await becomes(found, 404, 'the account is deleted')
})

test('a large key of an actor with a long id is replaced, too', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const short = peer.actor('short')
  const carol = new PeerActor(peer, 'carol', `${peer.url}/users/${randomBytes(1450).toString('base64url')}`)
  carol.keys = generateKeyPairSync('rsa', { modulusLength: 4096 })
  const document = { ...peer.documentOf(short.uri), id: carol.uri, inbox: `${carol.uri}/inbox` }
  peer.serve(document)
  peer.serve(carol.documentWith(carol.keys))
  peer.rename(carol, 'carol')
  const keys = await announceKeys(alice, carol, server)
  peer.serve(carol.documentWith(keys))
  carol.keys = keys
  assert.equal(await carol.send(server, carol.activity('Like', alice.id)), 202)
})

test('an Update gives nobody the key of another', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, mallory] = [peer.actor('carol'), peer.actor('mallory')]
  for (const actor of [carol, mallory]) await waitUntilProcessed(server, alice, actor)
  const keys = makeKeyPair()
  const own = mallory.documentWith(keys)
  const publicKey = { ...entity(own['publicKey']), id: carol.keyId }
  await mallory.send(server, mallory.activity('Update', { ...own, publicKey }))
  await waitUntilProcessed(server, alice, carol)
  peer.documents.set(new URL(carol.uri).pathname, 500)
  assert.equal(await carol.send(server, carol.activity('Like', alice.id)), 202, 'her key is as it was')
})

test('a deleted account does not come back by another key', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, dora] = [peer.actor('carol'), peer.actor('dora')]
  await waitUntilProcessed(server, alice, carol)
  const found = async () => (await alice.get('/api/v1/accounts/lookup', { acct: carol.acct })).status
  assert.equal(await found(), 200)
  assert.equal(await carol.send(server, carol.activity('Delete', carol.uri)), 202)
  await becomes(found, 404, 'the account is deleted')
  carol.keys = makeKeyPair()
  const document = peer.serve(carol.documentWith(carol.keys))
  assert.equal(await carol.send(server, carol.activity('Update', document)), 202)
  const note = noteTo(server, alice, carol, 'still here')
  assert.equal(await carol.send(server, carol.create(peer.serve(note))), 202)
  // What comes from one server is processed in order.
  await waitUntilProcessed(server, alice, dora)
  assert.equal(await found(), 404)
  await dora.send(server, dora.activity('Announce', note.id, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, dora)
  await alice.get('/api/v2/search', { q: `@${carol.acct}`, resolve: 'true' })
  await alice.get('/api/v2/search', { q: carol.uri, resolve: 'true' })
  assert.equal(await found(), 404)
})

test('an Update that only names its actor does not bring back a key from an older document', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const old = carol.keys
  carol.keys = await announceKeys(alice, carol, server)
  // The document that is still served has the old key.
  assert.equal(await carol.send(server, carol.activity('Update', carol.uri)), 202)
  await waitUntilProcessed(server, alice, carol)
  carol.keys = old
  assert.equal(await carol.send(server, carol.activity('Delete', carol.uri)), 401)
})

test('an older document does not bring back a key that an Update has replaced', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const { id } = accountOf(await waitUntilProcessed(server, alice, carol))
  const old = carol.keys
  const keys = makeKeyPair()
  const minute = (past: number): string => new Date(Date.now() - past * 60_000).toISOString()
  const update = { ...carol.documentWith(keys), name: 'with a new key', updated: minute(2) }
  assert.equal(await carol.send(server, carol.activity('Update', update)), 202)
  const nameOf = async () => entity((await alice.get(`/api/v1/accounts/${id}`)).json)['display_name']
  await becomes(nameOf, 'with a new key', 'the Update is processed')
  const send = (): Promise<number> => carol.send(server, carol.activity('Like', alice.id))
  // A cache still has the first document.
  const first = peer.documentOf(carol.uri)
  assert.equal(await send(), 401, 'the old key')
  peer.serve({ ...first, updated: minute(3) })
  assert.equal(await send(), 401, 'the old key')
  carol.keys = keys
  assert.equal(await send(), 202, 'the new key')
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where id = $1`, [id])
  await waitUntilProcessed(server, alice, carol)
  assert.equal(await nameOf(), 'with a new key')
  carol.keys = old
  assert.equal(await send(), 401, 'the old key after the account was fetched')
  peer.serve({ ...first, updated: minute(1) })
  await forgetRequests(server)
  await becomes(send, 202, 'the account has its old key again')
})
