import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person } from '../../support/people.ts'
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
  await ask(alice, 'DELETE', path)
  assert.equal((await alice.get(path)).status, 404)
})
