import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { until } from '../media/attachments/media_fixtures.ts'
import { entity, type Entity } from '../statuses/status_fixtures.ts'
import { startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { deliver, noteTo } from './receive/receive_fixtures.ts'

/** A status elsewhere that is old enough for its replies to be asked for. */
async function oldStatus(server: TestServer, reader: Person, actor: PeerActor, more: Document = {}) {
  const note = noteTo(server, reader, actor, 'a question', more)
  const status = await deliver(server, reader, actor, note)
  await sql(server, `update statuses set created_at = now() - interval '6 minutes' where id = $1`, [status.id])
  return { note, status }
}

const refreshOf = (headers: Headers): string | undefined =>
  /^id="([^"]+)", retry=3, result_count=0$/.exec(headers.get('mastodon-async-refresh') ?? '')?.[1]

async function replies(t: Test, server: TestServer, who: Person, status: Entity): Promise<unknown[]> {
  await waitForJobs(t, server, 'federation.fetch_replies')
  const response = await who.get(`/api/v1/statuses/${status.id}/context`)
  return (entity(response.json)['descendants'] as Entity[]).map(one => one['uri'])
}

test('replies to a remote status are fetched in the background', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const { note, status } = await oldStatus(server, alice, bob)
  const answers = [carol.note('one', { inReplyTo: note.id }), bob.note('two', { inReplyTo: note.id })] as const
  const deeper = bob.note('three', { inReplyTo: answers[0].id })
  const forged = carol.note('by nobody', { attributedTo: bob.uri, inReplyTo: note.id })
  for (const one of [answers[0], forged]) other.serve(one)
  for (const one of [answers[1], deeper]) peer.serve(one)
  const page = (items: string[], next?: string): Document => ({
    type: 'CollectionPage',
    items,
    ...(next !== undefined && { next }),
  })
  const second = `${note.id}/replies/2`
  peer.serve({
    ...note,
    replies: { type: 'Collection', id: `${note.id}/replies`, first: page([answers[0].id], second) },
  })
  // A page on another host is not asked for; one that leads back to itself ends.
  peer.serve({ '@context': note['@context'], id: second, ...page([answers[1].id, forged.id], second) })
  other.serve({
    ...answers[0],
    replies: { type: 'Collection', first: { type: 'CollectionPage', items: [], next: `${note.id}/replies/3` } },
  })
  peer.serve({ '@context': note['@context'], id: `${note.id}/replies/3`, ...page([deeper.id]) })

  assert.equal(refreshOf((await anonymous.get(`/api/v1/statuses/${status.id}/context`)).headers), undefined)
  const first = await alice.get(`/api/v1/statuses/${status.id}/context`)
  const id = refreshOf(first.headers)
  assert.ok(id, 'it says that more is coming')
  assert.deepEqual(entity(first.json)['descendants'], [])
  assert.deepEqual(new Set(await replies(t, server, alice, status)), new Set(answers.map(one => one.id)))
  const refresh = entity(entity((await alice.get(`/api/v1_alpha/async_refreshes/${id}`)).json)['async_refresh'])
  assert.deepEqual([refresh['status'], refresh['result_count']], ['finished', 2])
  const again = await alice.get(`/api/v1/statuses/${status.id}/context`)
  assert.equal(refreshOf(again.headers), undefined, 'not twice within fifteen minutes')
})

test('a thread that is being fetched shows how many replies were found so far', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { note, status } = await oldStatus(server, alice, bob)
  const [first, second] = ['one', 'two'].map(text => peer.serve(bob.note(text, { inReplyTo: note.id })))
  assert.ok(first && second)
  peer.serve({ ...note, replies: { type: 'Collection', items: [first.id, second.id] } })
  const gate = Promise.withResolvers<void>()
  const response = peer.answer.bind(peer)
  t.intercept(peer, 'answer', {
    value: async (...given: Parameters<typeof response>) => {
      if (given[0].url === new URL(second.id).pathname) await gate.promise
      response(...given)
    },
  })
  const header = async (): Promise<string | null> =>
    (await alice.get(`/api/v1/statuses/${status.id}/context`)).headers.get('mastodon-async-refresh')
  assert.match(String(await header()), /^id="[^"]+", retry=3, result_count=0$/)
  const holds = (text: string | null): boolean => /^id="[^"]+", retry=3, result_count=1$/.test(String(text))
  await until(header, holds, 'the first reply')
  gate.resolve()
  assert.equal((await replies(t, server, alice, status)).length, 2)
  assert.equal(await header(), null)
})

test('replies to replies are found', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { note, status } = await oldStatus(server, alice, bob)
  const first = bob.note('first', { inReplyTo: note.id })
  const second = peer.serve(bob.note('second', { inReplyTo: first.id }))
  peer.serve({ ...first, replies: { type: 'Collection', items: [second.id] } })
  peer.serve({ ...note, replies: { type: 'Collection', items: [first.id] } })
  await alice.get(`/api/v1/statuses/${status.id}/context`)
  assert.deepEqual(await replies(t, server, alice, status), [first.id, second.id])
})

test('a status that its server has deleted is removed when its thread is opened', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  for (const gone of [404, 410]) {
    const { note, status } = await oldStatus(server, alice, bob)
    peer.documents.set(new URL(note.id).pathname, gone)
    const socket = await alice.stream('user')
    await alice.get(`/api/v1/statuses/${status.id}/context`)
    assert.equal((await socket.next('delete')).payload, status.id)
    assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404)
  }
  const { note, status } = await oldStatus(server, alice, bob)
  peer.documents.set(new URL(note.id).pathname, 503)
  await alice.get(`/api/v1/statuses/${status.id}/context`)
  await waitForJobs(t, server, 'federation.fetch_replies')
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 200, 'a server that fails has not said so')
})

test('a collection with half a million items is read up to the limit', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { note, status } = await oldStatus(server, alice, bob)
  const answer = peer.serve(bob.note('an answer', { inReplyTo: note.id }))
  // Somewhat less than a megabyte.
  const items = [answer.id, ...Array<number>(500_000).fill(0)]
  peer.serve({ ...note, replies: { type: 'Collection', items } })
  await alice.get(`/api/v1/statuses/${status.id}/context`)
  assert.deepEqual(await replies(t, server, alice, status), [answer.id])
  const { headers } = await alice.get(`/api/v1/statuses/${status.id}/context`)
  assert.equal(headers.get('mastodon-async-refresh'), null, 'the refresh has ended')
})
