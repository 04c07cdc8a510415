import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { PUBLIC, startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { hasType } from '../federation_fixtures.ts'
import { deliver, waitUntilProcessed } from './receive_fixtures.ts'

/* Activities that name local people and posts by the addresses of their pages. */

test('a mention by the address of the profile notifies', async t => {
  const { alice, dora, server } = await people(t, 'alice', 'dora')
  const bob = (await startPeer(t)).actor('bob')
  const mention = (href: string) => ({ type: 'Mention', href })
  const tag = [mention(`${server.url}/@${alice.username.toUpperCase()}`), mention(`${server.url}/@nobody_of_that_name`)]
  const status = await deliver(server, alice, bob, bob.note('hello', { tag }))
  assert.deepEqual(
    entities(status['mentions']).map(({ id }) => id),
    [alice.id],
  )
  // Addressed alone, it is for her only.
  const note = bob.note('for dora', { to: [`${server.url}/@${dora.username}`], cc: [] })
  await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, bob)
  const [stored] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  const path = `/api/v1/statuses/${String(stored?.['id'])}`
  assert.equal((await dora.get(path)).status, 200)
  assert.equal((await alice.get(path)).status, 404)
})

test('replies, likes and boosts count that name a post by the address of its page', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const own = await alice.postStatus('a post')
  const page = String(own['url'])
  assert.equal(page, `${server.url}/@${alice.username}/${own.id}`)
  const reply = bob.note('a reply', { inReplyTo: page })
  await bob.send(server, bob.create(reply))
  const like = bob.activity('Like', page)
  await bob.send(server, like)
  await bob.send(server, bob.activity('Announce', page, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, bob)
  const counts = async (): Promise<unknown[]> => {
    const status = entity((await alice.get(`/api/v1/statuses/${own.id}`)).json)
    return ['replies_count', 'favourites_count', 'reblogs_count'].map(name => status[name])
  }
  assert.deepEqual(await counts(), [1, 1, 1])
  const { descendants } = entity((await alice.get(`/api/v1/statuses/${own.id}/context`)).json)
  assert.deepEqual(
    entities(descendants).map(one => one['uri']),
    [reply.id],
  )
  await bob.send(server, bob.activity('Undo', { type: 'Like', actor: bob.uri, object: page }))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await counts(), [1, 0, 1])
})

test('a follow by the address of the profile is accepted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await bob.send(server, bob.activity('Follow', `${server.url}/@${alice.username}`))
  await peer.next(hasType('Accept'))
  const account = entity((await alice.get(`/api/v1/accounts/${alice.id}`)).json)
  assert.equal(account['followers_count'], 1)
})
