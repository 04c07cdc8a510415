import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { notificationsOf, notified } from './notified.ts'

test('a favourite notifies the author once, and undoing it removes the notification', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  const [one, ...more] = await notified(alice)
  assert.equal(one?.type, 'favourite')
  assert.equal(one.account.id, bob.id)
  assert.equal(one.status?.id, status.id)
  assert.equal(more.length, 0)
  await bob.post(`/api/v1/statuses/${status.id}/unfavourite`)
  assert.deepEqual(await notificationsOf(alice), [])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await notificationsOf(alice), ['favourite by bob'])
})

test('a boost notifies the author, and undoing or deleting it removes the notification', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  const [one] = await notified(alice)
  assert.equal(one?.type, 'reblog')
  assert.equal(one.status?.id, status.id)
  await bob.post(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual(await notificationsOf(alice), [])
  const boost = (await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json as { id: string }
  assert.deepEqual(await notificationsOf(alice), ['reblog by bob'])
  assert.equal((await bob.delete(`/api/v1/statuses/${boost.id}`)).status, 200)
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a mention notifies each mentioned account except the author, until the status is deleted', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await bob.postStatus(`@${alice.username} @${carol.username} @${alice.username} @${bob.username} hello`)
  assert.deepEqual(await notificationsOf(alice), ['mention by bob'])
  assert.deepEqual(await notificationsOf(carol), ['mention by bob'])
  assert.deepEqual(await notificationsOf(bob), [])
  await bob.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await notificationsOf(alice), [])
})

test('deleting a status removes the notifications about it', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await notificationsOf(alice), ['reblog by bob', 'favourite by bob'])
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a follow creates a notification, and ending the follow removes it', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  assert.deepEqual(await notificationsOf(alice), ['follow by bob'])
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`)
  assert.deepEqual(await notificationsOf(alice), [])
  await bob.follow(alice)
  await alice.post(`/api/v1/accounts/${bob.id}/remove_from_followers`)
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a follow request creates a notification, which acceptance replaces and rejection removes', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await sql(server, 'update accounts set locked = true where id = $1', [alice.id])
  await bob.follow(alice)
  await carol.follow(alice)
  assert.deepEqual(await notificationsOf(alice), ['follow_request by carol', 'follow_request by bob'])
  assert.equal((await alice.post(`/api/v1/follow_requests/${bob.id}/authorize`)).status, 200)
  assert.deepEqual(await notificationsOf(alice), ['follow by bob', 'follow_request by carol'])
  assert.equal((await alice.post(`/api/v1/follow_requests/${carol.id}/reject`)).status, 200)
  assert.deepEqual(await notificationsOf(alice), ['follow by bob'])
})

test('a follow with notify announces posts and self-replies, but not boosts and replies to others', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob, { notify: true })
  const first = await bob.postStatus('first')
  const [notification] = await notified(alice)
  assert.equal(notification?.type, 'status')
  assert.equal(notification.status?.id, first.id)
  await bob.postStatus('second', { in_reply_to_id: first.id })
  assert.deepEqual(await notificationsOf(alice), ['status by bob', 'status by bob'])
  const other = await carol.postStatus('other')
  await bob.post(`/api/v1/statuses/${other.id}/reblog`)
  await bob.postStatus('answer', { in_reply_to_id: other.id })
  await bob.postStatus(`@${carol.username} secret`, { visibility: 'direct' })
  assert.deepEqual(await notificationsOf(alice), ['status by bob', 'status by bob'])
  await alice.follow(bob, { notify: false })
  await bob.postStatus('third')
  assert.deepEqual(await notificationsOf(alice), ['status by bob', 'status by bob'])
})

test('a notification and its cause are committed together, with events of both', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
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
