import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity, type Entity } from '../statuses/status_fixtures.ts'
import { localUri, PUBLIC, startPeer, type Document } from '../support/federation/peer.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { hasType } from './federation_fixtures.ts'
import { accountOf, deliver, followActor, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

const MAY_QUOTE = { interactionPolicy: { canQuote: { automaticApproval: [PUBLIC] } } }

const quoteOf = (status: unknown): Entity => entity(entity(status)['quote'])
const shown = async (who: Person, id: string): Promise<Entity> => entity((await who.get(`/api/v1/statuses/${id}`)).json)

test('a remote author gets a QuoteRequest; its authorization is published, and may be revoked', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = noteTo(server, alice, bob, 'quote me', MAY_QUOTE)
  const quoted = await deliver(server, alice, bob, note)
  const status = await alice.postStatus('quoting', { quoted_status_id: quoted.id })
  assert.equal(quoteOf(status)['state'], 'pending')
  const { activity: request } = await peer.next(hasType('QuoteRequest'))
  const actor = localUri(server, alice.id)
  const instrument = entity(request['instrument'])
  assert.deepEqual([request['actor'], request['object']], [actor, note.id])
  assert.deepEqual(
    [instrument.id, instrument['quote'], instrument['quoteAuthorization']],
    [`${actor}/statuses/${status.id}`, note.id, undefined],
  )
  // The answer of another server, and a permission elsewhere, are none.
  const other = (await startPeer(t)).actor('mallory')
  const result = `${bob.uri}/approvals/1`
  const response = (type: string, more: Document = {}) => bob.activity(type, request, more)
  await other.send(server, other.activity('Accept', request, { result: `${other.uri}/approvals/1` }))
  await waitUntilProcessed(server, alice, other)
  await bob.send(server, response('Accept', { result: `${other.uri}/approvals/1` }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(quoteOf(await shown(alice, status.id))['state'], 'pending')
  const socket = await alice.stream('user')
  await bob.send(server, response('Accept', { result }))
  const { payload } = await socket.next('status.update')
  assert.equal(quoteOf(payload)['state'], 'accepted')
  const { activity: update } = await peer.next(hasType('Update'))
  assert.equal(entity(update['object'])['quoteAuthorization'], result)
  assert.equal(entity(update['object'])['updated'], undefined, 'it was not edited')
  await bob.send(server, bob.activity('Delete', result))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(quoteOf(await shown(alice, status.id))['state'], 'revoked')
})

test('a quote whose post was deleted before the answer is not counted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const quoted = await deliver(server, alice, bob, noteTo(server, alice, bob, 'quote me', MAY_QUOTE))
  const status = await alice.postStatus('with a typo', { quoted_status_id: quoted.id })
  const { activity: request } = await peer.next(hasType('QuoteRequest'))
  await alice.delete(`/api/v1/statuses/${status.id}`)
  await bob.send(server, bob.activity('Accept', request, { result: `${bob.uri}/approvals/1` }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await shown(alice, quoted.id))['quotes_count'], 0)
  assert.deepEqual(
    await sql(server, `select from events where kind = 'status.updated' and status_id = $1`, [status.id]),
    [],
  )
})

test('a manual quote policy leads to a QuoteRequest; a Reject is stored', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const manual = { interactionPolicy: { canQuote: { manualApproval: [PUBLIC] } } }
  const quoted = await deliver(server, alice, bob, noteTo(server, alice, bob, 'ask me', manual))
  const approval = entity((await shown(alice, quoted.id))['quote_approval'])
  assert.deepEqual([approval['automatic'], approval['manual'], approval['current_user']], [[], ['public'], 'manual'])
  const status = await alice.postStatus('quoting', { quoted_status_id: quoted.id })
  const { activity: request } = await peer.next(hasType('QuoteRequest'))
  await bob.send(server, bob.activity('Reject', request['id']))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(quoteOf(await shown(alice, status.id))['state'], 'rejected')
  await bob.send(server, bob.activity('Accept', request, { result: `${bob.uri}/approvals/1` }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(quoteOf(await shown(alice, status.id))['state'], 'rejected')
  const followers = { interactionPolicy: { canQuote: { manualApproval: [bob.followers] } } }
  const closed = await deliver(server, alice, bob, noteTo(server, alice, bob, 'ask me as a follower', followers))
  assert.equal((await alice.post('/api/v1/statuses', { status: 'no', quoted_status_id: closed.id })).status, 404)
  await followActor(server, alice, bob)
  assert.equal((await alice.post('/api/v1/statuses', { status: 'yes', quoted_status_id: closed.id })).status, 200)
})

test('the authorization of a revoked quote is deleted on other servers', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const own = await alice.postStatus('quote me')
  const object = `${localUri(server, alice.id)}/statuses/${own.id}`
  const note = noteTo(server, alice, bob, 'quoting', { quote: object })
  const quoting = await deliver(server, alice, bob, note)
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('QuoteRequest', object, { instrument: note.id }))
  await socket.next('notification', message => entity(message.payload)['type'] === 'quote')
  const result = String((await peer.next(hasType('Accept'))).activity['result'])
  await alice.post(`/api/v1/statuses/${own.id}/quotes/${quoting.id}/revoke`)
  const { activity } = await peer.next(hasType('Delete'))
  const deleted = entity(activity['object'])
  assert.deepEqual(
    [deleted.id, deleted['type'], deleted['interactingObject'], deleted['interactionTarget'], activity['to']],
    [result, 'QuoteAuthorization', note.id, object, [PUBLIC]],
  )
  const gone = await fetch(result, { headers: { accept: 'application/activity+json' } })
  assert.equal(gone.status, 404)
})

test('a remote quote is accepted when its author adds the authorization later', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = other.serve(carol.note('original'))
  const note = noteTo(server, alice, bob, 'quoting', { _misskey_quote: quoted.id })
  const status = await deliver(server, alice, bob, note)
  assert.equal(quoteOf(status)['state'], 'pending', 'a legacy quote')
  const approval = other.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${carol.uri}/approvals/1`,
    type: 'QuoteAuthorization',
    attributedTo: carol.uri,
    interactingObject: note.id,
    interactionTarget: quoted.id,
  })
  const socket = await alice.stream('user')
  await followActor(server, alice, bob)
  await bob.send(server, bob.activity('Update', { ...note, quote: quoted.id, quoteAuthorization: approval.id }))
  const { payload } = await socket.next('status.update')
  assert.deepEqual([entity(payload).id, quoteOf(payload)['state']], [status.id, 'accepted'])
})

test('a permission that another server gives behind a redirect is none', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = other.serve(carol.note('original'))
  // Many servers redirect requests for the posts of others.
  const path = '/notes/1'
  const note = noteTo(server, alice, bob, 'quoting', { quote: quoted.id, quoteAuthorization: `${other.url}${path}` })
  const approval = peer.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: `${bob.uri}/approvals/1`,
    type: 'QuoteAuthorization',
    attributedTo: carol.uri,
    interactingObject: note.id,
    interactionTarget: quoted.id,
  })
  other.redirects.set(path, approval.id)
  const status = await deliver(server, alice, bob, note)
  assert.equal(quoteOf(status)['state'], 'pending')
  assert.ok(peer.asked.some(asked => approval.id.endsWith(asked)))
})

test('accounts on two Millrace servers quote each other', async t => {
  const [here, there] = [await startServer(t), await startServer(t)]
  const [alice, bob] = [await person(here, 'alice'), await person(there, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const posted = await bob.postStatus('quote me from elsewhere')
  const response = await alice.get('/api/v2/search', { q: String(posted['uri']), resolve: 'true' })
  const [found] = entity(response.json)['statuses'] as Entity[]
  assert.ok(found)
  assert.ok(accountOf(found))
  const [sent, received] = [await alice.stream('user'), await bob.stream('user')]
  const status = await alice.postStatus('as bob says', { quoted_status_id: found.id })
  const { payload } = await received.next('notification', message => entity(message.payload)['type'] === 'quote')
  assert.equal(quoteOf(entity(payload)['status'])['state'], 'accepted')
  const accepted = await sent.next('status.update')
  assert.deepEqual([entity(accepted.payload).id, quoteOf(accepted.payload)['state']], [status.id, 'accepted'])
  const theirs = entity(entity(payload)['status'])
  await bob.post(`/api/v1/statuses/${posted.id}/quotes/${theirs.id}/revoke`)
  assert.equal(quoteOf((await sent.next('status.update')).payload)['state'], 'revoked')
})

test('a quote policy for those whom the author follows is evaluated', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const following = `${bob.uri}/following`
  const policy = (canQuote: Document): Document => ({ interactionPolicy: { canQuote } })
  const arrive = (canQuote: Document): Promise<Entity> =>
    deliver(server, alice, bob, noteTo(server, alice, bob, 'quote me?', policy(canQuote)))
  const approvalOf = async (who: Person, { id }: Entity): Promise<unknown[]> => {
    const { automatic, manual, current_user: current } = entity((await shown(who, id))['quote_approval'])
    return [automatic, manual, current]
  }
  const automatic = await arrive({ automaticApproval: [following] })
  const manual = await arrive({ automaticApproval: [bob.uri], manualApproval: [bob.followers, following] })
  const mixed = await arrive({ automaticApproval: [following], manualApproval: [PUBLIC] })
  const listed = await arrive({ automaticApproval: [`${bob.uri}/friends`] })
  const nobody = await arrive({ automaticApproval: [bob.uri] })
  const friends = `${bob.uri}/friends`
  const some = await arrive({ automaticApproval: [bob.followers, friends, bob.uri] })
  const either = await arrive({ automaticApproval: [friends], manualApproval: [`${friends}/all`, following] })
  const anybody = await arrive({ automaticApproval: [friends], manualApproval: [friends, PUBLIC] })
  assert.deepEqual(await approvalOf(alice, automatic), [['following'], [], 'denied'])
  assert.deepEqual(await approvalOf(alice, manual), [[], ['followers', 'following'], 'denied'])
  assert.deepEqual(await approvalOf(alice, mixed), [['following'], ['public'], 'manual'])
  assert.deepEqual(await approvalOf(alice, listed), [['unsupported_policy'], [], 'unknown'])
  assert.deepEqual(await approvalOf(alice, nobody), [[], [], 'denied'])
  const [other, known] = ['unsupported_policy', 'following']
  assert.deepEqual(await approvalOf(alice, some), [[other, 'followers'], [], 'unknown'])
  assert.deepEqual(await approvalOf(alice, either), [[other], [other, known], 'unknown'])
  assert.deepEqual(await approvalOf(alice, anybody), [[other], ['public'], 'manual'])
  const quote = async (who: Person, { id }: Entity): Promise<number> =>
    (await who.post('/api/v1/statuses', { status: 'quoting', quoted_status_id: id })).status
  assert.equal(await quote(alice, automatic), 404)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await approvalOf(alice, automatic), [['following'], [], 'automatic'])
  assert.deepEqual(await approvalOf(alice, manual), [[], ['followers', 'following'], 'manual'])
  assert.deepEqual(await approvalOf(alice, mixed), [['following'], ['public'], 'automatic'])
  assert.deepEqual(await approvalOf(carol, automatic), [['following'], [], 'denied'])
  assert.deepEqual(await approvalOf(alice, either), [[other], [other, known], 'manual'])
  assert.deepEqual([await quote(alice, automatic), await quote(alice, listed)], [200, 200], 'the author decides')
  assert.deepEqual([await quote(carol, automatic), await quote(alice, nobody)], [404, 404])
  for (const status of [some, either, anybody]) assert.equal(await quote(carol, status), 200)
  await peer.next(hasType('QuoteRequest'))
})

test('the following of an author that was stored before it was read is fetched with a status', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  await sql(server, `update accounts set following_url = '', fetched_at = now() - interval '2 days' where uri = $1`, [
    bob.uri,
  ])
  const policy = { interactionPolicy: { canQuote: { automaticApproval: [`${bob.uri}/following`] } } }
  const note = peer.serve(bob.note('quote me', policy))
  const found = await carol.get('/api/v2/search', { q: note.id, resolve: 'true' })
  const [status] = entities(entity(found.json)['statuses'])
  assert.deepEqual(entity(status?.['quote_approval'])['automatic'], ['following'])
})

test('who reads a stream sees their own permission to quote', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  for (const who of [alice, carol]) await followActor(server, who, bob)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await waitUntilProcessed(server, alice, bob)
  const sockets = [await alice.stream('user'), await carol.stream('user')] as const
  const policy = { interactionPolicy: { canQuote: { automaticApproval: [`${bob.uri}/following`] } } }
  const note = bob.note('quote me', policy)
  await bob.send(server, bob.activity('Create', note))
  const seen: unknown[] = []
  for (const socket of sockets) {
    const { payload } = await socket.next('update', message => entity(message.payload)['uri'] === note.id)
    seen.push(entity(entity(payload)['quote_approval'])['current_user'])
  }
  assert.deepEqual(seen, ['automatic', 'denied'])
})
