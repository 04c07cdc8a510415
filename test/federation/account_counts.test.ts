import { test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { entity } from '../statuses/status_fixtures.ts'
import { startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { accountOf, waitUntilProcessed } from './receive/receive_fixtures.ts'

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
