import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { localUri, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { hasType, waitForJobs } from '../federation_fixtures.ts'
import { deliver, findAccountId, followActor, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* Posts that answer a post which is not known here, or not yet. */

/** The timelines that show a post of an account to a person. */
async function showing(person: Person, account: string, uri: string): Promise<string[]> {
  const paths = {
    home: '/api/v1/timelines/home',
    public: '/api/v1/timelines/public',
    remote: '/api/v1/timelines/public?remote=true',
    profile: `/api/v1/accounts/${account}/statuses`,
    originals: `/api/v1/accounts/${account}/statuses?exclude_replies=true`,
  }
  const shown: string[] = []
  for (const [name, path] of Object.entries(paths))
    if (entities((await person.get(path)).json).some(status => status['uri'] === uri)) shown.push(name)
  return shown
}

/** Reads the messages of a stream up to the one about this post; returns their posts. */
async function readUntil(stream: Awaited<ReturnType<Person['stream']>>, { id }: { id: string }): Promise<unknown[]> {
  const uris: unknown[] = []
  while (uris.at(-1) !== id) uris.push(entity((await stream.next('update')).payload)['uri'])
  return uris
}

test('an answer to an unknown post counts as an answer to somebody else', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const account = await findAccountId(server, bob)
  await showing(alice, account, '')
  const streams = [await alice.stream('user'), await alice.stream('public:remote')]
  const answer = bob.note('an answer', { inReplyTo: `${other.url}/notes/unknown` })
  const plain = bob.note('no answer')
  for (const note of [answer, plain]) await bob.send(server, bob.create(note))
  for (const stream of streams) assert.ok(!(await readUntil(stream, plain)).includes(answer.id))
  assert.deepEqual(await showing(alice, account, plain.id), ['home', 'public', 'remote', 'profile', 'originals'])
  assert.deepEqual(await showing(alice, account, answer.id), ['profile'])
})

test('an answer enters feeds and streams when its parent becomes known', async t => {
  const { alice, dora, server } = await people(t, 'alice', 'dora')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  for (const person of [alice, dora]) await followActor(server, person, bob)
  await followActor(server, alice, carol)
  const account = await findAccountId(server, bob)
  const [ofAlice, ofDora, remote] = [
    await alice.stream('user'),
    await dora.stream('user'),
    await dora.stream('public:remote'),
  ]
  const serve = (note: Document & { id: string }, at: typeof peer) => {
    at.serve(note)
    return note
  }
  const toCarol = bob.note('to carol', { inReplyTo: serve(carol.note('a post'), other).id })
  const toBob = bob.note('to bob', { inReplyTo: serve(bob.note('an own post'), peer).id })
  for (const person of [alice, dora]) await showing(person, account, toCarol.id)
  await bob.send(server, bob.create(toCarol))
  await readUntil(ofAlice, toCarol)
  assert.deepEqual(await showing(alice, account, toCarol.id), ['home', 'profile'])
  assert.deepEqual(await showing(dora, account, toCarol.id), ['profile'], 'dora does not follow carol')

  await bob.send(server, bob.create(toBob))
  for (const stream of [ofAlice, ofDora, remote]) assert.ok(!(await readUntil(stream, toBob)).includes(toCarol.id))
  for (const person of [alice, dora])
    assert.deepEqual(await showing(person, account, toBob.id), ['home', 'public', 'remote', 'profile', 'originals'])

  await waitUntilProcessed(server, dora, bob)
  const found = entities((await dora.get(`/api/v1/accounts/${account}/statuses`)).json)
  const answer = found.find(status => status['uri'] === toBob.id)
  assert.equal(answer?.['in_reply_to_account_id'], account)
})

test('posts of another server that answer each other make no endless thread', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const ids = [1, 2, 3].map(() => bob.newUri('statuses')) as [string, string, string]
  const [first, second, third] = ids
  // The first one arrives, the others are fetched: 1 answers 2, which answers 3, which answers 1.
  peer.serve(bob.note('two', { id: second, inReplyTo: third }))
  peer.serve(bob.note('three', { id: third, inReplyTo: first }))
  const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'one', { id: first, inReplyTo: second }))
  await waitForJobs(t, server, 'federation.fetch_parent')
  for (const reader of [alice, anonymous]) {
    const context = entity((await reader.get(`/api/v1/statuses/${status.id}/context`)).json)
    const around = [...(context['ancestors'] as Entity[]), ...(context['descendants'] as Entity[])]
    const uris = around.map(one => String(one['uri']))
    assert.deepEqual(new Set(uris), new Set([second, third]), 'all of the thread')
    assert.equal(new Set(uris).size, uris.length, 'none twice')
  }
  const query = 'select from statuses where uri = any ($1) and in_reply_to_id is null'
  assert.equal((await sql(server, query, [ids])).length, 1, 'the thread has a beginning')
})

test('parents on a server that does not answer occupy one of the jobs', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, slow] = [await startPeer(t), await startPeer(t)]
  const bob = peer.actor('bob')
  const asked: (string | undefined)[] = []
  const first = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const answer = slow.answer.bind(slow)
  slow.answer = (request, ...rest) => {
    asked.push(request.url)
    first.resolve()
    void released.promise.then(() => answer(request, ...rest))
  }
  const parents = Array.from({ length: 9 }, () => slow.actor('dora').newUri('statuses'))
  for (const inReplyTo of parents)
    await bob.send(server, bob.create(noteTo(server, alice, bob, 'an answer', { inReplyTo })))
  await first.promise
  await waitUntilProcessed(server, alice, bob)
  const waiting = `select from graphile_worker.jobs where task_identifier = 'federation.fetch_parent' and locked_at is null`
  assert.equal((await sql(server, waiting)).length, parents.length - 1)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await peer.next(hasType('Accept'))
  assert.equal(asked.length, 1)
  released.resolve()
  await waitForJobs(t, server, 'federation.fetch_parent')
  assert.ok(asked.length >= parents.length)
})

test('a thread that leads back to itself is shown once', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const one = await alice.postStatus('one')
  const two = await alice.postStatus('two', { in_reply_to_id: one.id })
  const three = await alice.postStatus('three', { in_reply_to_id: two.id })
  // Stored by an earlier version.
  await sql(server, 'update statuses set in_reply_to_id = $2 where id = $1', [one.id, three.id])
  for (const reader of [alice, anonymous]) {
    const context = entity((await reader.get(`/api/v1/statuses/${two.id}/context`)).json)
    const idsOf = (part: string): unknown[] => (context[part] as Entity[]).map(status => status.id)
    assert.deepEqual(new Set(idsOf('ancestors')), new Set([one.id, three.id]))
    assert.deepEqual(idsOf('ancestors').length, 2)
    assert.deepEqual(idsOf('descendants').length, new Set(idsOf('descendants')).size)
  }
  const page = await fetch(String(two['url']))
  assert.equal(page.status, 200)
})
