import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { NOTIFICATION_TYPES } from '../../../src/notifications/index.ts'
import { people, type Person } from '../../support/people.ts'
import { startPushService } from './push_service.ts'

const PATH = '/api/v1/push/subscription'
const PATHS = [PATH, `${PATH}s`]
const ALL = Object.fromEntries(NOTIFICATION_TYPES.map(type => [type, true]))

/**
 * Notifies in a transaction that is rolled back; returns the number of jobs enqueued in it, or null
 * without a notification.
 */
async function jobsOf(to: Person, by: Person, type: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: to.server.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    const { rows: made } = await client.query<{ id: string | null }>(
      `select notify($1, $2, $3, null, 1) ->> 'object_id' as id`,
      [to.id, by.id, type],
    )
    const id = made[0]?.id ?? null
    if (id === null) return null
    const { rows } = await client.query<{ amount: number }>(
      `select count(*)::int as amount
       from graphile_worker.jobs j
       join push_subscriptions p on j.key = 'push:' || p.id || ':' || $1
       where j.task_identifier = 'push.send' and p.user_id = $2`,
      [id, to.userId],
    )
    return rows[0]?.amount ?? 0
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

test('the policy of a subscription selects pushes by their sender', async t => {
  const { alice, followed, follower, stranger } = await people(t, 'alice', 'followed', 'follower', 'stranger')
  await alice.follow(followed)
  await follower.follow(alice)
  const { subscription } = (await startPushService(t)).device()
  const wanted = {
    all: [1, 1, 1, 1],
    followed: [1, 0, 0, 0],
    follower: [0, 1, 0, 0],
    none: [0, 0, 0, 0],
  }
  const cases = PATHS.flatMap(path => Object.entries(wanted).map(one => [path, ...one] as const))
  for (const [path, policy, amounts] of cases) {
    await alice.post(path, { subscription, data: { alerts: ALL, policy } })
    const found: (number | null)[] = []
    for (const by of [followed, follower, stranger]) found.push(await jobsOf(alice, by, 'favourite'))
    found.push(await jobsOf(alice, alice, 'poll'))
    assert.deepEqual(found, amounts, `${path} ${policy}`)
  }
})

test('the alerts of a subscription select pushes by type', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { subscription } = (await startPushService(t)).device()
  assert.equal(await jobsOf(alice, bob, 'favourite'), 0)
  for (const [path, chosen] of PATHS.flatMap(path => NOTIFICATION_TYPES.map(type => [path, type] as const))) {
    const alerts = { ...Object.fromEntries(NOTIFICATION_TYPES.map(type => [type, false])), [chosen]: true }
    await alice.post(path, { subscription, data: { alerts } })
    const other = chosen === 'follow' ? 'reblog' : 'follow'
    assert.deepEqual([await jobsOf(alice, bob, chosen), await jobsOf(alice, bob, other)], [1, 0], chosen)
  }
  for (const path of PATHS) {
    await alice.post(path, { subscription })
    assert.equal(await jobsOf(alice, bob, 'follow'), 0)
  }
})

test('suppressed and filtered notifications are not pushed', async t => {
  for (const path of PATHS) {
    const { alice, muted, blocked, newcomer } = await people(t, 'alice', 'muted', 'blocked', 'newcomer')
    const { subscription } = (await startPushService(t)).device()
    await alice.post(path, { subscription, data: { alerts: ALL } })
    assert.equal(await jobsOf(alice, muted, 'follow'), 1)
    await alice.post(`/api/v1/accounts/${muted.id}/mute`)
    await alice.post(`/api/v1/accounts/${blocked.id}/block`)
    assert.equal(await jobsOf(alice, muted, 'follow'), null)
    assert.equal(await jobsOf(alice, blocked, 'follow'), null)
    await alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
    assert.equal(await jobsOf(alice, newcomer, 'follow'), 0)
  }
})

test('nothing is pushed after the subscription is removed', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { subscription } = (await startPushService(t)).device()
  await alice.post(PATH, { subscription, data: { alerts: ALL } })
  assert.equal(await jobsOf(alice, bob, 'follow'), 1)
  await alice.delete(PATH)
  assert.equal(await jobsOf(alice, bob, 'follow'), 0)
})
