import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { notificationsOf, notified } from '../../notifications/notified.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { brief, collect, pathOf, seen } from './collection_fixtures.ts'

/** Alice curates; bob and carol can be featured in collections. */
async function cast(t: Test) {
  const { server, alice } = await people(t, 'alice')
  const featured = (name: string): Promise<Person> => person(server, name, { account: { discoverable: true } })
  const [bob, carol] = await Promise.all([featured('bob'), featured('carol')])
  t.after(() => Promise.all([bob.close(), carol.close()]))
  return { server, alice, bob, carol }
}

interface WithCollection {
  collection?: unknown
  fallback?: { title: string }
}

test('adding an account to a collection notifies it, by REST and in streams', async t => {
  const { alice, bob, carol } = await cast(t)
  const stream = await bob.stream('user:notification')
  const { id } = await collect(alice, [bob])
  const shown = (await seen(bob, id)).collection
  const streamed = (await stream.next('notification')).payload as WithCollection
  assert.deepEqual(streamed.collection, shown)
  const [one] = (await notified(bob)) as WithCollection[]
  assert.deepEqual(one?.collection, shown)
  await alice.post(`${pathOf(id)}/items`, { account_id: carol.id })
  assert.deepEqual(await notificationsOf(carol), ['added_to_collection by alice'])
  assert.deepEqual(await notificationsOf(bob), ['added_to_collection by alice'])
  const [old] = (await notified(carol, { 'supported_types[]': 'mention' })) as WithCollection[]
  assert.match(old?.fallback?.title ?? '', /added you to a collection$/)
})

test('grouped notifications carry the collection', async t => {
  const { alice, bob } = await cast(t)
  const { id } = await collect(alice, [bob])
  const response = await bob.get('/api/v2/notifications')
  const { notification_groups: groups } = response.json as { notification_groups: Record<string, unknown>[] }
  assert.deepEqual(
    groups.map(({ type, collection, notifications_count }) => [type, collection, notifications_count]),
    [['added_to_collection', (await seen(bob, id)).collection, 1]],
  )
})

test('members are notified of relevant changes, and a new notification replaces the last one', async t => {
  const { alice, bob, carol } = await cast(t)
  const { id, items } = await collect(alice, [bob, carol])
  await carol.post(`${pathOf(id)}/items/${items[1]?.id}/revoke`)
  await alice.patch(pathOf(id), { discoverable: false, language: 'en' })
  assert.deepEqual(await notificationsOf(bob), ['added_to_collection by alice'])
  for (const change of [{ name: 'band' }, { description: 'x' }, { sensitive: true }, { tag_name: 'band' }])
    assert.equal((await alice.put(pathOf(id), change)).status, 200)
  const received = await notified(bob)
  assert.deepEqual(
    received.map(one => one.type),
    ['collection_update', 'added_to_collection'],
  )
  await alice.patch(pathOf(id), { name: 'choir' })
  const [latest, ...rest] = await notified(bob)
  assert.notEqual(latest?.id, received[0]?.id)
  assert.equal(rest.length, 1)
  await alice.patch(pathOf(id), { name: 'choir' })
  assert.equal((await notified(bob))[0]?.id, latest?.id)
  assert.deepEqual(await notificationsOf(carol), ['added_to_collection by alice'])
})

test('removing an item or a collection removes its notifications', async t => {
  const { alice, bob, carol } = await cast(t)
  const { id, items } = await collect(alice, [bob, carol])
  await alice.delete(`${pathOf(id)}/items/${items[0]?.id}`)
  assert.deepEqual([await notificationsOf(bob), await notificationsOf(carol)], [[], ['added_to_collection by alice']])
  await alice.post(`${pathOf(id)}/items`, { account_id: bob.id })
  assert.deepEqual(await notificationsOf(bob), ['added_to_collection by alice'])
  await alice.delete(pathOf(id))
  assert.deepEqual([await notificationsOf(bob), await notificationsOf(carol)], [[], []])
})

test('mutes and policies apply to collections, but a change is never filtered', async t => {
  const { server, alice, bob, carol } = await cast(t)
  await carol.post(`/api/v1/accounts/${alice.id}/mute`)
  await bob.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
  const { id } = await collect(alice, [bob, carol])
  assert.deepEqual([await notificationsOf(bob), await notificationsOf(carol)], [[], []])
  assert.deepEqual(await notificationsOf(bob, { include_filtered: 'true' }), ['added_to_collection by alice'])
  await alice.patch(pathOf(id), { name: 'band' })
  assert.deepEqual([await notificationsOf(bob), await notificationsOf(carol)], [['collection_update by alice'], []])
  await bob.patch('/api/v2/notifications/policy', { for_not_following: 'drop' })
  const rows = await sql(server, 'select count(*)::integer as amount from notifications where account_id = $1', [
    bob.id,
  ])
  await collect(alice, [bob])
  assert.deepEqual(
    await sql(server, 'select count(*)::integer as amount from notifications where account_id = $1', [bob.id]),
    rows,
  )
})

test('search resolves the address of a collection', async t => {
  const { server, alice, bob } = await cast(t)
  const { id, url, uri } = await collect(alice, [bob])
  const shown = (await seen(bob, id)).collection
  const find = (q: string, more = {}): Promise<unknown> =>
    bob
      .get('/api/v2/search', { q, resolve: 'true', ...more })
      .then(response => (response.json as { collections: unknown }).collections)
  for (const address of [url, uri]) assert.deepEqual(await find(address), [shown])
  assert.deepEqual(await find(url, { type: 'statuses' }), [])
  assert.deepEqual(await find(`${server.url}/collections/9`), [])
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await find(url), [])
  assert.deepEqual(brief(await bob.get(pathOf(id)))[0], 403)
})
