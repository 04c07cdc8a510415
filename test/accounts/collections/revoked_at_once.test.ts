import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import type { ClientResponse } from '../../support/client.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { brief, collect, membersOf, NOT_FOUND, pathOf, seen, type Collection } from './collection_fixtures.ts'

/* A member leaves a collection while something else ends its membership. */

type Send = (item: string) => Promise<ClientResponse>

/** A collection of one member. */
async function collected(t: Test): Promise<{ bob: Person; alice: Person; made: Collection; revoke: Send }> {
  const { bob } = await people(t, 'bob')
  const alice = await person(await sharedServer(), 'alice', { account: { discoverable: true } })
  t.after(() => alice.close())
  const made = await collect(bob, [alice])
  const revoke: Send = item => alice.post(`${pathOf(made.id)}/items/${item}/revoke`)
  return { bob, alice, made, revoke }
}

/** Sends one request after the other while both have to wait for the item. */
async function inTurn(t: Test, { items: [item] }: Collection, requests: readonly Send[]): Promise<ClientResponse[]> {
  const server = await sharedServer()
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from collection_items where id = $1 for update', [item?.id])
  const sent: Promise<ClientResponse>[] = []
  for (const send of requests) {
    sent.push(send(item?.id ?? ''))
    await waitForLocks(server, sent.length, ...sent)
  }
  await other.query('rollback')
  return Promise.all(sent)
}

/** How often a change of a collection's items is in the log. */
async function countChanges({ id }: Collection): Promise<number> {
  const changes = `select from events where kind = 'collection.changed' and object_id = $1 and data ->> 'change' = 'items'`
  return (await sql(await sharedServer(), changes, [id])).length
}

test('a member that leaves a collection twice at the same moment leaves it once', async t => {
  const { bob, made, revoke } = await collected(t)
  const before = await countChanges(made)
  const [first, second] = await inTurn(t, made, [revoke, revoke])
  assert.equal(first?.status, 200)
  assert.deepEqual(second && brief(second), NOT_FOUND)
  assert.equal(await countChanges(made), before + 1)
  assert.deepEqual(membersOf((await seen(bob, made.id)).collection), [])
})

test('a member that is being removed from a collection cannot leave it any more', async t => {
  const { bob, made, revoke } = await collected(t)
  const before = await countChanges(made)
  const remove: Send = item => bob.delete(`${pathOf(made.id)}/items/${item}`)
  const [removed, left] = await inTurn(t, made, [remove, revoke])
  assert.equal(removed?.status, 200)
  assert.deepEqual(left && brief(left), NOT_FOUND)
  assert.equal(await countChanges(made), before + 1)
})
