import assert from 'node:assert/strict'
import { test } from 'tap'
import { countCacheHits } from '../../support/cache_hits.ts'
import { people, person, uncachedAnonymous, waitForEventLog } from '../../support/people.ts'
import { requestFromEach } from '../../support/processes.ts'
import { collect, pathOf, type Collection } from './collection_fixtures.ts'

const DISCOVERABLE = { account: { discoverable: true } }

test('cached collections are never older than the last change', async t => {
  const { server, anonymous } = await people(t, 'alice')
  const [curator, bob, carol] = await Promise.all(['curator', 'bob', 'carol'].map(n => person(server, n, DISCOVERABLE)))
  assert.ok(curator && bob && carol)
  const { id, url, items } = await collect(curator, [bob])
  const linking = await bob.postStatus(`see ${url}`)
  const list = `/api/v1/accounts/${curator.id}/collections`
  const paths = [
    pathOf(id),
    `/api/v1_alpha/collections/${id}`,
    list,
    `${list}?limit=1`,
    `/api/v1/statuses/${linking.id}`,
  ]
  const uncached = uncachedAnonymous(server)
  const compare = async (after: string): Promise<void> => {
    for (const path of paths) {
      const [cached, fresh] = [await anonymous.get(path), await uncached.get(path)]
      assert.deepEqual([cached.status, cached.json], [fresh.status, fresh.json], `${path} after ${after}`)
    }
  }
  let added = ''
  const add = async (who: { id: string }): Promise<void> => {
    const { json } = await curator.post(`${pathOf(id)}/items`, { account_id: who.id })
    added = (json as { collection_item: { id: string } }).collection_item.id
  }
  let second: Collection | undefined
  const changes: Record<string, () => Promise<unknown>> = {
    rename: () => curator.patch(pathOf(id), { name: 'other' }),
    add: () => add(carol),
    remove: () => curator.delete(`${pathOf(id)}/items/${added}`),
    'add again': () => add(carol),
    'leave it': () => carol.post(`${pathOf(id)}/items/${added}/revoke`),
    'one more': async () => (second = await collect(curator, [], { name: 'second' })),
    'hide it': () => curator.patch(pathOf(second?.id ?? ''), { discoverable: false }),
    'show it': () => curator.patch(pathOf(second?.id ?? ''), { discoverable: true }),
    block: () => bob.post(`/api/v1/accounts/${curator.id}/block`),
    'a new name': () => curator.patch('/api/v1/accounts/update_credentials', { display_name: 'Curator' }),
    delete: () => curator.delete(pathOf(id)),
  }
  await waitForEventLog(curator)
  for (const [name, change] of Object.entries(changes)) {
    for (const path of paths) await requestFromEach(() => anonymous.get(path))
    const before = await countCacheHits(server)
    for (const path of paths) await anonymous.get(path)
    assert.equal(await countCacheHits(server), before + paths.length, `from memory before ${name}`)
    await change()
    await compare(name)
  }
  assert.equal((await anonymous.get(pathOf(id))).status, 404)
  assert.equal(items.length, 1)
})
