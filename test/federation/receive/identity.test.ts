import { generateKeyPairSync } from 'node:crypto'
import assert from 'node:assert/strict'
import { test } from 'tap'
import { PeerActor, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { finished, typed } from '../federation_fixtures.ts'
import { accountOf, followActor, idOfActor, noteTo, settle } from './receive_fixtures.ts'

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

test('who has the name of a known account is that account, and is asked again to be followed', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const known = await idOfActor(server, bob)
  const first = await peer.next(typed('Follow'))
  const again = successorOf(bob)
  const status = await settle(server, alice, again)
  assert.equal(accountOf(status).id, known)
  const { activity, path } = await peer.next(typed('Follow'))
  assert.deepEqual(
    [activity['id'], activity['object'], path],
    [first.activity['id'], again.uri, `${new URL(again.uri).pathname}/inbox`],
  )
  const [{ following } = {}] = (await alice.get('/api/v1/accounts/relationships', { 'id[]': [known] }))
    .json as Document[]
  assert.equal(following, true)
})

test('nobody escapes a suspension by a new actor of the same name', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { id } = accountOf(await settle(server, alice, bob))
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [id])
  const again = successorOf(bob)
  const note = noteTo(server, alice, again, 'it is me')
  assert.equal(await again.send(server, again.create(note)), 202)
  await finished(t, server, 'federation.receive_lane')
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [])
  const [row] = await sql(server, 'select suspended_at is not null as suspended from accounts where id = $1', [id])
  assert.equal(row?.['suspended'], true)
})

test('an account that has another key is asked again to be followed', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  await peer.next(typed('Follow'))
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const document = peer.documentOf(bob.uri)
  const own = { ...(document['publicKey'] as Document), publicKeyPem }
  // The Update is signed by the key that is known: it is proof.
  await bob.send(server, bob.activity('Update', { ...document, publicKey: own }))
  await settle(server, alice, bob)
  await finished(t, server, 'federation.send_follows')
  assert.deepEqual(
    peer.received.filter(({ activity }) => typed('Follow')(activity)),
    [],
  )
  // The document of its server alone is none.
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where uri = $1`, [bob.uri])
  await settle(server, alice, bob)
  assert.equal((await peer.next(typed('Follow'))).activity['object'], bob.uri)
})

test('an account whose name is gone for its server is deleted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { id } = accountOf(await settle(server, alice, bob))
  peer.gone.add(bob.username)
  await sql(server, `update accounts set fetched_at = now() - interval '2 days' where uri = $1`, [bob.uri])
  await bob.send(server, bob.activity('Like', 'https://nowhere.example/1'))
  await finished(t, server, 'federation.receive_lane')
  assert.notEqual((await alice.get(`/api/v1/accounts/${id}`)).status, 200)
})

test('a server that is suspended here is not asked when others redirect to it', async t => {
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
  await finished(t, server, 'federation.receive_lane')
  await finished(t, server, 'federation.copy_picture')
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
