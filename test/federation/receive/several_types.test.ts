import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { makeKeyPair, startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/** A local person, a suspended account of another server, and one of its neighbours. */
async function suspendedBob(t: Test) {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  await waitUntilProcessed(server, alice, bob)
  await sql(server, 'update accounts set suspended_at = now() where uri = $1', [bob.uri])
  return { alice, server, bob, carol }
}

test('a suspended account cannot post by an activity with a second type', async t => {
  const { alice, server, bob, carol } = await suspendedBob(t)
  const note = noteTo(server, alice, bob, 'hello')
  for (const type of [
    ['Create', 'Undo'],
    ['Undo', 'Create'],
    ['Move', 'Create', 'Update'],
  ])
    await bob.send(server, { ...bob.create(note), type })
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [])
})

test('a suspended account cannot post by an Update of an unknown note', async t => {
  const { alice, server, bob, carol } = await suspendedBob(t)
  const note = noteTo(server, alice, bob, 'hello')
  await bob.send(server, bob.activity('Update', note))
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [])
})

test('nobody else can change an account that its own server has deleted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  await waitUntilProcessed(server, alice, bob)
  const forged = { ...peer.documentOf(bob.uri), name: 'Evil' }
  peer.documents.set(new URL(bob.uri).pathname, 410)
  bob.keys = makeKeyPair()
  await bob.send(server, { ...bob.activity('Update', forged), type: ['Update', 'Delete'] })
  await waitUntilProcessed(server, alice, carol)
  assert.deepEqual(await sql(server, `select from accounts where uri = $1 and display_name = 'Evil'`, [bob.uri]), [])
})
