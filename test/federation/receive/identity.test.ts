import { generateKeyPairSync } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'tap'
import { PeerActor, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { waitForJobs, hasType } from '../federation_fixtures.ts'
import { accountOf, followActor, findAccountId, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* Who an account of another server is, as names, ids and keys change. */

/** Another actor that has the name of one, as after its server was set up anew. */
function successorOf({ peer, uri, username }: PeerActor): PeerActor {
  const successor = new PeerActor(peer, username, `${uri}/again`)
  const { publicKey, ...document } = peer.documentOf(uri)
  peer.serve({
    ...document,
    id: successor.uri,
    inbox: `${successor.uri}/inbox`,
    publicKey: { ...(publicKey as Document), id: successor.keyId, owner: successor.uri },
  })
  peer.rename(successor, username)
  return successor
}

test('an actor with the handle of a known account replaces it, and gets its Follows again', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const known = await findAccountId(server, bob)
  const first = await peer.next(hasType('Follow'))
  const again = successorOf(bob)
  const status = await waitUntilProcessed(server, alice, again)
  assert.equal(accountOf(status).id, known)
  const { activity, path } = await peer.next(hasType('Follow'))
  assert.deepEqual(
    [activity['id'], activity['object'], path],
    [first.activity['id'], again.uri, `${new URL(again.uri).pathname}/inbox`],
  )
  const [{ following } = {}] = (await alice.get('/api/v1/accounts/relationships', { 'id[]': [known] }))
    .json as Document[]
  assert.equal(following, true)
})

test('a new actor with the same handle stays suspended', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [id])
  const again = successorOf(bob)
  const note = noteTo(server, alice, again, 'it is me')
  assert.equal(await again.send(server, again.create(note)), 202)
  await waitForJobs(t, server, 'federation.receive_lane')
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [])
  const [row] = await sql(server, 'select suspended_at is not null as suspended from accounts where id = $1', [id])
  assert.equal(row?.['suspended'], true)
})

test('an account with a new key gets its Follows again', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  await peer.next(hasType('Follow'))
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const document = peer.documentOf(bob.uri)
  const own = { ...(document['publicKey'] as Document), publicKeyPem }
  // The Update is signed by the key that is known: it is proof.
  await bob.send(server, bob.activity('Update', { ...document, publicKey: own }))
  await waitForJobs(t, server, 'federation.receive_lane')
  const [replaced] = await sql(server, 'select count(*)::integer as keys from replaced_keys where owner = $1', [
    bob.uri,
  ])
  assert.equal(replaced?.['keys'], 1)
  await waitForJobs(t, server, 'federation.send_follows')
  assert.deepEqual(
    peer.received.filter(({ activity }) => hasType('Follow')(activity)),
    [],
  )
  // The document of its server alone is none. For a day it counts as older than the Update.
  await sql(server, `update replaced_keys set replaced_at = now() - interval '2 days'`)
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where uri = $1`, [bob.uri])
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await peer.next(hasType('Follow'))).activity['object'], bob.uri)
})

test('an account whose handle is gone from its server is deleted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  peer.gone.add(bob.username)
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where uri = $1`, [bob.uri])
  await bob.send(server, bob.activity('Like', 'https://nowhere.example/1'))
  await waitForJobs(t, server, 'federation.receive_lane')
  assert.notEqual((await alice.get(`/api/v1/accounts/${id}`)).status, 200)
})

test('no request follows a redirect to a suspended server', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, bad] = [await startPeer(t), await startPeer(t)]
  await sql(server, `insert into domain_blocks (domain, severity) values ($1, 'suspend')`, [bad.domain])
  const icon = { type: 'Image', url: `${peer.url}/avatar.png` }
  const bob = peer.actor('bob', { icon, image: { type: 'Image', url: `${bad.url}/header.png` } })
  peer.redirects.set('/avatar.png', `${bad.url}/avatar.png`)
  const media = { type: 'Document', mediaType: 'image/png', url: `${peer.url}/file.png` }
  peer.redirects.set('/file.png', `${bad.url}/file.png`)
  const note = noteTo(server, alice, bob, 'a picture', { attachment: [media] })
  await bob.send(server, bob.create(note))
  await waitForJobs(t, server, 'federation.receive_lane')
  await waitForJobs(t, server, 'federation.copy_picture')
  assert.ok(peer.asked.includes('/avatar.png'))
  const [file] = await sql(server, 'select id::text from media_attachments where remote_url = $1', [media.url])
  assert.notEqual((await fetch(`${server.url}/media_proxy/${String(file?.['id'])}/original`)).status, 200)
  assert.ok(peer.asked.includes('/file.png'))
  peer.redirects.set('/.well-known/webfinger', `${bad.url}/.well-known/webfinger`)
  const found = await alice.get('/api/v2/search', { q: `@other@${peer.domain}`, resolve: 'true', type: 'accounts' })
  assert.deepEqual(entity(found.json)['accounts'], [])
  assert.ok(peer.asked.includes('/.well-known/webfinger'))
  assert.deepEqual(bad.asked, [])
})
