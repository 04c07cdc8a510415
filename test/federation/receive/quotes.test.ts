import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { deliver, followActor, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

const answers =
  (type: string, request: Document) =>
  (activity: Document): boolean =>
    activity['type'] === type && entity(activity['object']).id === request['id']

test('a quote of a local status is pending until its QuoteRequest is accepted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const own = await alice.postStatus('quote me')
  const object = `${localUri(server, alice.id)}/statuses/${own.id}`
  const note = noteTo(server, alice, bob, 'quoting', { quote: object })
  const pending = await deliver(server, alice, bob, note)
  assert.equal(entity(pending['quote'])['state'], 'pending')
  const socket = await alice.stream('user')
  const request = bob.activity('QuoteRequest', object, { instrument: note.id })
  await bob.send(server, request)
  const { payload } = await socket.next('notification', message => entity(message.payload)['type'] === 'quote')
  assert.equal(entity(entity(entity(payload)['status'])['quote'])['state'], 'accepted')
  const { activity } = await peer.next(answers('Accept', request))
  const approval = await fetch(String(activity['result']), { headers: { accept: 'application/activity+json' } })
  const { interactingObject, interactionTarget } = entity(await approval.json())
  assert.deepEqual([interactingObject, interactionTarget], [note.id, object])
})

test('a quote for followers whose request only names it is fetched on behalf of the quoted author', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const own = await alice.postStatus('quote me')
  const object = `${localUri(server, alice.id)}/statuses/${own.id}`
  const note = peer.serve(bob.note('quoting', { quote: object, to: [bob.followers], cc: [] }))
  const request = bob.activity('QuoteRequest', object, { instrument: note.id })
  await bob.send(server, request)
  const { activity } = await peer.next(one => entity(one['object']).id === request.id)
  assert.equal(activity['type'], 'Accept')
  assert.match(
    String(peer.headersFor.get(new URL(note.id).pathname)?.['signature']),
    new RegExp(`/ap/users/${alice.id}#`),
  )
  // A post of somebody else is none of the requester's.
  const carol = peer.actor('carol')
  const stolen = carol.activity('QuoteRequest', object, { instrument: note.id })
  await carol.send(server, stolen)
  assert.equal((await peer.next(one => entity(one['object']).id === stolen.id)).activity['type'], 'Reject')
})

test('whom a direct or private note quotes cannot read it before granting the quote', async t => {
  const { alice, dave, server } = await people(t, 'alice', 'dave')
  const bob = (await startPeer(t)).actor('bob')
  const own = await alice.postStatus('quote me')
  const object = `${localUri(server, alice.id)}/statuses/${own.id}`
  await followActor(server, dave, bob)
  const toDave = localUri(server, dave.id)
  const direct = noteTo(server, dave, bob, 'look what she writes', { quoteUrl: object, to: [toDave], cc: [] })
  const secret = noteTo(server, dave, bob, 'look there', { _misskey_quote: object, to: [bob.followers], cc: [toDave] })
  const paths: string[] = []
  for (const note of [direct, secret]) {
    const status = await deliver(server, dave, bob, note)
    assert.equal(entity(status['quote'])['state'], 'pending')
    paths.push(`/api/v1/statuses/${status.id}`)
  }
  const statusesFor = async (): Promise<number[]> =>
    Promise.all(paths.map(async path => (await alice.get(path)).status))
  const conversing = async (): Promise<unknown[]> =>
    entities((await alice.get('/api/v1/timelines/direct')).json).map(({ uri }) => uri)
  assert.deepEqual(await statusesFor(), [404, 404])
  assert.deepEqual(await conversing(), [])
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('QuoteRequest', object, { instrument: direct.id }))
  await socket.next('notification', message => entity(message.payload)['type'] === 'quote')
  assert.deepEqual(await statusesFor(), [200, 404], 'its request shows the first')
  assert.deepEqual(await conversing(), [direct.id])
  const [logged] = await sql(
    server,
    `select e.data from events e join statuses s on s.id = e.status_id where s.uri = $1 and e.kind = 'status.updated'`,
    [direct.id],
  )
  assert.deepEqual(entity(logged?.['data'])['silent_mentions'], [alice.id])
})

test('a quote that the quoted author does not allow is rejected', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const own = await alice.postStatus('do not quote me', { quote_approval_policy: 'nobody' })
  const object = `${localUri(server, alice.id)}/statuses/${own.id}`
  const note = noteTo(server, alice, bob, 'quoting', { quote: object })
  const request = bob.activity('QuoteRequest', object, { instrument: note })
  await bob.send(server, request)
  const { activity } = await peer.next(answers('Reject', request))
  assert.equal(activity['result'], undefined)
})

test('a quote of a remote status counts when its author has authorized it', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = other.serve(carol.note('original'))
  const note = noteTo(server, alice, bob, 'quoting', {
    quote: quoted.id,
    quoteAuthorization: `${carol.uri}/approvals/1`,
  })
  other.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${carol.uri}/approvals/1`,
    type: 'QuoteAuthorization',
    attributedTo: carol.uri,
    interactingObject: note.id,
    interactionTarget: quoted.id,
  })
  const status = await deliver(server, alice, bob, note)
  assert.equal(entity(status['quote'])['state'], 'accepted')
  assert.equal(entity(entity(status['quote'])['quoted_status'])['uri'], quoted.id)
  const forged = await deliver(server, alice, bob, { ...note, id: `${note.id}-forged` })
  assert.equal(entity(forged['quote'])['state'], 'pending', 'the approval is for another status')
  await carol.send(server, carol.activity('Delete', `${carol.uri}/approvals/1`))
  await waitUntilProcessed(server, alice, carol)
  const after = entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)
  assert.equal(entity(after['quote'])['state'], 'revoked')
})
