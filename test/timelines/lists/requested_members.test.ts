import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, type Person } from '../../support/people.ts'

async function requested(t: Test) {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  await carol.patch('/api/v1/accounts/update_credentials', { locked: true })
  await alice.post(`/api/v1/accounts/${carol.id}/follow`)
  const list = ((await alice.post('/api/v1/lists', { title: 'friends' })).json as { id: string }).id
  const other = await connect(t, server)
  await other.query('begin')
  return { alice, carol, server, list, other }
}

const membersOf = async (owner: Person, list: string): Promise<string[]> =>
  ((await owner.get(`/api/v1/lists/${list}/accounts`)).json as { id: string }[]).map(({ id }) => id)

test('who is put on a list in the moment in which the request to follow is accepted stays on it', async t => {
  const { alice, carol, server, list, other } = await requested(t)
  await other.query(
    `insert into list_accounts (list_id, account_id, follow_request_id)
     select $1, r.target_account_id, r.id from follow_requests r where r.account_id = $2`,
    [list, alice.id],
  )
  const accepted = carol.post(`/api/v1/follow_requests/${alice.id}/authorize`)
  await waitForLocks(server, 1, accepted)
  await other.query('commit')
  assert.equal((await accepted).status, 200)
  assert.deepEqual(await membersOf(alice, list), [carol.id])
})

test('who accepts a request to follow in the moment of being put on a list is put on it', async t => {
  const { alice, carol, server, list, other } = await requested(t)
  await other.query(
    `with accepted as (delete from follow_requests r where r.account_id = $1 returning r.account_id, r.target_account_id)
     insert into follows (account_id, target_account_id) select account_id, target_account_id from accepted`,
    [alice.id],
  )
  const added = alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [carol.id] })
  await waitForLocks(server, 1, added)
  await other.query('commit')
  assert.equal((await added).status, 200)
  assert.deepEqual(await membersOf(alice, list), [carol.id])
})

test('of two requests that put an account on a list at once the second says that it is on it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const list = ((await alice.post('/api/v1/lists', { title: 'friends' })).json as { id: string }).id
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(
    `insert into list_accounts (list_id, account_id, follow_id)
     select $1, f.target_account_id, f.id from follows f where f.account_id = $2`,
    [list, alice.id],
  )
  const added = alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id] })
  await waitForLocks(server, 1, added)
  await other.query('commit')
  const { status, json } = await added
  assert.deepEqual([status, json], [422, { error: 'Validation failed: Account is already on the list' }])
})
