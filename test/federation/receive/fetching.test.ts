import assert from 'node:assert/strict'
import { test } from 'tap'
import { CONTEXT, localUri, startPeer, type Document, type Peer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entity, type Entity } from '../../statuses/status_fixtures.ts'
import { waitForJobs } from '../federation_fixtures.ts'
import { followActor, waitUntilProcessed } from './receive_fixtures.ts'

/* What is fetched because of an activity, and in whose name. */

/** The id of the key that signed the last request for a document. */
function signerFor(peer: Peer, uri: string): string | undefined {
  const { signature } = peer.headersFor.get(new URL(uri).pathname) ?? {}
  return /keyId="([^"]*)"/.exec(String(signature))?.[1]
}

const question = (tea: number): Document => ({
  type: 'Question',
  oneOf: ['tea', 'milk'].map((name, place) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: place === 0 ? tea : 0 },
  })),
  votersCount: tea,
  endTime: new Date(Date.now() + 3_600_000).toISOString(),
})

test('a poll for followers is refreshed with the signature of a follower', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const stream = await alice.stream('user')
  const note = bob.note('drinks?', { to: [bob.followers], cc: [], ...question(1) })
  await bob.send(server, bob.create(note))
  const { payload } = await stream.next('update', one => entity(one.payload)['uri'] === note.id)
  const { id: status, poll } = entity(payload) as Entity & { poll: Entity }
  const count = async (): Promise<unknown> =>
    (entity((await alice.get(`/api/v1/polls/${poll.id}`)).json)['options'] as Entity[])[0]?.['votes_count']
  const past = () => sql(server, `update polls set fetched_at = now() - interval '1 hour' where id = $1`, [poll.id])
  peer.serve({ ...note, ...question(5) })
  assert.equal(await count(), 5)
  assert.equal(signerFor(peer, note.id), `${localUri(server, alice.id)}#main-key`)
  // A server hides what the one who asks may not see any more: that is no deletion.
  peer.documents.set(new URL(note.id).pathname, 404)
  await past()
  assert.equal(await count(), 5)
  assert.equal((await alice.get(`/api/v1/statuses/${status}`)).status, 200)
  peer.documents.set(new URL(note.id).pathname, 410)
  await past()
  await alice.get(`/api/v1/polls/${poll.id}`)
  assert.equal((await alice.get(`/api/v1/statuses/${status}`)).status, 404)
})

test('a URL that somebody searches for may be that of a page, an id may not', async t => {
  const { alice } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = bob.note('found')
  peer.serve(note)
  const search = await alice.get('/api/v2/search', { q: note.id, resolve: 'true' })
  assert.equal((entity(search.json)['statuses'] as Entity[]).length, 1)
  const acceptFor = (uri: string): unknown => peer.headersFor.get(new URL(uri).pathname)?.accept
  assert.doesNotMatch(String(acceptFor(bob.uri)), /text\/html/, 'some servers refuse such requests')
  peer.documents.set('/page', 404)
  await alice.get('/api/v2/search', { q: `${peer.url}/page`, resolve: 'true' })
  assert.match(String(acceptFor(`${peer.url}/page`)), /^application\/activity\+json, .*text\/html;q=0\.1$/)
})

test('a URL that somebody searches for is found on a server that has nothing for those who accept pages', async t => {
  const { alice } = await people(t, 'alice')
  const peer = await startPeer(t)
  peer.refusesPages = true
  const bob = peer.actor('bob')
  const note = peer.serve(bob.note('found'))
  const search = async (q: string): Promise<Entity> =>
    entity((await alice.get('/api/v2/search', { q, resolve: 'true' })).json)
  const { statuses } = await search(note.id)
  assert.deepEqual(
    (statuses as Entity[]).map(({ uri }) => uri),
    [note.id],
  )
  const { accounts } = await search(bob.uri)
  assert.deepEqual(
    (accounts as Entity[]).map(({ acct }) => acct),
    [bob.acct],
  )
})

test('an object given by its id is fetched with the signature of a follower and the token of a bearcap', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const stream = await alice.stream('user')
  const [named, secret] = ['named', 'secret'].map(text => bob.note(text, { to: [bob.followers], cc: [] }))
  assert.ok(named && secret)
  for (const note of [named, secret]) peer.serve(note)
  await bob.send(server, bob.activity('Create', named.id))
  await stream.next('update', one => entity(one.payload)['uri'] === named.id)
  assert.equal(signerFor(peer, named.id), `${localUri(server, alice.id)}#main-key`)
  assert.equal(peer.headersFor.get(new URL(named.id).pathname)?.authorization, undefined)
  const elsewhere = await startPeer(t)
  const parameters = (url: string) => new URLSearchParams({ u: url, t: 'a-secret' }).toString()
  await bob.send(server, bob.activity('Create', `bear:?${parameters(`${elsewhere.url}/1`)}`))
  await bob.send(server, bob.activity('Create', 'bear:?u=%00&t=%0d%0a'))
  await bob.send(server, bob.activity('Create', `bear:?${parameters(secret.id)}`))
  await stream.next('update', one => entity(one.payload)['uri'] === secret.id)
  assert.equal(peer.headersFor.get(new URL(secret.id).pathname)?.authorization, 'Bearer a-secret')
  assert.deepEqual(elsewhere.asked, [], 'no secret leaves for another server')
})

test('at most five replies of a new post are fetched, from its own server', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, eve] = [peer.actor('bob'), other.actor('eve')]
  await followActor(server, alice, bob)
  const foreign = other.serve(eve.note('not asked for', { '@context': CONTEXT }))
  const note = bob.note('a thread')
  const answers = Array.from({ length: 6 }, (_, index) => peer.serve(bob.note(`${index}`, { inReplyTo: note.id })))
  const items = [foreign.id, ...answers.map(({ id }) => id)]
  const replies = { type: 'Collection', first: { type: 'CollectionPage', items } }
  await bob.send(server, bob.create({ ...note, replies }))
  await waitUntilProcessed(server, alice, bob)
  await waitForJobs(t, server, 'federation.fetch_embedded_replies')
  const rows = await sql(
    server,
    'select s.uri from statuses p join statuses s on s.in_reply_to_id = p.id where p.uri = $1',
    [note.id],
  )
  assert.deepEqual(
    rows.map(row => String(row['uri'])).toSorted(),
    answers
      .slice(0, 5)
      .map(({ id }) => id)
      .toSorted(),
  )
  assert.deepEqual(other.asked, [])
})

test("a boost of the author's own private post contains the post", async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  await followActor(server, alice, bob)
  await followActor(server, alice, eve)
  const own = bob.note('for followers', { to: [bob.followers], cc: [] })
  const stream = await alice.stream('user')
  // Nobody boosts what is for the followers of somebody else.
  await eve.send(server, eve.activity('Announce', own, { to: [eve.followers] }))
  await waitUntilProcessed(server, alice, eve)
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [own.id]), [])
  await bob.send(server, bob.activity('Announce', own, { to: [bob.followers], published: new Date().toISOString() }))
  const { payload } = await stream.next('update', one => entity(one.payload)['uri'] === own.id)
  await waitUntilProcessed(server, alice, bob)
  const { id } = entity(payload)
  const shown = entity((await alice.get(`/api/v1/statuses/${id}`)).json)
  assert.deepEqual([shown['visibility'], shown['reblogs_count']], ['private', 1])
  const [boost] = await sql(server, 'select visibility::text from statuses where reblog_of_id = $1', [id])
  assert.equal(boost?.['visibility'], 'private')
})
