import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf } from '../../support/client.ts'
import { people, person, sql } from '../../support/people.ts'
import type { Collection, Item } from './collection_fixtures.ts'

const EARLIER = '/api/v1_alpha/collections'

test('every operation is also at its earlier path, which is deprecated', async t => {
  const { server, alice } = await people(t, 'alice')
  const [bob, carol] = await Promise.all(
    ['bob', 'carol'].map(name => person(server, name, { account: { discoverable: true } })),
  )
  assert.ok(bob && carol)
  const ask = async (who: typeof alice, method: string, path: string, body?: object): Promise<unknown> => {
    const { status, headers, json } = await who.request(method, path, { body })
    assert.deepEqual([status, headers.get('deprecation')], [200, '@1781049600'], `${method} ${path}`)
    return json
  }
  const one = { name: 'choir', sensitive: false, discoverable: true, account_ids: [bob.id] }
  const { collection } = (await ask(alice, 'POST', EARLIER, one)) as { collection: Collection }
  const path = `${EARLIER}/${collection.id}`
  assert.deepEqual(await ask(alice, 'GET', path), (await alice.get(path.replace('v1_alpha', 'v1'))).json)
  await ask(alice, 'PATCH', path, { name: 'band' })
  await ask(alice, 'PUT', path, { description: 'who plays' })
  const added = (await ask(alice, 'POST', `${path}/items`, { account_id: carol.id })) as { collection_item: Item }
  await ask(alice, 'DELETE', `${path}/items/${added.collection_item.id}`)
  await ask(bob, 'POST', `${path}/items/${collection.items[0]?.id}/revoke`)
  const left = (await ask(alice, 'GET', path)) as { collection: Collection }
  assert.deepEqual(
    [left.collection.name, left.collection.description, left.collection.items],
    ['band', 'who plays', []],
  )
  for (const who of ['choir', 'orchestra', 'quartet'])
    assert.equal((await alice.post('/api/v1/collections', { ...one, name: who })).status, 200)
  const ofAccount = `/api/v1_alpha/accounts/${alice.id}/collections`
  const containing = `/api/v1_alpha/accounts/${bob.id}/in_collections`
  for (const [who, list, deprecation, most] of [
    [carol, ofAccount, '@1781049600', 4],
    [bob, containing, null, 3],
  ] as const) {
    const present = await who.get(list.replace('v1_alpha', 'v1'))
    assert.deepEqual(Object.keys(present.json as object), ['collections'])
    assert.equal(present.headers.get('deprecation'), null)
    const all = await who.get(list)
    assert.deepEqual([all.json, all.headers.get('deprecation')], [present.json, deprecation])
    const ids = (all.json as { collections: Collection[] }).collections.map(({ id }) => id)
    assert.equal(ids.length, most)
    for (const either of [list, list.replace('v1_alpha', 'v1')]) {
      const page = async (offset: number): Promise<unknown[]> => {
        const response = await who.get(either, { limit: '1', offset: String(offset) })
        const { collections } = response.json as { collections: Collection[] }
        return [collections.map(({ id }) => id), linkOf(response, 'prev'), linkOf(response, 'next')]
      }
      const at = (offset: number): string => `${either}?limit=1&offset=${offset}`
      assert.deepEqual(await page(0), [[ids[0]], undefined, at(1)])
      assert.deepEqual(await page(1), [[ids[1]], at(0), at(2)])
      assert.deepEqual(await page(most - 1), [[ids[most - 1]], at(most - 2), undefined])
    }
  }
  const refused = await carol.get(containing)
  assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is not allowed' }])
  await ask(alice, 'DELETE', path)
  assert.equal((await alice.get(path)).status, 404)
})

test('a page has at most 100 collections, at both paths', async t => {
  const { server, alice, anonymous } = await people(t, 'alice')
  await sql(
    server,
    `insert into collections (account_id, name, sensitive, discoverable) select $1, 'x', false, true from generate_series(1, 101)`,
    [alice.id],
  )
  for (const version of ['v1', 'v1_alpha']) {
    const { json } = await anonymous.get(`/api/${version}/accounts/${alice.id}/collections`, { limit: '500' })
    assert.equal((json as { collections: Collection[] }).collections.length, 100, version)
  }
})
