import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, startPeer, type Document } from '../../support/federation/peer.ts'
import { people } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

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
