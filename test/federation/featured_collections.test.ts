import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity, type Entity } from '../statuses/status_fixtures.ts'
import { localUri } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'

const TYPE = { headers: { accept: 'application/activity+json' } }

const documentOf = async (url: string): Promise<Entity> => {
  const answer = await fetch(url, TYPE)
  assert.equal(answer.status, 200, url)
  return entity(await answer.json())
}

async function make(curator: Person, more: Record<string, unknown>): Promise<Entity> {
  const answer = await curator.post('/api/v1/collections', {
    name: 'Friends of tea',
    sensitive: false,
    discoverable: true,
    ...more,
  })
  assert.equal(answer.status, 200, answer.text)
  return entity(entity(answer.json)['collection'])
}

test('collections of accounts are documents, with the permissions of those in them', async t => {
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

test('collections are listed by five', async t => {
  const { alice, server } = await people(t, 'alice')
  for (let number = 0; number < 6; number += 1) await make(alice, { name: `Collection ${number}` })
  const uri = `${localUri(server, alice.id)}/featured_collections`
  const first = await documentOf(`${uri}?page=1`)
  assert.equal((first['items'] as unknown[]).length, 5)
  const second = await documentOf(String(first['next']))
  assert.deepEqual([(second['items'] as unknown[]).length, second['next'], second['prev']], [1, undefined, first.id])
})
