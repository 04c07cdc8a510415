import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity, type Entity } from '../statuses/status_fixtures.ts'
import { localUri, PUBLIC, startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import { waitForJobs, storeRemoteAccount, hasType } from './federation_fixtures.ts'
import { followActor, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* What followers elsewhere get of collections of accounts. */

const API = '/api/v1/collections'

async function make(curator: Person, more: Document = {}): Promise<Entity> {
  const response = await curator.post(API, { name: 'Tea', sensitive: false, discoverable: true, ...more })
  assert.equal(response.status, 200, response.text)
  return entity(entity(response.json)['collection'])
}

test('remote followers receive discoverable collections of a local curator, and their changes', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await sql(server, 'update accounts set discoverable = true where id = any ($1)', [[bob.id, carol.id]])
  const [peer, stranger] = [await startPeer(t), await startPeer(t)]
  const follower = await storeRemoteAccount(server, peer.actor('follower'))
  await storeRemoteAccount(server, stranger.actor('stranger'))
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [follower, alice.id])
  const curator = localUri(server, alice.id)
  const next = async (type: string): Promise<Entity> => entity((await peer.next(hasType(type))).activity)

  const made = await make(alice, { account_ids: [bob.id] })
  const uri = String(made['uri'])
  const added = await next('Add')
  const collection = entity(added['object'])
  assert.deepEqual(
    [added['actor'], added['target'], added['to'], collection.id, collection['type'], collection['name']],
    [curator, `${curator}/featured_collections`, [PUBLIC], uri, 'FeaturedCollection', 'Tea'],
  )
  assert.deepEqual(
    (collection['orderedItems'] as Entity[]).map(item => item['featuredObject']),
    [localUri(server, bob.id)],
  )
  const response = await alice.post(`${API}/${made.id}/items`, { account_id: carol.id })
  const number = entity(entity(response.json)['collection_item']).id
  const put = await next('Add')
  const item = entity(put['object'])
  assert.deepEqual(
    [put['target'], item.id, item['type'], item['featuredObject']],
    [uri, `${curator}/collection_items/${number}`, 'FeaturedItem', localUri(server, carol.id)],
  )
  await alice.patch(`${API}/${made.id}`, { name: 'Coffee' })
  const update = await next('Update')
  assert.equal(entity(update['object'])['name'], 'Coffee')
  await alice.delete(`${API}/${made.id}/items/${number}`)
  const taken = await next('Remove')
  assert.deepEqual([taken['target'], taken['object']], [uri, item.id])
  await alice.patch(`${API}/${made.id}`, { discoverable: false })
  const hidden = await next('Remove')
  assert.deepEqual([hidden['target'], hidden['object']], [`${curator}/featured_collections`, uri])
  await alice.post(`${API}/${made.id}/items`, { account_id: carol.id })
  await alice.patch(`${API}/${made.id}`, { name: 'For few' })
  await alice.patch(`${API}/${made.id}`, { discoverable: true })
  const again = await next('Add')
  assert.equal(entity(again['object'])['name'], 'For few')
  await alice.delete(`${API}/${made.id}`)
  assert.equal((await next('Remove'))['object'], uri)
  await alice.delete(`${API}/${(await make(alice, { discoverable: false })).id}`)
  await waitForJobs(t, server, 'federation.send_collection')
  await waitForJobs(t, server, 'federation.deliver')
  assert.deepEqual([peer.received, stranger.received], [[], []])
})

test('remote followers receive the accepted members of a collection', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, home] = [await startPeer(t), await startPeer(t)]
  const follower = await storeRemoteAccount(server, peer.actor('follower'))
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [follower, alice.id])
  const dave = home.actor('dave', { interactionPolicy: { canFeature: { automaticApproval: [PUBLIC] } } })
  const { account } = await waitUntilProcessed(server, alice, dave)
  const made = await make(alice)
  await peer.next(hasType('Add'))
  await alice.post(`${API}/${made.id}/items`, { account_id: entity(account).id })
  const { activity: request } = await home.next(hasType('FeatureRequest'))
  const result = `${dave.uri}/authorizations/1`
  await dave.send(server, dave.activity('Accept', request, { result }))
  const { activity } = await peer.next(hasType('Add'))
  const item = entity(activity['object'])
  assert.deepEqual(
    [activity['target'], item['featuredObject'], item['featureAuthorization']],
    [made['uri'], dave.uri, result],
  )
})

test('a remote curator changes a collection, and removes it from its profile', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  const peer = await startPeer(t)
  const [carol, mallory] = [peer.actor('carol'), peer.actor('mallory')]
  await followActor(server, alice, mallory)
  const collection = peer.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${carol.uri}/collections/1`,
    type: 'FeaturedCollection',
    attributedTo: carol.uri,
    name: 'Friends',
    discoverable: true,
  })
  await carol.send(server, carol.activity('FeatureRequest', localUri(server, alice.id), { instrument: collection.id }))
  await peer.next(hasType('Accept'))
  const names = async () =>
    (entity((await alice.get(`/api/v1/accounts/${alice.id}/in_collections`)).json)['collections'] as Entity[]).map(
      one => one['name'],
    )
  const target = `${carol.uri}/featured_collections`
  await mallory.send(server, mallory.activity('Update', { ...collection, name: 'Enemies' }))
  await mallory.send(server, mallory.activity('Update', { ...collection, attributedTo: mallory.uri, name: 'Enemies' }))
  await mallory.send(server, mallory.activity('Remove', collection.id, { target }))
  await waitUntilProcessed(server, alice, mallory)
  assert.deepEqual(await names(), ['Friends'])
  const stream = await alice.stream('user')
  await carol.send(server, carol.activity('Update', { ...collection, name: 'Good friends' }))
  await stream.next('notification', one => entity(one.payload)['type'] === 'collection_update')
  assert.deepEqual(await names(), ['Good friends'])
  await carol.send(server, carol.activity('Remove', collection.id, { target }))
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await names(), [])
})
