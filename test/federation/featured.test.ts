import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { localUri, startPeer } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import { waitForJobs, hasType } from './federation_fixtures.ts'
import { findAccountId, waitUntilProcessed, noteTo, deliver } from './receive/receive_fixtures.ts'

const pinnedBy = async (who: Person, account: string): Promise<unknown[]> =>
  entities((await who.get(`/api/v1/accounts/${account}/statuses`, { pinned: 'true' })).json).map(one => one['uri'])

const tagsOf = async (who: Person, account: string): Promise<unknown[]> =>
  entities((await who.get(`/api/v1/accounts/${account}/featured_tags`)).json).map(one => one['name'])

test('remote followers receive an Add for a pinned post and a Remove for an unpinned one', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await peer.next(hasType('Accept'))
  const status = await alice.postStatus('pin me')
  await peer.next(hasType('Create'))
  const actor = localUri(server, alice.id)
  const target = `${actor}/collections/featured`
  await alice.post(`/api/v1/statuses/${status.id}/pin`)
  const { activity: added } = await peer.next(hasType('Add'))
  assert.deepEqual(
    [added['actor'], added['object'], added['target']],
    [actor, `${actor}/statuses/${status.id}`, target],
  )
  await alice.post(`/api/v1/statuses/${status.id}/unpin`)
  const { activity: removed } = await peer.next(hasType('Remove'))
  assert.deepEqual([removed['object'], removed['target']], [`${actor}/statuses/${status.id}`, target])
  const tag = entity((await alice.post('/api/v1/featured_tags', { name: 'Tea' })).json)
  const { activity: featured } = await peer.next(hasType('Add'))
  const { type, name } = entity(featured['object'])
  assert.deepEqual([type, name, featured['target']], ['Hashtag', '#Tea', target])
  await alice.delete(`/api/v1/featured_tags/${tag.id}`)
  assert.equal(entity((await peer.next(hasType('Remove'))).activity['object'])['name'], '#Tea')
  await alice.post(`/api/v1/statuses/${status.id}/pin`)
  await peer.next(hasType('Add'))
  await alice.delete(`/api/v1/statuses/${status.id}`)
  await peer.next(hasType('Delete'))
  assert.deepEqual(peer.received, [], 'a deleted status is not removed too')
})

test('remote accounts change their featured posts and hashtags by activities', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = peer.serve(bob.note('pinned'))
  await waitUntilProcessed(server, alice, bob)
  const id = await findAccountId(server, bob)
  const target = `${bob.uri}/featured`
  const tag = { type: 'Hashtag', href: `${peer.url}/tags/tea`, name: '#Tea' }
  for (const object of [note.id, tag]) await bob.send(server, bob.activity('Add', object, { target }))
  // Another collection is not that of the profile.
  await bob.send(server, bob.activity('Add', { ...tag, name: '#Milk' }, { target: `${bob.uri}/other` }))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual([await pinnedBy(alice, id), await tagsOf(alice, id)], [[note.id], ['Tea']])
  for (const object of [note.id, tag]) await bob.send(server, bob.activity('Remove', object, { target }))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual([await pinnedBy(alice, id), await tagsOf(alice, id)], [[], []])
})

test('featured posts and hashtags are fetched with a remote account', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const other = (await startPeer(t)).actor('carol')
  const [first, second] = [bob.note('first'), peer.serve(bob.note('second'))]
  const foreign = other.peer.serve(other.note('not by bob'))
  peer.serve({ ...peer.documentOf(bob.uri), featuredTags: `${bob.uri}/tags` })
  const items = { type: 'OrderedCollection', totalItems: 3, orderedItems: [first, second.id, foreign.id] }
  peer.serve({ '@context': first['@context'], id: `${bob.uri}/featured`, ...items })
  const tags = [{ type: 'Hashtag', href: `${peer.url}/tags/tea`, name: '#Tea' }]
  peer.serve({ '@context': first['@context'], id: `${bob.uri}/tags`, type: 'Collection', items: tags })
  await deliver(server, alice, bob, noteTo(server, alice, bob, 'hello'))
  const id = await findAccountId(server, bob)
  await waitForJobs(t, server, 'federation.fetch_featured')
  assert.deepEqual(new Set(await pinnedBy(alice, id)), new Set([first.id, second.id]))
  assert.deepEqual(await tagsOf(alice, id), ['Tea'])
})

test('pinned posts are read from a collection that the actor contains', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = peer.serve(bob.note('pinned at Bluesky'))
  const featured = (...items: string[]) =>
    peer.serve({ ...peer.documentOf(bob.uri), featured: { type: 'OrderedCollection', orderedItems: items } })
  featured(note.id)
  await deliver(server, alice, bob, noteTo(server, alice, bob, 'hello'))
  const id = await findAccountId(server, bob)
  await waitForJobs(t, server, 'federation.fetch_featured')
  assert.deepEqual(await pinnedBy(alice, id), [note.id])
  await bob.send(server, bob.activity('Update', featured()))
  await waitUntilProcessed(server, alice, bob)
  await waitForJobs(t, server, 'federation.fetch_featured')
  assert.deepEqual(await pinnedBy(alice, id), [])
})

test('what is featured stays while the collections cannot be read, and goes when they are empty', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = bob.note('pinned')
  peer.serve({ ...peer.documentOf(bob.uri), featuredTags: `${bob.uri}/tags` })
  const pins = { '@context': note['@context'], id: `${bob.uri}/featured`, type: 'OrderedCollection' }
  const tags = { '@context': note['@context'], id: `${bob.uri}/tags`, type: 'Collection' }
  peer.serve({ ...pins, orderedItems: [note] })
  peer.serve({ ...tags, items: [{ type: 'Hashtag', name: '#Tea' }] })
  await deliver(server, alice, bob, noteTo(server, alice, bob, 'hello'))
  await waitForJobs(t, server, 'federation.fetch_featured')
  const id = await findAccountId(server, bob)
  const featured = async (): Promise<unknown> => [await pinnedBy(alice, id), await tagsOf(alice, id)]
  assert.deepEqual(await featured(), [[note.id], ['Tea']])
  const fetchAgain = async (): Promise<unknown> => {
    const payload = JSON.stringify({ account: id, featured: pins.id, tags: tags.id })
    await sql(server, `select enqueue('federation.fetch_featured', $1, attempts => 3)`, [payload])
    await waitForJobs(t, server, 'federation.fetch_featured')
    return featured()
  }
  const paths = [pins.id, tags.id].map(uri => new URL(uri).pathname)
  for (const answer of [401, 403, 404, 410, { id: `${peer.url}/else`, type: 'Note' }]) {
    for (const path of paths) peer.documents.set(path, answer)
    assert.deepEqual(await fetchAgain(), [[note.id], ['Tea']], JSON.stringify(answer))
  }
  for (const collection of [pins, tags]) peer.serve({ ...collection, first: `${collection.id}/missing` })
  assert.deepEqual(await fetchAgain(), [[note.id], ['Tea']], 'a page is missing')
  for (const collection of [pins, tags]) peer.serve({ ...collection, totalItems: 0, next: null })
  assert.deepEqual(await fetchAgain(), [[], []])
})
