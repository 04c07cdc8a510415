import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { heardBy, notified } from './notified.ts'

test('a favourite notifies the author once, and its undoing takes the notification away', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const [one, ...more] = await notified(alice)
  assert.equal(one?.type, 'favourite')
  assert.equal(one.account.id, bob.id)
  assert.equal(one.status?.id, status.id)
  assert.equal(more.length, 0)
  await bob.post(`/api/v1/statuses/${status.id}/unfavourite`)
  assert.deepEqual(await heardBy(alice), [])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await heardBy(alice), ['favourite by bob'])
})

test('a boost notifies the author with the boosted status, and its undoing or deletion takes the notification away', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  const [one] = await notified(alice)
  assert.equal(one?.type, 'reblog')
  assert.equal(one.status?.id, status.id)
  await bob.post(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual(await heardBy(alice), [])
  const boost = (await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json as { id: string }
  assert.deepEqual(await heardBy(alice), ['reblog by bob'])
  assert.equal((await bob.delete(`/api/v1/statuses/${boost.id}`)).status, 200)
  assert.deepEqual(await heardBy(alice), [])
})

test('a mention notifies each who is mentioned, but not the author, until the status is deleted', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await bob.say(`@${alice.username} @${carol.username} @${alice.username} @${bob.username} hello`)
  assert.deepEqual(await heardBy(alice), ['mention by bob'])
  assert.deepEqual(await heardBy(carol), ['mention by bob'])
  assert.deepEqual(await heardBy(bob), [])
  await bob.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await heardBy(alice), [])
})

test('what is done to a status goes with the status', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await heardBy(alice), ['reblog by bob', 'favourite by bob'])
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await heardBy(alice), [])
})

test('a follow notifies at once, and goes with the follow', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  assert.deepEqual(await heardBy(alice), ['follow by bob'])
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`)
  assert.deepEqual(await heardBy(alice), [])
  await bob.follow(alice)
  await alice.post(`/api/v1/accounts/${bob.id}/remove_from_followers`)
  assert.deepEqual(await heardBy(alice), [])
})

test('a request to follow notifies; authorised it becomes a follow, rejected it goes', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await sql(server, 'update accounts set locked = true where id = $1', [alice.id])
  await bob.follow(alice)
  await carol.follow(alice)
  assert.deepEqual(await heardBy(alice), ['follow_request by carol', 'follow_request by bob'])
  assert.equal((await alice.post(`/api/v1/follow_requests/${bob.id}/authorize`)).status, 200)
  assert.deepEqual(await heardBy(alice), ['follow by bob', 'follow_request by carol'])
  assert.equal((await alice.post(`/api/v1/follow_requests/${carol.id}/reject`)).status, 200)
  assert.deepEqual(await heardBy(alice), ['follow by bob'])
})

test('who follows with notify hears of posts and of answers to oneself, not of boosts and answers to others', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob, { notify: true })
  const first = await bob.say('first')
  const [told] = await notified(alice)
  assert.equal(told?.type, 'status')
  assert.equal(told.status?.id, first.id)
  await bob.say('second', { in_reply_to_id: first.id })
  assert.deepEqual(await heardBy(alice), ['status by bob', 'status by bob'])
  const other = await carol.say('other')
  await bob.post(`/api/v1/statuses/${other.id}/reblog`)
  await bob.say('answer', { in_reply_to_id: other.id })
  await bob.say(`@${carol.username} secret`, { visibility: 'direct' })
  assert.deepEqual(await heardBy(alice), ['status by bob', 'status by bob'])
  await alice.follow(bob, { notify: false })
  await bob.say('third')
  assert.deepEqual(await heardBy(alice), ['status by bob', 'status by bob'])
})

test('a notification commits with its cause, and both are in the log', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const [one] = await notified(alice)
  const events = await sql(
    server,
    `select e.kind, e.actor_id::text, e.account_id::text, e.status_id::text, e.object_id::text, e.data
     from events e
     where e.txid = (select m.txid from events m where m.kind = 'notification.created' and m.account_id = $1)
       and e.kind in ('notification.created', 'status.counted')
     order by e.kind`,
    [alice.id],
  )
  assert.deepEqual(events, [
    {
      kind: 'notification.created',
      actor_id: bob.id,
      account_id: alice.id,
      status_id: status.id,
      object_id: one?.id,
      data: { type: 'favourite', filtered: false, group_key: one?.group_key },
    },
    { kind: 'status.counted', actor_id: bob.id, account_id: null, status_id: status.id, object_id: null, data: {} },
  ])
})
