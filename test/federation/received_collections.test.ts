import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity, type Entity } from '../statuses/status_fixtures.ts'
import { connect, waitForLocks } from '../support/other_transaction.ts'
import { localUri, startPeer, type Document, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { hasType, waitForJobs } from './federation_fixtures.ts'
import { findAccountId, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Collections of other servers: who is in them. */

type Served = Document & { id: string }

/** A collection of a peer's actor. */
const serveCollection = (peer: Peer, curator: PeerActor, more: Document = {}): Served =>
  peer.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: curator.newUri('collections'),
    type: 'FeaturedCollection',
    attributedTo: curator.uri,
    name: 'Friends elsewhere',
    discoverable: true,
    ...more,
  })

/** The item of an account in a collection, with an authorization that is served. */
function itemFor(peer: Peer, curator: PeerActor, collection: Served, member: PeerActor): Served {
  const authorization = peer.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: member.newUri('feature_authorizations'),
    type: 'FeatureAuthorization',
    interactingObject: collection.id,
    interactionTarget: member.uri,
  })
  return {
    id: curator.newUri('collection_items'),
    type: 'FeaturedItem',
    featuredObject: member.uri,
    featuredObjectType: 'Person',
    featureAuthorization: authorization.id,
  }
}

const withContext = (item: Served): Served => ({ '@context': 'https://www.w3.org/ns/activitystreams', ...item })

/** A local account joins a collection by a request; the authorization. */
async function join(server: TestServer, curator: PeerActor, collection: Served, person: Person): Promise<string> {
  await sql(server, 'update accounts set discoverable = true where id = $1', [person.id])
  const request = curator.activity('FeatureRequest', localUri(server, person.id), { instrument: collection.id })
  await curator.send(server, request)
  const { activity } = await curator.peer.next(hasType('Accept'))
  return String(activity['result'])
}

/** The URIs of the members of the only collection of a local account, as it sees them. */
async function membersSeenBy(person: Person): Promise<string[]> {
  const { json } = await person.get(`/api/v1/accounts/${person.id}/in_collections`)
  const [found] = entity(json)['collections'] as Entity[]
  if (!found) return []
  const shown = entity((await person.get(`/api/v1/collections/${found.id}`)).json)
  const accounts = new Map((shown['accounts'] as Entity[]).map(one => [one.id, String(one['uri'])]))
  const items = entity(shown['collection'])['items'] as Entity[]
  return items.map(item => accounts.get(String(item['account_id'])) ?? 'unknown').toSorted()
}

test('the page of a collection is on the server of its curator', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const urls: unknown[] = []
  for (const url of ['https://elsewhere.example/page', `${peer.url}/page`]) {
    const collection = serveCollection(peer, carol, { url })
    await join(server, carol, collection, alice)
    const [row] = await sql(server, 'select url from collections where uri = $1', [collection.id])
    urls.push(row?.['url'])
  }
  assert.deepEqual(urls, [null, `${peer.url}/page`])
})

test('a collection without a page or description has its id and an empty text instead', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const collection = serveCollection(peer, carol)
  await join(server, carol, collection, alice)
  const { json } = await alice.get(`/api/v1/accounts/${alice.id}/in_collections`)
  const [found] = entity(json)['collections'] as Entity[]
  assert.deepEqual([found?.['url'], found?.['description']], [collection.id, ''])
})

test('a curator elsewhere adds an account of another server to a collection, and removes it', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const other = await startPeer(t)
  const [carol, mallory, dora] = [peer.actor('carol'), peer.actor('mallory'), other.actor('dora')]
  const collection = serveCollection(peer, carol)
  await join(server, carol, collection, alice)
  const own = localUri(server, alice.id)
  const item = itemFor(other, carol, collection, dora)
  const send = async (who: PeerActor, type: string, object: unknown): Promise<void> => {
    await who.send(server, who.activity(type, object, { target: collection.id }))
    await waitUntilProcessed(server, alice, who)
  }
  await send(mallory, 'Add', itemFor(other, mallory, collection, dora))
  assert.deepEqual(await membersSeenBy(alice), [own], 'the collection is not hers')
  const stranger = other.actor('stranger')
  const forged = { ...itemFor(other, carol, collection, stranger), featureAuthorization: item['featureAuthorization'] }
  await send(carol, 'Add', forged)
  const { featureAuthorization: _, ...unauthorized } = itemFor(other, carol, collection, stranger)
  await send(carol, 'Add', unauthorized)
  assert.deepEqual(await membersSeenBy(alice), [own], 'she did not agree')
  for (const object of [item, item]) {
    await send(carol, 'Add', object)
    assert.deepEqual(await membersSeenBy(alice), [own, dora.uri].toSorted())
  }
  await send(mallory, 'Remove', item.id)
  assert.deepEqual(await membersSeenBy(alice), [own, dora.uri].toSorted(), 'the collection is not hers')
  for (const object of [item.id, item]) {
    await send(carol, 'Remove', object)
    assert.deepEqual(await membersSeenBy(alice), [own])
  }
  await send(carol, 'Add', item)
  assert.deepEqual(await membersSeenBy(alice), [own], 'an Add that arrives after its Remove has no effect')
  const again = itemFor(other, carol, collection, dora)
  await send(carol, 'Remove', again.id)
  await send(carol, 'Add', again)
  assert.deepEqual(await membersSeenBy(alice), [own])
  // An item may be named by its id.
  const served = peer.serve(withContext(itemFor(other, carol, collection, dora)))
  await send(carol, 'Add', served.id)
  assert.deepEqual(await membersSeenBy(alice), [own, dora.uri].toSorted())
  await dora.send(server, dora.activity('Delete', served['featureAuthorization']))
  await waitUntilProcessed(server, alice, dora)
  assert.deepEqual(await membersSeenBy(alice), [own], 'she no longer agrees')
})

test('an Add of a local account needs its consent, and the Remove of its item removes it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const collection = serveCollection(peer, carol)
  const authorization = await join(server, carol, collection, alice)
  await sql(server, 'update accounts set discoverable = true where id = $1', [bob.id])
  const uris = { alice: localUri(server, alice.id), bob: localUri(server, bob.id) }
  const itemOf = (featuredObject: string, more: Document = {}): Served => ({
    id: carol.newUri('collection_items'),
    type: 'FeaturedItem',
    featuredObject,
    ...more,
  })
  const send = async (type: string, object: unknown): Promise<void> => {
    await carol.send(server, carol.activity(type, object, { target: collection.id }))
    await waitUntilProcessed(server, alice, carol)
  }
  await send('Add', itemOf(uris.bob))
  await send('Add', itemOf(uris.bob, { featureAuthorization: authorization }))
  assert.deepEqual(await membersSeenBy(alice), [uris.alice])
  const item = itemOf(uris.alice, { featureAuthorization: authorization })
  await send('Add', item)
  await send('Add', item)
  assert.deepEqual(await membersSeenBy(alice), [uris.alice])
  await send('Remove', item.id)
  assert.deepEqual(await membersSeenBy(alice), [])
  const { json } = await alice.get('/api/v1/notifications?types[]=added_to_collection')
  assert.deepEqual(json, [], 'its notification is withdrawn')
  await send('Add', item)
  assert.deepEqual(await membersSeenBy(alice), [], 'that needs another request')
  // The Remove may arrive before the Add.
  const second = itemOf(uris.alice, { featureAuthorization: await join(server, carol, collection, alice) })
  await send('Remove', second.id)
  assert.deepEqual(await membersSeenBy(alice), [uris.alice])
  await send('Add', second)
  assert.deepEqual(await membersSeenBy(alice), [])
})

test('the members that a collection lists are stored with it and when it changes', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, dora, erin] = [peer.actor('carol'), peer.actor('dora'), peer.actor('erin')]
  const served = serveCollection(peer, carol)
  const listed = (...items: Served[]): Served => peer.serve({ ...served, orderedItems: items })
  const first = itemFor(peer, carol, served, dora)
  const unauthorized = { ...itemFor(peer, carol, served, erin), featureAuthorization: first['featureAuthorization'] }
  listed(first, unauthorized)
  const own = localUri(server, alice.id)
  await join(server, carol, served, alice)
  await waitForJobs(t, server, 'federation.fetch_collection')
  assert.deepEqual(await membersSeenBy(alice), [own, dora.uri].toSorted())
  const second = itemFor(peer, carol, served, erin)
  await carol.send(server, carol.activity('Update', listed(first, second)))
  await waitUntilProcessed(server, alice, carol)
  await waitForJobs(t, server, 'federation.fetch_collection')
  assert.deepEqual(await membersSeenBy(alice), [own, dora.uri, erin.uri].toSorted())
})

test('a member that a collection no longer lists is dropped, unless the list was cut short', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, dora, erin] = [peer.actor('carol'), peer.actor('dora'), peer.actor('erin')]
  const served = serveCollection(peer, carol)
  const own = localUri(server, alice.id)
  const update = async (more: Document): Promise<string[]> => {
    await carol.send(server, carol.activity('Update', peer.serve({ ...served, ...more })))
    await waitUntilProcessed(server, alice, carol)
    await waitForJobs(t, server, 'federation.fetch_collection')
    return membersSeenBy(alice)
  }
  const authorization = await join(server, carol, served, alice)
  const items = {
    alice: {
      id: carol.newUri('items'),
      type: 'FeaturedItem',
      featuredObject: own,
      featureAuthorization: authorization,
    },
    dora: itemFor(peer, carol, served, dora),
    erin: itemFor(peer, carol, served, erin),
  }
  const dorasAndErins = [items.dora, items.erin]
  assert.deepEqual(
    await update({ orderedItems: dorasAndErins }),
    [own, dora.uri, erin.uri].toSorted(),
    'not yet listed',
  )
  assert.deepEqual(
    await update({ orderedItems: [items.alice, ...dorasAndErins] }),
    [own, dora.uri, erin.uri].toSorted(),
  )
  assert.deepEqual(await update({ orderedItems: [items.alice, items.erin] }), [own, erin.uri].toSorted())
  const page = `${served.id}?page=1`
  peer.documents.set(`${new URL(page).pathname}?page=1`, 404)
  assert.deepEqual(await update({ first: page }), [own, erin.uri].toSorted(), 'its page cannot be read')
  const next = `${served.id}?page=2`
  const first = { id: page, type: 'OrderedCollectionPage', orderedItems: [items.alice], first: page, next }
  peer.serve({ '@context': 'https://www.w3.org/ns/activitystreams', ...first })
  const second = { id: next, type: 'OrderedCollectionPage', orderedItems: [items.erin] }
  peer.serve({ '@context': 'https://www.w3.org/ns/activitystreams', ...second })
  assert.deepEqual(await update({ first: page }), [own, erin.uri].toSorted(), 'it is on the second page')
  const full = Array.from({ length: 60 }, (_, place) => ({ id: `${carol.uri}/others/${place}`, type: 'Note' }))
  assert.deepEqual(await update({ orderedItems: full }), [own, erin.uri].toSorted(), 'not all are read')
  assert.deepEqual(await update({ orderedItems: [items.erin] }), [])
  const { json } = await alice.get('/api/v1/notifications?types[]=added_to_collection')
  assert.deepEqual(json, [], 'its notification is withdrawn')
})

test('a change of a collection notifies its members, unless its curator is suspended here', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [carol, dora] = [peer.actor('carol'), peer.actor('dora')]
  const collection = serveCollection(peer, carol)
  await join(server, carol, collection, alice)
  const rename = async (name: string): Promise<void> => {
    await carol.send(server, carol.activity('Update', peer.serve({ ...collection, name })))
    await waitUntilProcessed(server, alice, dora)
  }
  const told = async (): Promise<Entity[]> =>
    (await alice.get('/api/v1/notifications', { 'types[]': 'collection_update' })).json as Entity[]
  const suspend = async (at: string): Promise<unknown> =>
    sql(server, `update accounts set suspended_at = ${at} where id = $1`, [await findAccountId(server, carol)])
  await suspend('now()')
  await rename('Enemies')
  await suspend('null')
  assert.deepEqual(await told(), [])
  await rename('Friends again')
  assert.equal((await told()).length, 1)
})

/** Puts so many local accounts into the only stored collection, as requests would have done. */
async function fill(server: TestServer, collection: Served, count: number): Promise<void> {
  await sql(
    server,
    `with members as (
       insert into accounts (username) select 'member_' || md5($1 || n) from generate_series(1, $2::integer) n returning id
     ), counted as (
       insert into account_stats (account_id) select m.id from members m
     )
     insert into collection_items (collection_id, account_id, state)
     select c.id, m.id, 'accepted' from collections c cross join members m where c.uri = $1`,
    [collection.id, count],
  )
}

test('a full collection takes no more members, also when several ask at once', async t => {
  const { alice, bob, claire, server } = await people(t, 'alice', 'bob', 'claire')
  const peer = await startPeer(t)
  const [carol, dora] = [peer.actor('carol'), peer.actor('dora')]
  const collection = serveCollection(peer, carol)
  await join(server, carol, collection, alice)
  await fill(server, collection, 23)
  await sql(server, 'update accounts set discoverable = true where id = any ($1)', [[bob.id, claire.id]])
  const ask = async (who: Person): Promise<string[]> => {
    const request = carol.activity('FeatureRequest', localUri(server, who.id), { instrument: collection.id })
    await carol.send(server, request)
    const { activity } = await peer.next(one => entity(one['object']).id === request.id)
    return [String(activity['type'])]
  }
  const answers = await Promise.all([ask(bob), ask(claire)])
  assert.deepEqual(answers.flat().toSorted(), ['Accept', 'Reject'])
  const [accepted, rejected] = answers[0]?.[0] === 'Accept' ? [bob, claire] : [claire, bob]
  assert.deepEqual(await ask(accepted), ['Accept'], 'a member already')
  assert.deepEqual(await ask(rejected), ['Reject'])
  await carol.send(server, carol.activity('Add', itemFor(peer, carol, collection, dora), { target: collection.id }))
  await waitUntilProcessed(server, alice, carol)
  assert.equal((await membersSeenBy(alice)).length, 25)
})

test('whoever is blocking the curator is not added to a collection elsewhere', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const collection = serveCollection(peer, carol)
  await join(server, carol, collection, bob)
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  const curator = await findAccountId(server, carol)
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('insert into blocks (account_id, target_account_id) values ($1, $2)', [alice.id, curator])
  const blocking = alice.post(`/api/v1/accounts/${curator}/block`)
  await waitForLocks(server, 1, blocking)
  await carol.send(server, carol.activity('FeatureRequest', localUri(server, alice.id), { instrument: collection.id }))
  const answer = peer.next(one => one['actor'] === localUri(server, alice.id))
  await waitForLocks(server, 2, answer)
  await other.query('rollback')
  await blocking
  assert.equal((await answer).activity['type'], 'Reject')
  assert.deepEqual(await membersSeenBy(alice), [])
})
