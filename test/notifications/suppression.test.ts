import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../support/people.ts'
import { notificationsOf, notified, suspend } from './notified.ts'

test('a block removes notifications of the blocked account and suppresses new ones', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await notificationsOf(alice), [])
  await bob.postStatus(`@${alice.username} hello`)
  assert.deepEqual(await notificationsOf(alice, { include_filtered: 'true' }), [])
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`)
  await bob.postStatus(`@${alice.username} hello again`)
  assert.deepEqual(await notificationsOf(alice), ['mention by bob'])
})

test('a mute suppresses notifications unless it excludes them', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await alice.post(`/api/v1/accounts/${carol.id}/mute`, { notifications: false })
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await carol.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await notificationsOf(alice), ['reblog by carol'])
})

test('an expired mute suppresses nothing', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await sql(server, `update mutes set expires_at = now() - interval '1 second' where account_id = $1`, [alice.id])
  await bob.postStatus(`@${alice.username} hello`)
  assert.deepEqual(await notificationsOf(alice), ['mention by bob'])
})

test('a muted conversation creates no notifications', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  await alice.post(`/api/v1/statuses/${status.id}/mute`)
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.postStatus(`@${alice.username} answer`, { in_reply_to_id: status.id })
  assert.deepEqual(await notificationsOf(alice), [])
  await bob.postStatus(`@${alice.username} elsewhere`)
  assert.deepEqual(await notificationsOf(alice), ['mention by bob'])
})

test('a mention is suppressed when it also mentions or replies to a blocked account', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await carol.postStatus('hello')
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  await bob.postStatus(`@${alice.username} @${carol.username} both`)
  await bob.postStatus(`@${alice.username} look`, { in_reply_to_id: status.id })
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a blocked domain suppresses notifications of accounts that are not followed', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('hello')
  const remote = async (username: string): Promise<string> => {
    const [made] = await sql(
      server,
      `insert into accounts (username, domain, uri) values ($1, 'bad.example', 'https://bad.example/' || $1) returning id::text`,
      [username],
    )
    return String(made?.['id'])
  }
  const [stranger, friend] = [await remote('stranger'), await remote('friend')]
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'bad.example')`, [alice.id])
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [alice.id, friend])
  for (const from of [stranger, friend]) {
    await sql(server, `select notify($1, $2, 'favourite', $3, $2)`, [alice.id, from, status.id])
  }
  assert.deepEqual(await notificationsOf(alice), ['favourite by friend'])
})

test('hiding the boosts of an account does not suppress its notifications', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob, { reblogs: false })
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await notificationsOf(alice), ['reblog by bob'])
})

test('a private mention by an unknown account is filtered as a request without a conversation', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const first = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const second = await bob.postStatus(`@${alice.username} psst again`, { visibility: 'direct' })
  assert.deepEqual(await notificationsOf(alice), [])
  const filtered = await notified(alice, { include_filtered: 'true' })
  assert.deepEqual(
    filtered.map(one => [one.type, one.filtered, one.status?.id, one.group_key === `ungrouped-${one.id}`]),
    [
      ['mention', true, second.id, true],
      ['mention', true, first.id, true],
    ],
  )
  assert.deepEqual(await notified(alice, { account_id: bob.id }), filtered)
  const requests = (): Promise<Record<string, unknown>[]> =>
    sql(
      server,
      `select notifications_count::integer as count, last_status_id::text as last from notification_requests
       where account_id = $1 and from_account_id = $2`,
      [alice.id, bob.id],
    )
  assert.deepEqual(await requests(), [{ count: 2, last: second.id }])
  const conversations = await sql(server, 'select from account_conversations where account_id = $1', [alice.id])
  assert.equal(conversations.length, 0)
  const [event] = await sql(
    server,
    `select data from events where kind = 'notification.created' and account_id = $1 limit 1`,
    [alice.id],
  )
  assert.equal((event?.['data'] as { filtered: boolean } | undefined)?.filtered, true)

  await bob.delete(`/api/v1/statuses/${second.id}`)
  assert.deepEqual(await requests(), [{ count: 1, last: first.id }])
  assert.equal((await alice.post(`/api/v1/notifications/${String(filtered[1]?.id)}/dismiss`)).status, 200)
  assert.deepEqual(await requests(), [])
})

test("a private mention by a followed account or in reply to one's own is not filtered", async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const question = await alice.postStatus(`@${carol.username} well?`, { visibility: 'direct' })
  await carol.postStatus(`@${alice.username} well`, { visibility: 'direct', in_reply_to_id: question.id })
  assert.deepEqual(await notificationsOf(alice), ['mention by carol', 'mention by bob'])
})

test('a policy drops or filters notifications, except of accepted senders', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  await sql(
    server,
    `insert into notification_policies (account_id, for_not_following, for_new_accounts) values ($1, 'filter', 'drop')`,
    [alice.id],
  )
  await sql(server, `update accounts set created_at = now() - interval '31 days' where id = $1`, [carol.id])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await carol.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await notificationsOf(alice, { include_filtered: 'true' }), ['favourite by carol'])
  assert.deepEqual(await notificationsOf(alice), [])
  await sql(server, 'insert into notification_permissions (account_id, from_account_id) values ($1, $2)', [
    alice.id,
    bob.id,
  ])
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await notificationsOf(alice), ['reblog by bob'])
})

test('notifications of limited accounts are filtered unless the accounts are followed', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  await alice.follow(carol)
  await sql(server, 'update accounts set silenced_at = now() where id in ($1, $2)', [bob.id, carol.id])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await carol.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await notificationsOf(alice), ['favourite by carol'])
})

test('a mention by staff is never suppressed', async t => {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  await alice.post(`/api/v1/accounts/${moderator.id}/mute`)
  await moderator.postStatus(`@${alice.username} a word`, { visibility: 'direct' })
  assert.deepEqual(await notificationsOf(alice), ['mention by moderator'])
})

test('notifications of suspended accounts are hidden during the suspension', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const [one] = await notified(alice)
  await suspend(server, bob.id, alice)
  assert.deepEqual(await notificationsOf(alice), [])
  assert.equal((await alice.get(`/api/v1/notifications/${String(one?.id)}`)).status, 404)
})
