import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { notified } from './notified.ts'

const hourNow = (): number => Math.floor(Date.now() / 3_600_000)

test('favourites of one status share a group, those of another status and boosts do not', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const [one, other] = [await alice.postStatus('one'), await alice.postStatus('other')]
  const before = hourNow()
  for (const fan of [bob, carol]) await fan.post(`/api/v1/statuses/${one.id}/favourite`)
  await bob.post(`/api/v1/statuses/${other.id}/favourite`)
  await bob.post(`/api/v1/statuses/${one.id}/reblog`)
  const [boost, second, ...first] = (await notified(alice)).map(({ group_key }) => group_key)
  const bucket = String(first[0]?.split('-').at(-1))
  assert.ok([before, hourNow()].includes(Number(bucket)))
  assert.deepEqual(first, [`favourite-${one.id}-${bucket}`, `favourite-${one.id}-${bucket}`])
  assert.match(String(second), new RegExp(`^favourite-${other.id}-\\d{6}$`))
  assert.match(String(boost), new RegExp(`^reblog-${one.id}-\\d{6}$`))
})

test('a group accepts members for less than 12 hours from its start, then a new one begins', async t => {
  const { alice, bob, carol, dora, server } = await people(t, 'alice', 'bob', 'carol', 'dora')
  const age = async (hours: number): Promise<void> => {
    for (const table of ['notifications', 'notification_groups'])
      await sql(server, `update ${table} set group_key = 'follow-' || $2::bigint where account_id = $1`, [
        alice.id,
        hourNow() - hours,
      ])
  }
  await bob.follow(alice)
  await age(11)
  await carol.follow(alice)
  const [joined, began] = await notified(alice)
  assert.equal(joined?.group_key, began?.group_key)
  await age(12)
  await dora.follow(alice)
  const [fresh, old] = await notified(alice)
  assert.notEqual(fresh?.group_key, old?.group_key)
  assert.equal(fresh?.group_key.replace(/\d+$/, ''), 'follow-')
})
