import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql } from '../support/people.ts'
import { notificationsOf, notified } from './notified.ts'

test('an edit of a boosted status notifies the booster, and the next edit replaces the notification', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('first')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  const stream = await bob.stream('user:notification')
  const streamed = async (): Promise<string> => ((await stream.next('notification')).payload as { id: string }).id
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'second' })
  const [one] = await notified(bob)
  assert.deepEqual([one?.type, one?.status?.content], ['update', '<p>second</p>'])
  // Before the next edit, because a replaced notification is no longer streamed.
  assert.equal(await streamed(), one?.id)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'third' })
  const [other, ...more] = await notified(bob)
  assert.deepEqual([other?.type, other?.status?.content, more.length], ['update', '<p>third</p>', 0])
  assert.notEqual(other?.id, one?.id)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'third' })
  assert.deepEqual(await notified(bob), [other])
  assert.equal(await streamed(), other?.id)
})

test('an edit that no longer notifies the booster leaves the earlier notification', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('first')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'second' })
  const [one] = await notified(bob)
  await bob.post(`/api/v1/statuses/${status.id}/mute`)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'third' })
  // Not by the API, whose pages stay in memory until an event.
  assert.deepEqual(await sql(server, 'select id::text from notifications where account_id = $1', [bob.id]), [
    { id: one?.id },
  ])
})

test('a mention added by an edit creates one notification, however often the status is edited', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  for (const text of [`hello @${bob.username}`, `hello again @${bob.username}`, 'hello', `hello @${bob.username}`])
    await alice.put(`/api/v1/statuses/${status.id}`, { status: text })
  assert.deepEqual(await notificationsOf(bob), ['mention by alice'])
})

test('posts of an account on an exclusive list are not in home but still create notifications', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.follow(bob, { notify: true })
  const list = (await alice.post('/api/v1/lists', { title: 'apart', exclusive: true })).json as { id: string }
  await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.id] })
  await bob.postStatus('hello')
  assert.deepEqual((await alice.get('/api/v1/timelines/home')).json, [])
  assert.deepEqual(await notificationsOf(alice), ['status by bob'])
})

test('a filtered notification and its conversation are not streamed', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(carol)
  const user = await alice.stream('user')
  const direct = await alice.stream('direct')
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const { id } = await carol.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const messages = await user.upTo('notification')
  assert.deepEqual(
    messages
      .filter(({ event }) => event === 'notification')
      .map(({ payload }) => (payload as { status: { id: string } }).status.id),
    [id],
  )
  const [first] = await direct.upTo('conversation')
  assert.ok(first)
  assert.equal((first.payload as { last_status: { id: string } }).last_status.id, id)
})

test('sign-ups are grouped for staff, with a fallback for clients that do not support the type', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const moderator = await person(server, 'moderator', { roleId: 2 })
  for (const newcomer of [alice, bob])
    await sql(server, `select notify($1, $2, 'admin.sign_up', null, $3)`, [moderator.id, newcomer.id, newcomer.userId])
  const groups = async (query: Record<string, string>): Promise<Record<string, unknown>[]> => {
    const { json } = await moderator.get('/api/v2/notifications', { 'types[]': 'admin.sign_up', ...query })
    return (json as { notification_groups: Record<string, unknown>[] }).notification_groups
  }
  const [group, ...more] = await groups({})
  assert.deepEqual(
    [group?.['notifications_count'], group?.['sample_account_ids'], more.length],
    [2, [bob.id, alice.id], 0],
  )
  assert.match(String(group?.['group_key']), /^admin\.sign_up-\d{6}$/)
  assert.equal('fallback' in (group ?? {}), false)
  assert.equal((await groups({ 'supported_types[]': 'admin.sign_up' }))[0]?.['fallback'], undefined)
  const [unknown] = await groups({ 'supported_types[]': 'mention' })
  const fallback = unknown?.['fallback'] as { title: string }
  assert.deepEqual(Object.keys(fallback), ['title', 'summary', 'description'])
  assert.match(fallback.title, new RegExp(`@<span>${bob.username}</span></a></span> and 1 other signed up$`))
})
