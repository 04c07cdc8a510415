import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, startPeer, type Document } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

const TYPE = { headers: { accept: 'application/activity+json' } }

test('a local conversation is a collection of its public and unlisted posts', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const carol = (await startPeer(t)).actor('carol')
  const get = (url: string) => fetch(url, TYPE)
  const read = async (url: string): Promise<Document> => {
    const response = await get(url)
    assert.equal(response.status, 200, url)
    return (await response.json()) as Document
  }
  const root = await alice.postStatus('the first')
  const response = await bob.postStatus('an answer', { in_reply_to_id: root.id })
  await bob.postStatus('a secret answer', { in_reply_to_id: response.id, visibility: 'private' })
  const remote = noteTo(server, bob, carol, 'from elsewhere', { inReplyTo: response['uri'] })
  await carol.send(server, carol.create(remote))
  await waitUntilProcessed(server, alice, carol)
  const context = `${server.url}/contexts/${alice.id}-${root.id}`
  for (const status of [root, response]) assert.equal((await read(String(status['uri'])))['context'], context)
  const { '@context': _, ...document } = await read(context)
  const items = [root['uri'], response['uri'], remote.id]
  assert.deepEqual(document, {
    id: context,
    type: 'Collection',
    attributedTo: `${server.url}/ap/users/${alice.id}`,
    first: { id: `${context}/items`, type: 'CollectionPage', partOf: context, items },
  })
  assert.deepEqual((await read(`${context}/items?min_id=${root.id}`))['items'], items.slice(1))
  const secret = await alice.postStatus('for few', { visibility: 'private' })
  for (const name of [
    `${bob.id}-${response.id}`,
    `${bob.id}-${root.id}`,
    `${alice.id}-${secret.id}`,
    'x-y',
    root.id,
    '-',
  ])
    assert.equal((await get(`${server.url}/contexts/${name}`)).status, 404, name)
})

test('the conversation of a private post is for its readers, and no cache stores it for others', async t => {
  const { alice, server } = await people(t, 'alice')
  const carol = (await startPeer(t)).actor('carol')
  await carol.send(server, carol.activity('Follow', localUri(server, alice.id)))
  await waitUntilProcessed(server, alice, carol)
  const secret = await alice.postStatus('for few', { visibility: 'private' })
  for (const path of ['', '/items']) {
    const url = `${server.url}/contexts/${alice.id}-${secret.id}${path}`
    const { status, headers } = await fetch(url, { headers: carol.signGet(url) })
    assert.deepEqual([status, headers.get('cache-control')], [200, 'private, no-store'], path)
    assert.equal((await fetch(url, TYPE)).status, 404, path)
  }
})

test('a post names the collections that it links to', async t => {
  const { alice, server } = await people(t, 'alice')
  const made = await alice.post('/api/v1/collections', { name: 'Tea', sensitive: false, discoverable: true })
  const { id, uri } = (made.json as { collection: { id: string; uri: string } }).collection
  const status = await alice.postStatus('look at it')
  // An address with a number for its host is no link in a text.
  await sql(server, 'insert into status_collections (status_id, collection_id) values ($1, $2)', [status.id, id])
  const note = (await (await fetch(String(status['uri']), TYPE)).json()) as { tag: Document[] }
  assert.deepEqual(note.tag, [{ id: uri, type: 'FeaturedCollection', name: 'Tea' }])
})
