import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity, type Entity } from '../statuses/status_fixtures.ts'
import type { Client } from '../support/client.ts'
import { localUri, PUBLIC, startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import { hasType } from './federation_fixtures.ts'
import { accountOf, findAccountId, followActor, waitUntilProcessed } from './receive/receive_fixtures.ts'

const TYPE = { headers: { accept: 'application/activity+json' } }

const documentOf = async (url: string): Promise<Entity> => {
  const response = await fetch(url, TYPE)
  assert.equal(response.status, 200, url)
  return entity(await response.json())
}

async function make(curator: Person, more: Record<string, unknown>): Promise<Entity> {
  const response = await curator.post('/api/v1/collections', {
    name: 'Friends of tea',
    sensitive: false,
    discoverable: true,
    ...more,
  })
  assert.equal(response.status, 200, response.text)
  return entity(entity(response.json)['collection'])
}

test('collections of accounts are documents with authorizations of their members', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set discoverable = true where id = $1', [bob.id])
  const [curator, member] = [localUri(server, alice.id), localUri(server, bob.id)]
  const made = await make(alice, { description: 'They <like> tea', tag_name: 'Tea', account_ids: [bob.id] })
  await make(alice, { name: 'Hidden', discoverable: false })
  const actor = await documentOf(curator)
  const index = await documentOf(String(actor['featuredCollections']))
  assert.deepEqual([index['type'], index['totalItems']], ['Collection', 1])
  const [listed] = (await documentOf(String(index['first'])))['items'] as Entity[]
  const { '@context': _, ...shown } = await documentOf(`${curator}/collections/${made.id}`)
  assert.deepEqual(listed, shown)
  assert.deepEqual(
    [shown['id'], shown['type'], shown['attributedTo'], shown['name'], shown['summary']],
    [made['uri'], 'FeaturedCollection', curator, 'Friends of tea', '<p>They &lt;like&gt; tea</p>'],
  )
  assert.equal(entity(shown['topic'])['name'], '#Tea')
  const [item] = shown['orderedItems'] as Entity[]
  assert.ok(item)
  const { '@context': __, ...alone } = await documentOf(item.id)
  assert.deepEqual(alone, item)
  assert.deepEqual([item['type'], item['featuredObject']], ['FeaturedItem', member])
  const permission = await documentOf(String(item['featureAuthorization']))
  assert.deepEqual(
    [permission['type'], permission['interactingObject'], permission['interactionTarget']],
    ['FeatureAuthorization', made['uri'], member],
  )
  const number = item.id.split('/').at(-1)
  for (const path of [
    `${member}/collection_items/${number}`,
    `${curator}/feature_authorizations/${number}`,
    `${member}/collections/${made.id}`,
    `${curator}/collection_items/1`,
  ])
    assert.equal((await fetch(path, TYPE)).status, 404, path)
})

test('collections are listed in pages of five', async t => {
  const { alice, server } = await people(t, 'alice')
  for (let number = 0; number < 6; number += 1) await make(alice, { name: `Collection ${number}` })
  const uri = `${localUri(server, alice.id)}/featured_collections`
  const first = await documentOf(`${uri}?page=1`)
  assert.equal((first['items'] as unknown[]).length, 5)
  const second = await documentOf(String(first['next']))
  assert.deepEqual([(second['items'] as unknown[]).length, second['next'], second['prev']], [1, undefined, first.id])
})

test('a remote curator requests to feature an account; its settings decide, and it may leave', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const collection = peer.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${carol.uri}/collections/1`,
    type: 'FeaturedCollection',
    attributedTo: carol.uri,
    name: 'Friends elsewhere',
    summary: '<p>of tea</p>',
    discoverable: true,
    orderedItems: [],
  })
  const ask = (who: Person) => carol.activity('FeatureRequest', localUri(server, who.id), { instrument: collection.id })
  await carol.send(server, ask(bob))
  await peer.next(hasType('Reject'))
  const stream = await alice.stream('user')
  const request = ask(alice)
  await carol.send(server, request)
  const { payload } = await stream.next('notification', one => entity(one.payload)['type'] === 'added_to_collection')
  assert.equal(entity(entity(payload)['collection'])['uri'], collection.id)
  const { activity: accept } = await peer.next(hasType('Accept'))
  assert.equal(entity(accept['object']).id, request.id)
  const permission = await documentOf(String(accept['result']))
  const own = localUri(server, alice.id)
  assert.deepEqual([permission['interactingObject'], permission['interactionTarget']], [collection.id, own])
  // The same request again has the same answer.
  await carol.send(server, request)
  assert.equal((await peer.next(hasType('Accept'))).activity['result'], accept['result'])
  const inCollections = async () =>
    entity((await alice.get(`/api/v1/accounts/${alice.id}/in_collections`)).json)['collections'] as Entity[]
  const [found] = await inCollections()
  assert.ok(found)
  const number = String(accept['result']).split('/').at(-1)
  await alice.post(`/api/v1/collections/${found.id}/items/${number}/revoke`)
  const { activity: left } = await peer.next(hasType('Delete'))
  assert.deepEqual([left['actor'], entity(left['object']).id], [own, accept['result']])
  await carol.send(server, request)
  await peer.next(hasType('Reject'))
  assert.equal((await fetch(String(accept['result']), TYPE)).status, 404)
})

test('a remote curator removes an account from a collection, and deletes the collection', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  const peer = await startPeer(t)
  const [carol, mallory] = [peer.actor('carol'), peer.actor('mallory')]
  const own = localUri(server, alice.id)
  const names = async () =>
    (entity((await alice.get(`/api/v1/accounts/${alice.id}/in_collections`)).json)['collections'] as Entity[]).map(
      one => one['name'],
    )
  const collections = ['first', 'second'].map(name =>
    peer.serve({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${carol.uri}/collections/${name}`,
      type: 'FeaturedCollection',
      attributedTo: carol.uri,
      name,
    }),
  )
  const [first, second] = collections
  assert.ok(first && second)
  for (const one of collections) {
    await mallory.send(server, mallory.activity('FeatureRequest', own, { instrument: one.id }))
    await peer.next(hasType('Reject'))
    await carol.send(server, carol.activity('FeatureRequest', own, { instrument: one.id }))
    await peer.next(hasType('Accept'))
  }
  assert.deepEqual(await names(), ['second', 'first'])
  const item = { type: 'FeaturedItem', featuredObject: own }
  await mallory.send(server, mallory.activity('Remove', item, { target: first.id }))
  await mallory.send(server, mallory.activity('Delete', first.id))
  await waitUntilProcessed(server, alice, mallory)
  assert.deepEqual(await names(), ['second', 'first'], 'they are not hers')
  await carol.send(server, carol.activity('Remove', item, { target: first.id }))
  await carol.send(server, carol.activity('Delete', second.id))
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await names(), [])
})

test('who blocks a remote curator leaves its collections, and its server is told so', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  const peer = await startPeer(t)
  const own = localUri(server, alice.id)
  const join = async (curator: PeerActor): Promise<unknown> => {
    const { id } = peer.serve({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${curator.uri}/collections/1`,
      type: 'FeaturedCollection',
      attributedTo: curator.uri,
      name: 'Friends elsewhere',
    })
    await curator.send(server, curator.activity('FeatureRequest', own, { instrument: id }))
    return (await peer.next(hasType('Accept'))).activity['result']
  }
  const [blocking, blocked] = [peer.actor('blocking'), peer.actor('blocked')]
  await join(blocking)
  const authorization = await join(blocked)
  const names = async () => entity((await alice.get(`/api/v1/accounts/${alice.id}/in_collections`)).json)['collections']
  // A block of the curator's needs no message: its own server removes the item.
  await blocking.send(server, blocking.activity('Block', own))
  await waitUntilProcessed(server, alice, blocked)
  await alice.post(`/api/v1/accounts/${await findAccountId(server, blocked)}/block`)
  const { activity: left } = await peer.next(hasType('Delete'))
  assert.deepEqual([left['actor'], entity(left['object']).id], [own, authorization])
  assert.deepEqual(await names(), [])
})

const canFeature = (automatic: readonly string[], manual: readonly string[] = []) => ({
  interactionPolicy: { canFeature: { automaticApproval: automatic, manualApproval: manual } },
})

test('the policy of a remote account decides who may feature it', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const policies: [name: string, more: (uri: string) => Document, shown: object, before: string, after: string][] = [
    ['none', () => ({}), { automatic: [], manual: [] }, 'missing', 'missing'],
    ['open', () => canFeature([PUBLIC]), { automatic: ['public'], manual: [] }, 'automatic', 'automatic'],
    ['asked', () => canFeature([], [PUBLIC]), { automatic: [], manual: ['public'] }, 'manual', 'manual'],
    [
      'fans',
      uri => canFeature([`${uri}/followers`], [PUBLIC]),
      { automatic: ['followers'], manual: ['public'] },
      'manual',
      'automatic',
    ],
    [
      'friends',
      uri => canFeature([], [`${uri}/following`]),
      { automatic: [], manual: ['following'] },
      'denied',
      'manual',
    ],
    [
      'mixed',
      uri => canFeature([uri, `${uri}/followers`, 'https://x.example/circle'], [uri]),
      { automatic: ['followers', 'unsupported_policy'], manual: ['disabled'] },
      'unknown',
      'automatic',
    ],
    ['closed', uri => canFeature([uri]), { automatic: ['disabled'], manual: [] }, 'denied', 'denied'],
    [
      'odd',
      () => canFeature(['https://x.example/circle']),
      { automatic: ['unsupported_policy'], manual: [] },
      'unknown',
      'unknown',
    ],
  ]
  for (const [name, more, shown, before, after] of policies) {
    const actor = peer.actor(name)
    peer.serve({ ...peer.documentOf(actor.uri), ...more(actor.uri) })
    const { id } = accountOf(await waitUntilProcessed(server, alice, actor))
    const approval = async (client: Person | Client): Promise<unknown> =>
      entity((await client.get(`/api/v1/accounts/${id}`)).json)['feature_approval']
    const statusOf = async (): Promise<number> =>
      (
        await alice.post('/api/v1/collections', {
          name: 'x',
          sensitive: false,
          discoverable: false,
          account_ids: [id],
        })
      ).status
    const allowed = (current: string): number => (['automatic', 'manual'].includes(current) ? 200 : 403)
    assert.deepEqual(await approval(alice), { ...shown, current_user: before }, name)
    assert.deepEqual(
      await approval(anonymous),
      { ...shown, current_user: before === 'missing' ? 'missing' : 'denied' },
      name,
    )
    assert.equal(await statusOf(), allowed(before), name)
    if (before === after) continue
    await followActor(server, alice, actor)
    await actor.send(server, actor.activity('Follow', localUri(server, alice.id)))
    await waitUntilProcessed(server, alice, actor)
    assert.deepEqual(await approval(alice), { ...shown, current_user: after }, name)
    assert.equal(await statusOf(), allowed(after), name)
    await alice.post(`/api/v1/accounts/${id}/block`)
    assert.equal(await statusOf(), 403, `${name} is blocked`)
  }
})

test('remote accounts are in a collection after they accepted the request', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set discoverable = true where id = $1', [bob.id])
  const peer = await startPeer(t)
  const [carol, dora] = [peer.actor('carol', canFeature([PUBLIC])), peer.actor('dora', canFeature([], [PUBLIC]))]
  const ids = [
    accountOf(await waitUntilProcessed(server, alice, carol)).id,
    accountOf(await waitUntilProcessed(server, alice, dora)).id,
  ]
  const stream = await bob.stream('user')
  const made = await make(alice, { account_ids: [bob.id, ...ids] })
  const { payload } = await stream.next('notification', one => entity(one.payload)['type'] === 'added_to_collection')
  assert.equal(entity(entity(payload)['collection']).id, made.id)
  const states = async (who: Person): Promise<unknown[][]> => {
    const { json } = await who.get(`/api/v1/collections/${made.id}`)
    return (entity(entity(json)['collection'])['items'] as Entity[]).map(item => [item['account_id'], item['state']])
  }
  const accepted = [bob.id, 'accepted']
  assert.deepEqual(await states(alice), [accepted, ...ids.map(id => [id, 'pending'])])
  assert.deepEqual(await states(bob), [accepted], 'others see it only once it is accepted')
  const curator = localUri(server, alice.id)
  const requestTo = async (actor: PeerActor): Promise<Document> =>
    (await peer.next(one => one['type'] === 'FeatureRequest' && one['object'] === actor.uri)).activity
  const [toCarol, toDora] = [await requestTo(carol), await requestTo(dora)]
  assert.deepEqual([toCarol['actor'], toCarol['to'], toCarol['instrument']], [curator, carol.uri, made['uri']])
  const [context] = (toCarol['@context'] as unknown[]).slice(-1)
  assert.equal(entity(context)['FeatureRequest'], 'https://w3id.org/fep/7aa9#FeatureRequest')
  const permission = carol.newUri('feature_authorizations')
  // Nobody answers for another account.
  await dora.send(server, dora.activity('Accept', toCarol['id'], { result: dora.newUri('feature_authorizations') }))
  await waitUntilProcessed(server, alice, dora)
  assert.deepEqual((await states(alice))[1], [ids[0], 'pending'])
  await carol.send(server, carol.activity('Accept', toCarol, { result: permission }))
  await dora.send(server, dora.activity('Reject', toDora['id']))
  await waitUntilProcessed(server, alice, carol)
  await waitUntilProcessed(server, alice, dora)
  assert.deepEqual(await states(alice), [accepted, [ids[0], 'accepted']])
  assert.deepEqual(await states(bob), [accepted, [ids[0], 'accepted']])
  const items = (await documentOf(String(made['uri'])))['orderedItems'] as Entity[]
  assert.deepEqual(
    items.map(item => [item['featuredObject'], item['featureAuthorization'] === permission]),
    [
      [localUri(server, bob.id), false],
      [carol.uri, true],
    ],
  )
  await dora.send(server, dora.activity('Delete', permission))
  await waitUntilProcessed(server, alice, dora)
  assert.deepEqual(await states(bob), [accepted, [ids[0], 'accepted']], 'it is not hers')
  await carol.send(server, carol.activity('Delete', permission))
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await states(bob), [accepted])
})

test('an account that is added later gets a request too, and its answer may name only the request', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol', canFeature([], [PUBLIC]))
  const { id } = accountOf(await waitUntilProcessed(server, alice, carol))
  const made = await make(alice, {})
  const added = await alice.post(`/api/v1/collections/${made.id}/items`, { account_id: id })
  assert.equal(entity(entity(added.json)['collection_item'])['state'], 'pending')
  const { activity: request } = await peer.next(hasType('FeatureRequest'))
  await carol.send(server, carol.activity('Accept', request['id'], { result: carol.newUri('feature_authorizations') }))
  await waitUntilProcessed(server, alice, carol)
  const { json } = await alice.get(`/api/v1/collections/${made.id}`)
  const [item] = entity(entity(json)['collection'])['items'] as Entity[]
  assert.deepEqual([item?.['account_id'], item?.['state']], [id, 'accepted'])
})
