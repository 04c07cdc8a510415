import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, startPeer, type Peer, type PeerActor } from '../../support/federation/peer.ts'
import { people, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { findAccountId, waitUntilProcessed } from './receive_fixtures.ts'

interface Relation {
  readonly followed_by: boolean
  readonly requested_by: boolean
  readonly following: boolean
  readonly blocked_by: boolean
}

/** How a local person stands to an account of a peer. */
async function relation(person: Person, server: TestServer, actor: PeerActor): Promise<Relation> {
  const id = await findAccountId(server, actor)
  const response = await person.get('/api/v1/accounts/relationships', { 'id[]': [id] })
  return entities(response.json)[0] as unknown as Relation
}

const typed =
  (type: string) =>
  (activity: Record<string, unknown>): boolean =>
    activity['type'] === type

async function start(t: Parameters<typeof startPeer>[0]): Promise<{ peer: Peer; bob: PeerActor }> {
  const peer = await startPeer(t)
  return { peer, bob: peer.actor('bob') }
}

test('a Follow is accepted, notified once, and ended by its Undo', async t => {
  const { alice, server } = await people(t, 'alice')
  const { peer, bob } = await start(t)
  const socket = await alice.stream('user')
  const follow = bob.activity('Follow', localUri(server, alice.id))
  await bob.send(server, follow)
  assert.equal(entity((await socket.next('notification')).payload)['type'], 'follow')
  const { activity } = await peer.next(typed('Accept'))
  assert.equal(entity(activity['object']).id, follow.id)
  assert.equal((await relation(alice, server, bob)).followed_by, true)
  const again = bob.activity('Follow', localUri(server, alice.id))
  await bob.send(server, again)
  const second = (await peer.next(typed('Accept'))).activity
  assert.equal(entity(second['object']).id, again.id)
  assert.notEqual(second['id'], activity['id'], 'NodeBB ignores an id that it knows')
  await bob.send(server, bob.activity('Undo', again))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await relation(alice, server, bob)).followed_by, false)
  assert.deepEqual(
    peer.received.map(({ activity: sent }) => sent['type']),
    [],
    'an ended follow is not rejected too',
  )
})

test('a Follow or Block with the id of one that was undone counts, unless its Undo came first', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const { bob } = await start(t)
  const target = localUri(server, alice.id)
  const now = async (): Promise<unknown[]> => {
    await waitUntilProcessed(server, carol, bob)
    const { followed_by, blocked_by } = await relation(alice, server, bob)
    return [followed_by, blocked_by]
  }
  const follow = bob.activity('Follow', target)
  for (const expected of [true, false, true]) {
    await bob.send(server, expected ? follow : bob.activity('Undo', follow))
    assert.deepEqual(await now(), [expected, false])
  }
  const block = bob.activity('Block', target)
  for (const expected of [true, false, true, false]) {
    await bob.send(server, expected ? block : bob.activity('Undo', block))
    assert.deepEqual(await now(), [false, expected])
  }
  for (const undone of [bob.activity('Follow', target), bob.activity('Block', target)]) {
    await bob.send(server, bob.activity('Undo', undone))
    await bob.send(server, undone)
    assert.deepEqual(await now(), [false, false])
  }
})

test("a Follow of a locked account is a request; a blocked account's Follow is rejected", async t => {
  const { alice, server } = await people(t, 'alice')
  const { peer, bob } = await start(t)
  await alice.patch('/api/v1/accounts/update_credentials', { locked: true })
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  assert.equal(entity((await socket.next('notification')).payload)['type'], 'follow_request')
  const before = await relation(alice, server, bob)
  assert.deepEqual([before.followed_by, before.requested_by], [false, true])
  await alice.post(`/api/v1/accounts/${await findAccountId(server, bob)}/block`)
  peer.received.length = 0
  const follow = bob.activity('Follow', localUri(server, alice.id))
  await bob.send(server, follow)
  const { activity } = await peer.next(sent => typed('Reject')(sent) && entity(sent['object']).id === follow.id)
  assert.equal(activity['actor'], localUri(server, alice.id))
})

test('a follow request becomes a follow after an Accept, and ends after a Reject', async t => {
  const { alice, server } = await people(t, 'alice')
  const { bob } = await start(t)
  await waitUntilProcessed(server, alice, bob)
  await alice.post(`/api/v1/accounts/${await findAccountId(server, bob)}/follow`)
  const follow = { type: 'Follow', actor: localUri(server, alice.id), object: bob.uri }
  await bob.send(server, bob.activity('Accept', follow))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await relation(alice, server, bob)).following, true)
  await bob.send(server, bob.activity('Reject', follow))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await relation(alice, server, bob)).following, false)
})

test('a Block ends follows in both directions; its Undo by id unblocks', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const { bob } = await start(t)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await waitUntilProcessed(server, carol, bob)
  const block = bob.activity('Block', localUri(server, alice.id))
  await bob.send(server, block)
  await waitUntilProcessed(server, carol, bob)
  const blocked = await relation(alice, server, bob)
  assert.deepEqual([blocked.blocked_by, blocked.followed_by], [true, false])
  await bob.send(server, bob.activity('Undo', block.id))
  await waitUntilProcessed(server, carol, bob)
  assert.equal((await relation(alice, server, bob)).blocked_by, false)
})

test('an account that blocks another does not follow it, whatever activities arrive later', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const { peer, bob } = await start(t)
  await bob.send(server, bob.activity('Block', localUri(server, alice.id)))
  const follow = bob.activity('Follow', localUri(server, alice.id))
  await bob.send(server, follow)
  assert.equal(entity((await peer.next(typed('Reject'))).activity['object']).id, follow.id)
  await waitUntilProcessed(server, carol, bob)
  assert.equal((await relation(alice, server, bob)).followed_by, false)
})

test('a Follow of the instance actor is rejected', async t => {
  const { alice, server } = await people(t, 'alice')
  const { peer, bob } = await start(t)
  const follow = bob.activity('Follow', `${server.url}/actor`)
  await bob.send(server, follow)
  const { activity } = await peer.next(typed('Reject'))
  assert.deepEqual([activity['actor'], entity(activity['object']).id], [`${server.url}/actor`, follow.id])
  await waitUntilProcessed(server, alice, bob)
})

test('the Undo of an Accept turns the follow into a request again', async t => {
  const { alice, server } = await people(t, 'alice')
  const { bob } = await start(t)
  await waitUntilProcessed(server, alice, bob)
  const id = await findAccountId(server, bob)
  await alice.post(`/api/v1/accounts/${id}/follow`)
  const follow = { type: 'Follow', actor: localUri(server, alice.id), object: bob.uri }
  const accept = bob.activity('Accept', follow)
  await bob.send(server, accept)
  await waitUntilProcessed(server, alice, bob)
  const list = entity((await alice.post('/api/v1/lists', { title: 'close' })).json)
  const members = async (): Promise<string[]> =>
    entities((await alice.get(`/api/v1/lists/${list.id}/accounts`)).json).map(member => member.id)
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [id] })
  assert.deepEqual(await members(), [id])
  await bob.send(server, bob.activity('Undo', accept))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await members(), [id], 'as an account that was requested stays on a list')
  const [now] = entities((await alice.get('/api/v1/accounts/relationships', { 'id[]': [id] })).json)
  assert.deepEqual([now?.['following'], now?.['requested']], [false, true])
})
