import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type Test } from 'tap'
import { localUri, startPeer, type Document, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { person, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { followActor, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Servers compare whom they take for followers (FEP-8fcf). */

const typed =
  (type: string) =>
  (activity: Document): boolean =>
    activity['type'] === type

/** The exclusive or of the digests, by another way than the server's. */
const digestOf = (uris: readonly string[]): string =>
  uris
    .map(uri => BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`))
    .reduce((sum, one) => sum ^ one, 0n)
    .toString(16)
    .padStart(64, '0')

interface Scene {
  readonly server: TestServer
  readonly alice: Person
  readonly bob: Person
  readonly peer: Peer
  readonly carol: PeerActor
}

async function start(t: Test, env: Record<string, string> = {}): Promise<Scene> {
  const server = await startServer(t, { env })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const peer = await startPeer(t)
  return { server, alice, bob, peer, carol: peer.actor('carol') }
}

async function gainFollower({ server, alice, peer }: Scene, follower: PeerActor): Promise<void> {
  await waitUntilProcessed(server, alice, follower)
  await follower.send(server, follower.activity('Follow', localUri(server, alice.id)))
  await peer.next(typed('Accept'))
}

test('deliveries for followers only contain a digest of the followers on that server', async t => {
  const scene = await start(t)
  const { server, alice, peer, carol } = scene
  const dave = peer.actor('dave')
  for (const one of [carol, dave]) await gainFollower(scene, one)
  const actor = localUri(server, alice.id)
  await alice.postStatus('secret', { visibility: 'private' })
  const { headers } = await peer.next(typed('Create'))
  assert.equal(
    headers['collection-synchronization'],
    `collectionId="${actor}/followers", digest="${digestOf([carol.uri, dave.uri])}", ` +
      `url="${actor}/followers_synchronization"`,
  )
  assert.match(String(headers['signature']), /headers="[^"]* collection-synchronization"/)
  for (const visibility of ['public', 'unlisted']) {
    await alice.postStatus('open', { visibility })
    const delivery = await peer.next(typed('Create'))
    assert.equal(delivery.headers['collection-synchronization'], undefined, visibility)
  }
})

test('followers are not compared when synchronization is switched off', async t => {
  const scene = await start(t, { DISABLE_FOLLOWERS_SYNCHRONIZATION: 'on' })
  await gainFollower(scene, scene.carol)
  await scene.alice.postStatus('secret', { visibility: 'private' })
  const { headers } = await scene.peer.next(typed('Create'))
  assert.equal(headers['collection-synchronization'], undefined)
})

/** Delivers something with the header, as for these local followers of the actor. */
async function claim({ server, alice, carol }: Scene, uris: readonly string[], url: string): Promise<void> {
  const header = `collectionId="${carol.followers}", digest="${digestOf(uris)}", url="${url}"`
  const body = JSON.stringify(carol.create(noteTo(server, alice, carol, 'for followers')))
  assert.equal(await carol.sendText(server, body, '/inbox', { 'collection-synchronization': header }), 202)
}

const followersOf = async ({ server, carol }: Scene): Promise<unknown[]> =>
  (
    await sql(
      server,
      `select f.account_id::text as id from follows f join accounts a on a.id = f.target_account_id
       where a.uri = $1 order by f.account_id`,
      [carol.uri],
    )
  ).map(({ id }) => id)

test('when the lists differ, unlisted follows end, and listed unknown ones are undone', async t => {
  const scene = await start(t)
  const { server, alice, bob, peer, carol } = scene
  await followActor(server, alice, carol)
  const both = [localUri(server, alice.id), localUri(server, bob.id)]
  const url = `${carol.uri}/followers_synchronization`
  // On two pages; the first is in the collection.
  const next = `${url}_2`
  const page = (id: string, items: unknown[], more: Document = {}): Document & { id: string } => ({
    id,
    type: 'OrderedCollectionPage',
    orderedItems: items,
    ...more,
  })
  const context = { '@context': 'https://www.w3.org/ns/activitystreams' }
  peer.serve({ ...context, id: url, type: 'OrderedCollection', first: page(`${url}_1`, [], { next }) })
  peer.serve({ ...context, ...page(next, [localUri(server, bob.id), localUri(server, '1')]) })
  await peer.next(typed('Follow'))
  // A list that fits is not fetched; one on another host never is.
  await claim(scene, [localUri(server, alice.id)], url)
  await claim(scene, both, 'https://other.example/list')
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await followersOf(scene), [alice.id])
  // Bob has a key, as everybody who has followed somebody there.
  assert.equal(await carol.get(server, new URL(localUri(server, bob.id)).pathname), 200)
  await claim(scene, [localUri(server, bob.id), localUri(server, '1')], url)
  const undo = (await peer.next(typed('Undo'))).activity
  const { type, actor, object } = undo['object'] as Document
  assert.deepEqual([type, actor, object], ['Follow', localUri(server, bob.id), carol.uri])
  assert.deepEqual(await followersOf(scene), [])
  assert.deepEqual(peer.received, [], 'alice was told nothing')
  const jobs = await sql(
    server,
    `select from graphile_worker.jobs where task_identifier like 'federation.%' and attempts > 0`,
  )
  assert.deepEqual(jobs, [], 'nothing is sent for an account that does not exist')
})

test('a list of accounts that have never followed anybody makes them sign nothing', async t => {
  const scene = await start(t)
  const { server, alice, bob, peer, carol } = scene
  await waitUntilProcessed(server, alice, carol)
  const url = `${carol.uri}/followers_synchronization`
  const listed = [localUri(server, bob.id)]
  peer.serve({ id: url, type: 'OrderedCollection', orderedItems: listed })
  await claim(scene, listed, url)
  await waitForJobs(t, server, 'federation.synchronize_followers')
  assert.deepEqual(await sql(server, 'select from outgoing_activities'), [])
  assert.deepEqual(await sql(server, 'select from signing_keys where account_id = $1', [bob.id]), [])
})

test('an incomplete list of followers changes nothing', async t => {
  const scene = await start(t)
  const { server, alice, bob, peer, carol } = scene
  await followActor(server, alice, carol)
  await peer.next(typed('Follow'))
  const url = `${carol.uri}/followers_synchronization`
  const context = { '@context': 'https://www.w3.org/ns/activitystreams' }
  for (const first of [`${url}_missing`, 'https://other.example/page']) {
    peer.serve({ ...context, id: url, type: 'OrderedCollection', first })
    await claim(scene, [localUri(server, bob.id)], url)
  }
  // A list that does not have the digest is old, or shows only how many there are.
  for (const more of [{ totalItems: 1 }, { orderedItems: [localUri(server, '1')] }]) {
    peer.serve({ ...context, id: url, type: 'OrderedCollection', ...more })
    await claim(scene, [localUri(server, bob.id)], url)
    await waitUntilProcessed(server, alice, carol)
    await waitForJobs(t, server, 'federation.synchronize_followers')
  }
  // Without an end: each page names the first one again.
  const loop = `${url}_loop`
  peer.serve({ ...context, id: url, type: 'OrderedCollection', first: loop })
  peer.serve({ ...context, id: loop, type: 'OrderedCollectionPage', orderedItems: [], next: loop })
  await claim(scene, [localUri(server, bob.id)], url)
  await bob.post(
    `/api/v1/accounts/${String((await sql(server, 'select id::text from accounts where uri = $1', [carol.uri]))[0]?.['id'])}/follow`,
  )
  await peer.next(typed('Follow'))
  assert.deepEqual(await followersOf(scene), [alice.id])
})

test('a list of followers with a quarter of a million items on a page is read', async t => {
  const scene = await start(t)
  const { server, alice, peer, carol } = scene
  await followActor(server, alice, carol)
  await peer.next(typed('Follow'))
  const url = `${carol.uri}/followers_synchronization`
  const first = { id: `${url}_1`, type: 'OrderedCollectionPage', orderedItems: Array<string>(250_000).fill('') }
  peer.serve({ '@context': 'https://www.w3.org/ns/activitystreams', id: url, type: 'OrderedCollection', first })
  await claim(scene, [], url)
  await waitForJobs(t, server, 'federation.synchronize_followers')
  assert.deepEqual(await followersOf(scene), [])
})
