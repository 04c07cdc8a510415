import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { localUri, startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { accountOf, followActor, waitUntilProcessed } from './receive/receive_fixtures.ts'

test('an account elsewhere has as many followers, followed accounts and posts as its server counts', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const outbox = String(peer.documentOf(bob.uri)['outbox'])
  const following = `${bob.uri}/following`
  peer.serve({ ...peer.documentOf(bob.uri), following })
  const collection = (id: string, totalItems: unknown): Document =>
    peer.serve({ id, type: 'OrderedCollection', totalItems })
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  const counts = async (): Promise<string> => {
    const { followers_count, following_count, statuses_count } = entity(
      (await alice.get(`/api/v1/accounts/${id}`)).json,
    )
    return `${String(followers_count)} ${String(following_count)} ${String(statuses_count)}`
  }
  const update = async (): Promise<void> => {
    await bob.send(server, bob.activity('Update', peer.documentOf(bob.uri)))
    for (const kind of ['receive_lane', 'fetch_counts']) await waitForJobs(t, server, `federation.${kind}`)
  }
  await waitForJobs(t, server, 'federation.fetch_counts')
  await becomes(counts, '0 0 1', 'its server counts nothing yet')
  collection(bob.followers, 1234)
  collection(following, 56)
  collection(outbox, 789)
  await update()
  await becomes(counts, '1234 56 789', 'the counts of its server are shown')

  await waitUntilProcessed(server, alice, bob)
  await becomes(counts, '1234 56 790', 'a new post counts')

  collection(bob.followers, 1200)
  collection(following, 'many')
  collection(outbox, 0)
  await update()
  await becomes(counts, '1200 56 2', 'a count that is no number changes nothing; known posts count')

  peer.documents.set(new URL(outbox).pathname, 500)
  collection(bob.followers, 1300)
  collection(following, 60)
  await update()
  await becomes(counts, '1300 60 2', 'a collection that fails keeps no other')

  await sql(server, 'update account_stats set statuses_count = 1000, statuses_elsewhere = 500 where account_id = $1', [
    id,
  ])
  collection(outbox, 300)
  await update()
  await becomes(counts, '1300 60 300', 'statuses that are known, but deleted elsewhere')
  peer.serve({ ...peer.documentOf(bob.uri), following: 'http://other.example/following' })
  collection(bob.followers, 3e9)
  await update()
  await becomes(counts, '2147483647 60 300', 'a count is bounded')

  await sql(server, 'update account_stats set statuses_count = 2 where account_id = $1', [id])
  await waitUntilProcessed(server, alice, bob)
  await becomes(counts, '2147483647 60 0', 'no count is negative')
})

test('whom an account elsewhere follows, and who follows it, is hidden here while its server hides it', async t => {
  const { alice, dave, server, anonymous } = await people(t, 'alice', 'dave')
  const bob = (await startPeer(t)).actor('bob')
  const { peer } = bob
  const following = `${bob.uri}/following`
  peer.serve({ ...peer.documentOf(bob.uri), following })
  await followActor(server, alice, bob)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await dave.post(`/api/v1/accounts/${alice.id}/follow`)
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  const collection = (uri: string, more: Document): Document =>
    peer.serve({ id: uri, type: 'OrderedCollection', totalItems: 12, ...more })
  const refuse = (uri: string, status: number): unknown => peer.documents.set(new URL(uri).pathname, status)
  const update = async (): Promise<void> => {
    await bob.send(server, bob.activity('Update', peer.documentOf(bob.uri)))
    for (const kind of ['receive_lane', 'fetch_counts']) await waitForJobs(t, server, `federation.${kind}`)
  }
  /** The lists as anybody reads them, the familiar followers, and the member of the entity. */
  const shown = async (): Promise<string> => {
    const { hide_collections: hides } = entity((await anonymous.get(`/api/v1/accounts/${id}`)).json)
    const lists = await Promise.all(
      [anonymous, dave].flatMap(reader =>
        ['followers', 'following'].map(async list => (await reader.get(`/api/v1/accounts/${id}/${list}`)).json),
      ),
    )
    const [familiar] = entities((await dave.get('/api/v1/accounts/familiar_followers', { 'id[]': id })).json)
    const counts = [...lists, familiar?.['accounts']].map(list => entities(list).length)
    return `${hides === true ? 'hidden' : 'open'} ${counts.join(' ')}`
  }
  const OPEN = 'open 1 1 1 1 1'
  const HIDDEN = 'hidden 0 0 0 0 0'

  const [first, secret] = [{ first: `${bob.uri}/page` }, {}]
  for (const uri of [bob.followers, following]) collection(uri, first)
  await update()
  await becomes(shown, OPEN, 'both have pages')

  collection(following, secret)
  await update()
  await becomes(shown, HIDDEN, 'one has none')

  refuse(bob.followers, 500)
  refuse(following, 500)
  await update()
  assert.equal(await shown(), HIDDEN, 'its server is down')

  collection(bob.followers, { items: [localUri(server, alice.id)] })
  collection(following, { orderedItems: [], totalItems: 0 })
  await update()
  await becomes(shown, OPEN, 'both are short')

  refuse(bob.followers, 403)
  await update()
  await becomes(shown, HIDDEN, 'one is refused')
})
