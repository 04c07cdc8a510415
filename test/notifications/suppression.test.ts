import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../support/people.ts'
import { heardBy, notified } from './notified.ts'

test('nothing comes from somebody who is blocked, and what came goes', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await heardBy(alice), [])
  await bob.say(`@${alice.username} hello`)
  assert.deepEqual(await heardBy(alice, { include_filtered: 'true' }), [])
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`)
  await bob.say(`@${alice.username} hello again`)
  assert.deepEqual(await heardBy(alice), ['mention by bob'])
})

test('a mute with notifications suppresses them, one without keeps them', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await alice.post(`/api/v1/accounts/${carol.id}/mute`, { notifications: false })
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await carol.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await heardBy(alice), ['reblog by carol'])
})

test('a mute that has ended suppresses nothing', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await sql(server, `update mutes set expires_at = now() - interval '1 second' where account_id = $1`, [alice.id])
  await bob.say(`@${alice.username} hello`)
  assert.deepEqual(await heardBy(alice), ['mention by bob'])
})

test('a muted conversation is silent', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.say('hello')
  await alice.post(`/api/v1/statuses/${status.id}/mute`)
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.say(`@${alice.username} answer`, { in_reply_to_id: status.id })
  assert.deepEqual(await heardBy(alice), [])
  await bob.say(`@${alice.username} elsewhere`)
  assert.deepEqual(await heardBy(alice), ['mention by bob'])
})

test('a mention is suppressed when it also names, or answers, somebody who is blocked', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await carol.say('hello')
  await alice.post(`/api/v1/accounts/${carol.id}/block`)
  await bob.say(`@${alice.username} @${carol.username} both`)
  await bob.say(`@${alice.username} look`, { in_reply_to_id: status.id })
  assert.deepEqual(await heardBy(alice), [])
})

test('of a blocked domain only those who are followed are heard', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.say('hello')
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
  assert.deepEqual(await heardBy(alice), ['favourite by friend'])
})

test('hiding the boosts of somebody does not suppress being boosted', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob, { reblogs: false })
  const status = await alice.say('hello')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await heardBy(alice), ['reblog by bob'])
})

test('a private mention by a stranger is held back as a request, without an entry in conversations', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const first = await bob.say(`@${alice.username} psst`, { visibility: 'direct' })
  const second = await bob.say(`@${alice.username} psst again`, { visibility: 'direct' })
  assert.deepEqual(await heardBy(alice), [])
  const held = await notified(alice, { include_filtered: 'true' })
  assert.deepEqual(
    held.map(one => [one.type, one.filtered, one.status?.id, one.group_key === `ungrouped-${one.id}`]),
    [
      ['mention', true, second.id, true],
      ['mention', true, first.id, true],
    ],
  )
  assert.deepEqual(await notified(alice, { account_id: bob.id }), held)
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
  assert.equal((await alice.post(`/api/v1/notifications/${String(held[1]?.id)}/dismiss`)).status, 200)
  assert.deepEqual(await requests(), [])
})

test('a private mention by somebody followed, or in answer to one, is heard', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await bob.say(`@${alice.username} psst`, { visibility: 'direct' })
  const asked = await alice.say(`@${carol.username} well?`, { visibility: 'direct' })
  await carol.say(`@${alice.username} well`, { visibility: 'direct', in_reply_to_id: asked.id })
  assert.deepEqual(await heardBy(alice), ['mention by carol', 'mention by bob'])
})

test('a policy of the recipient drops or filters, but not for those whom an accepted request exempts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.say('hello')
  await sql(
    server,
    `insert into notification_policies (account_id, for_not_following, for_new_accounts) values ($1, 'filter', 'drop')`,
    [alice.id],
  )
  await sql(server, `update accounts set created_at = now() - interval '31 days' where id = $1`, [carol.id])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await carol.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await heardBy(alice, { include_filtered: 'true' }), ['favourite by carol'])
  assert.deepEqual(await heardBy(alice), [])
  await sql(server, 'insert into notification_permissions (account_id, from_account_id) values ($1, $2)', [
    alice.id,
    bob.id,
  ])
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.deepEqual(await heardBy(alice), ['reblog by bob'])
})

test('limited accounts are filtered unless they are followed', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.say('hello')
  await alice.follow(carol)
  await sql(server, 'update accounts set silenced_at = now() where id in ($1, $2)', [bob.id, carol.id])
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await carol.post(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual(await heardBy(alice), ['favourite by carol'])
})

test('a mention by staff is always heard', async t => {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  await alice.post(`/api/v1/accounts/${moderator.id}/mute`)
  await moderator.say(`@${alice.username} a word`, { visibility: 'direct' })
  assert.deepEqual(await heardBy(alice), ['mention by moderator'])
})

test('those of suspended accounts are hidden while the suspension lasts', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const [one] = await notified(alice)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [bob.id])
  assert.deepEqual(await heardBy(alice), [])
  assert.equal((await alice.get(`/api/v1/notifications/${String(one?.id)}`)).status, 404)
})
