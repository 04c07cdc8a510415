import assert from 'node:assert/strict'
import { test } from 'tap'
import type { ClientResponse } from '../../support/client.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, person } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { brief, collect, membersOf, NOT_ALLOWED, pathOf, seen } from './collection_fixtures.ts'

test('whoever is blocking the curator is not added to a collection', async t => {
  const { bob } = await people(t, 'bob')
  const server = await sharedServer()
  const other = await connect(t, server)
  for (const way of ['add', 'create'] as const) {
    const alice = await person(server, 'alice', { account: { discoverable: true } })
    t.after(() => alice.close())
    const made = await collect(bob, [])
    await other.query('begin')
    await other.query('insert into blocks (account_id, target_account_id) values ($1, $2)', [alice.id, bob.id])
    const blocking = alice.post(`/api/v1/accounts/${bob.id}/block`)
    await waitForLocks(server, 1, blocking)
    const adding: Promise<ClientResponse> =
      way === 'add'
        ? bob.post(`${pathOf(made.id)}/items`, { account_id: alice.id })
        : bob.post('/api/v1/collections', {
            name: 'all',
            sensitive: false,
            discoverable: true,
            account_ids: [alice.id],
          })
    await waitForLocks(server, 2, adding)
    await other.query('rollback')
    assert.equal((await blocking).status, 200)
    assert.deepEqual(brief(await adding), NOT_ALLOWED, way)
    assert.deepEqual(membersOf((await seen(bob, made.id)).collection), [])
  }
})
