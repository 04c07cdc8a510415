import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

type Notified = { type: unknown; filtered: unknown; group_key: unknown }

/** The notifications that the event log announced, oldest first. */
const notificationsFor = (server: TestServer, recipient: Person, from: Person): Promise<Record<string, unknown>[]> =>
  sql(
    server,
    `select e.data ->> 'type' as type, (e.data ->> 'filtered')::boolean as filtered, e.data ->> 'group_key' as group_key
     from events e where e.kind = 'notification.created' and e.account_id = $1 and e.actor_id = $2 order by e.id`,
    [recipient.id, from.id],
  )

test('a follow creates one notification, and simultaneous follows share a group', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(bob, { notify: true })
  await carol.follow(bob)
  const [first, ...more] = (await notificationsFor(server, bob, alice)) as Notified[]
  assert.equal(more.length, 0)
  assert.equal(first?.type, 'follow')
  assert.equal(first?.filtered, false)
  assert.match(String(first?.group_key), /^follow-\d+$/)
  const [second] = (await notificationsFor(server, bob, carol)) as Notified[]
  assert.equal(second?.group_key, first?.group_key)
  await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)
  assert.deepEqual(await sql(server, 'select from notifications where from_account_id = $1', [alice.id]), [])
  await alice.follow(bob)
  assert.equal((await notificationsFor(server, bob, alice)).length, 2)
})

test('a follow request creates an ungrouped notification, and its acceptance a follow notification', async t => {
  const { alice, server } = await people(t, 'alice')
  const locked = await person(server, 'locked', { account: { locked: true } })
  await alice.follow(locked)
  const [request] = (await notificationsFor(server, locked, alice)) as Notified[]
  assert.equal(request?.type, 'follow_request')
  assert.match(String(request?.group_key), /^ungrouped-\d+$/)
  await locked.post(`/api/v1/follow_requests/${alice.id}/authorize`)
  const types = (await notificationsFor(server, locked, alice)).map(row => row['type'])
  assert.deepEqual(types, ['follow_request', 'follow'])
})

test('withdrawing a follow request removes its notification', async t => {
  const { alice, server } = await people(t, 'alice')
  const locked = await person(server, 'locked', { account: { locked: true } })
  await alice.follow(locked)
  await alice.post(`/api/v1/accounts/${locked.id}/unfollow`)
  assert.deepEqual(await sql(server, 'select from notifications where account_id = $1', [locked.id]), [])
})

test('follows by accounts muted with notifications create no notification, other muted accounts do', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  await alice.post(`/api/v1/accounts/${carol.id}/mute`, { notifications: false })
  for (const fan of [bob, carol]) await fan.follow(alice)
  assert.deepEqual(await notificationsFor(server, alice, bob), [])
  assert.equal((await notificationsFor(server, alice, carol)).length, 1)
})

test('the policy of the recipient filters or drops follow notifications', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const policy = (value: string): Promise<unknown> =>
    sql(
      server,
      `insert into notification_policies (account_id, for_new_accounts) values ($1, $2)
       on conflict (account_id) do update set for_new_accounts = excluded.for_new_accounts`,
      [alice.id, value],
    )
  await policy('filter')
  await bob.follow(alice)
  const [filtered] = (await notificationsFor(server, alice, bob)) as Notified[]
  assert.equal(filtered?.filtered, true)
  assert.match(String(filtered?.group_key), /^ungrouped-/)
  await policy('drop')
  await carol.follow(alice)
  assert.deepEqual(await notificationsFor(server, alice, carol), [])
})

test('a post is notified though it mentions somebody who blocks the follower, not when the follower blocks or mutes them', async t => {
  const { alice, bob, carol, dave, erin, server } = await people(t, 'alice', 'bob', 'carol', 'dave', 'erin')
  await alice.follow(bob, { notify: true })
  await carol.post(`/api/v1/accounts/${alice.id}/block`)
  await alice.post(`/api/v1/accounts/${dave.id}/block`)
  await alice.post(`/api/v1/accounts/${erin.id}/mute`)
  const posted: string[] = []
  for (const { username } of [carol, dave, erin]) posted.push((await bob.postStatus(`@${username} hello`)).id)
  const told = await sql(
    server,
    `select n.type, n.status_id::text from notifications n where n.account_id = $1 and n.from_account_id = $2`,
    [alice.id, bob.id],
  )
  assert.deepEqual(told, [{ type: 'status', status_id: posted[0] }])
})
