import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { test } from 'tap'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { becomes } from '../platform/settings/pair.ts'
import { localUri, makeKeyPair, startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { forgetRequests } from './federation_fixtures.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'

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

/** An account that somebody has searched for two days ago, and that has sent nothing since. */
async function knownActor(server: TestServer, alice: Person, actor: PeerActor): Promise<void> {
  const { json } = await alice.get('/api/v2/search', { q: `@${actor.acct}`, resolve: 'true', type: 'accounts' })
  const [found] = entities(entity(json)['accounts'])
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where id = $1`, [found?.id])
}

const isFound = async (alice: Person, { acct }: PeerActor): Promise<number> =>
  (await alice.get('/api/v1/accounts/lookup', { acct })).status

test('a missing document brings back no key that is outdated, and makes no other key valid', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [moved, gone, rotated, strange] = [
    peer.actor('moved'),
    peer.actor('gone'),
    peer.actor('rotated'),
    peer.actor('strange'),
  ]
  const hide = (actor: PeerActor, answer: number) => peer.documents.set(new URL(actor.uri).pathname, answer)
  const like = (actor: PeerActor) => actor.send(server, actor.activity('Like', alice.id))
  for (const actor of [moved, gone, rotated]) await knownActor(server, alice, actor)
  assert.equal((hide(strange, 404), await like(strange)), 401, 'an unknown actor')

  peer.serve(moved.documentWith(makeKeyPair()))
  assert.equal(await like(moved), 401, 'its document lists another key')
  await sql(server, 'delete from remote_keys where owner = $1', [moved.uri])
  assert.equal((hide(moved, 404), await like(moved)), 401, 'its last document listed another key')

  assert.equal((hide(gone, 410), await like(gone)), 401, 'it is deleted')

  const [old, keys] = [rotated.keys, makeKeyPair()]
  const update = { ...rotated.documentWith(keys), name: 'with a new key' }
  assert.equal(await rotated.send(server, rotated.activity('Update', update)), 202)
  const lookUp = () => alice.get('/api/v1/accounts/lookup', { acct: rotated.acct })
  await becomes(async () => entity((await lookUp()).json)['display_name'], 'with a new key', 'the Update is processed')
  await sql(server, 'delete from remote_keys where owner = $1', [rotated.uri])
  hide(rotated, 404)
  assert.equal(await like(rotated), 401, 'the old key')
  rotated.keys = keys
  assert.equal(await like(rotated), 202, 'the new key')
  rotated.keys = old
  assert.equal(await like(rotated), 401, 'the old key, when the new one was used')
  hide(rotated, 403)
  await forgetRequests(server)
  await becomes(() => like(rotated), 503, 'it may have another key')
})

test('the key of a known account counts while its server does not serve its document', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const first = peer.actor('first')
  const adopt = (keyId: string): PeerActor => {
    const document = peer.documentOf(peer.actor('somebody').uri)
    const id = String(document['id'])
    return peer.adopt({
      ...document,
      id,
      preferredUsername: String(document['preferredUsername']),
      publicKey: { ...(document['publicKey'] as Document), id: `${id}${keyId}` },
    })
  }
  // As Misskey hides suspended and deleted users, as a firewall answers, and as a server that is
  // down: after that nothing is fetched for some minutes.
  for (const [actor, answer] of [
    [first, 404],
    [adopt('/main-key'), 404],
    [adopt('/#main-key'), 403],
    [peer.actor('last'), 500],
  ] as const) {
    await knownActor(server, alice, actor)
    assert.equal(await isFound(alice, actor), 200)
    for (const uri of [actor.uri, actor.keyId]) peer.documents.set(new URL(uri).pathname, answer)
    assert.equal(await actor.send(server, actor.activity('Delete', actor.uri)), 202, `${actor.keyId} ${answer}`)
    await becomes(() => isFound(alice, actor), 404, 'the account is deleted')
  }
})

// The last test of the file: afterwards no keys are fetched for this address.
test('a failed connection to another server makes no outdated key valid', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const actor = peer.actor('rotated')
  const nobody = peer.actor('nobody')
  const dead = peer.adopt({
    ...peer.documentOf(nobody.uri),
    id: nobody.uri,
    preferredUsername: nobody.username,
    publicKey: { id: 'http://127.0.0.1:9/users/nobody#main-key' },
  })
  await knownActor(server, alice, actor)
  peer.serve(actor.documentWith(makeKeyPair()))
  assert.equal(await dead.send(server, dead.activity('Like', alice.id)), 503)
  assert.notEqual(await actor.send(server, actor.activity('Delete', actor.uri)), 202)
  assert.equal(await isFound(alice, actor), 200)
})

test('requests with a wrong signature or a missing key cause few requests to the server of the key', async t => {
  const server = await startServer(t, { oneProcess: 'each remembers what it has asked for' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const peer = await startPeer(t)
  const [carol, dora, nobody] = [peer.actor('carol'), peer.actor('dora'), peer.actor('nobody')]
  for (const actor of [carol, dora]) await waitUntilProcessed(server, alice, actor)
  const countOf = ({ uri }: PeerActor): number => peer.asked.filter(path => path === new URL(uri).pathname).length
  const like = (actor: PeerActor) => actor.send(server, actor.activity('Like', alice.id))
  const leave = (actor: PeerActor) => actor.send(server, actor.activity('Delete', actor.uri))
  const before = countOf(carol)
  carol.keys = makeKeyPair()
  for (let round = 0; round < 5; round += 1) assert.equal(await like(carol), 401)
  assert.equal(countOf(carol), before + 1)
  const statuses = await Promise.all(Array.from({ length: 5 }, () => leave(carol)))
  assert.deepEqual(new Set([...statuses, await leave(carol)]), new Set([401, 503]))
  assert.ok(countOf(carol) <= before + 6, 'whether she is deleted is asked once')
  const asked = countOf(carol)
  assert.equal(await leave(carol), 503)
  assert.equal(countOf(carol), asked)
  peer.serve(carol.documentWith(carol.keys))
  assert.equal(await like(carol), 401)
  await forgetRequests(server)
  await becomes(() => like(carol), 202, 'the changed key is requested after some minutes')
  const known = countOf(dora)
  dora.keys = carol.keys
  peer.serve(dora.documentWith(dora.keys))
  const many = await Promise.all(Array.from({ length: 20 }, () => like(dora)))
  assert.deepEqual(new Set(many), new Set([202]), 'a changed key counts for all that wait for it')
  assert.ok(countOf(dora) <= known + 8, `${countOf(dora) - known} requests`)

  const fresh = peer.actor('fresh')
  const first = await Promise.all(Array.from({ length: 20 }, () => like(fresh)))
  assert.deepEqual(new Set(first), new Set([202]), 'a new key counts for all that wait for it')
  assert.ok(countOf(fresh) <= 9, `${countOf(fresh)} requests`)

  const path = new URL(nobody.uri).pathname
  const document = peer.documentOf(nobody.uri)
  peer.documents.delete(path)
  for (let round = 0; round < 5; round += 1) assert.equal(await like(nobody), 401)
  assert.equal(countOf(nobody), 1)
  peer.serve(document)
  await forgetRequests(server)
  await becomes(() => like(nobody), 202, 'the key is there now')
})

test('for the requests of one client eight servers are asked at once whether an actor is deleted', async t => {
  const server = await startServer(t, { oneProcess: 'each has limits of its own' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const actors = (await Promise.all(Array.from({ length: 12 }, () => startPeer(t)))).map(peer => peer.actor('known'))
  const keys = makeKeyPair()
  for (const actor of actors) {
    await waitUntilProcessed(server, alice, actor)
    actor.keys = keys
    assert.equal(await actor.send(server, actor.activity('Like', alice.id)), 401)
  }
  const [released, full] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  for (const { peer, uri } of actors) {
    const answer = peer.answer.bind(peer)
    peer.answer = (...request) => {
      // Jobs may ask for the collections of the actor.
      if (request[0].url !== new URL(uri).pathname) return answer(...request)
      asked += 1
      if (asked === 8) full.resolve()
      void released.promise.then(() => answer(...request))
    }
  }
  const sent = actors.map(actor => actor.send(server, actor.activity('Delete', actor.uri)))
  await full.promise
  assert.equal((await alice.get('/api/v1/timelines/home')).status, 200)
  assert.equal(asked, 8)
  released.resolve()
  assert.deepEqual(new Set(await Promise.all(sent)), new Set([401]))
})

test('for the requests of one client eight keys are fetched at once', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const known = (await startPeer(t)).actor('known')
  await waitUntilProcessed(server, alice, known)
  const [released, full] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let asked = 0
  // Each server is asked by few connections anyway.
  const silent = await Promise.all(Array.from({ length: 20 }, () => startPeer(t)))
  for (const peer of silent) {
    const answer = peer.answer.bind(peer)
    peer.answer = (...request) => {
      asked += 1
      if (asked === 8) full.resolve()
      void released.promise.then(() => answer(...request))
    }
  }
  const sent = silent.map(peer => {
    const actor = peer.actor('unknown')
    return actor.send(server, actor.activity('Like', localUri(server, alice.id)))
  })
  await full.promise
  // Deliveries with known keys go on.
  await waitUntilProcessed(server, alice, known)
  assert.equal(asked, 8)
  released.resolve()
  for (const status of await Promise.all(sent)) assert.equal(status, 202)
})
