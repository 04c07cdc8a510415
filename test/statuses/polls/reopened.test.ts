import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { entities, entity, type Entity } from '../status_fixtures.ts'
import { connect, waitsForLock } from '../../support/other_transaction.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { ask, endNow } from './poll_fixtures.ts'

/** What a person is shown of the ends of polls, in both lists of notifications. */
async function shownEnds(who: Person): Promise<unknown[]> {
  const single = entities((await who.get('/api/v1/notifications')).json)
  const { notification_groups: groups } = entity((await who.get('/api/v2/notifications')).json)
  const ids = (list: Entity[], id: string): unknown[] => list.filter(one => one['type'] === 'poll').map(one => one[id])
  return [...ids(single, 'id'), ...ids(entities(groups), 'most_recent_notification_id')].map(String)
}

const isEnd = ({ payload }: { payload: unknown }): boolean => entity(payload)['type'] === 'poll'

test('a poll that an edit reopens notifies everybody when it ends again', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const { status, poll } = await ask(alice, ['a', 'b'])
  const path = `/api/v1/statuses/${status.id}`
  const streams = [await alice.stream('user'), await bob.stream('user'), await carol.stream('user')] as const
  const told = async (...indexes: number[]): Promise<void> => {
    await endNow(server, poll.id)
    for (const index of indexes) await streams[index]?.next('notification', isEnd)
  }
  const vote = async (who: Person, choice: number): Promise<void> =>
    assert.equal((await who.post(`/api/v1/polls/${poll.id}/votes`, { choices: [choice] })).status, 200)
  const edit = async (change: Record<string, unknown>): Promise<void> =>
    assert.equal((await alice.put(path, { status: 'which?', ...change })).status, 200)

  await vote(bob, 1)
  await told(0, 1)
  for (const who of [alice, bob]) assert.equal((await shownEnds(who)).length, 2, 'of the first end')
  await edit({ poll: { options: ['a', 'b'], expires_in: 7200 } })
  for (const who of [alice, bob]) assert.deepEqual(await shownEnds(who), [], 'it is open again')
  await vote(carol, 0)
  await told(0, 1, 2)
  for (const who of [alice, bob, carol]) assert.equal((await shownEnds(who)).length, 2, 'of the second end')

  await edit({ poll: { options: ['a', 'c'], expires_in: 7200 } })
  for (const who of [alice, bob, carol]) assert.deepEqual(await shownEnds(who), [], 'it has other options')
  await vote(bob, 0)
  await told(0, 1)
  assert.deepEqual(await shownEnds(carol), [], 'she has not voted again')

  const before = await shownEnds(bob)
  await edit({ poll: { options: ['a', 'c'], expires_in: 7200 } })
  assert.deepEqual(await shownEnds(bob), before, 'an edit that changes nothing does not reopen it')
  await edit({})
  for (const who of [alice, bob]) assert.deepEqual(await shownEnds(who), [], 'there is no poll')
})

test('a poll that is reopened while its voters are being notified notifies them again', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const { status, poll } = await ask(alice, ['a', 'b'])
  for (const who of [bob, carol]) await who.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(
    `insert into notifications (account_id, from_account_id, type, status_id, activity_id, group_key)
     values ($1, $2, 'poll', $3, $4, 'ungrouped-of-nobody')`,
    [bob.id, alice.id, status.id, poll.id],
  )
  await endNow(server, poll.id)
  await waitsForLock(server, 'notify_voters')
  const editing = alice.put(`/api/v1/statuses/${status.id}`, {
    status: 'which?',
    poll: { options: ['a', 'b'], expires_in: 7200 },
  })
  await waitsForLock(server, 'lock_of_status')
  await other.query('rollback')
  assert.equal((await editing).status, 200)
  for (const who of [alice, bob, carol]) assert.deepEqual(await shownEnds(who), [], 'it is open again')
  await endNow(server, poll.id)
  for (const who of [alice, bob, carol]) while ((await shownEnds(who)).length < 2);
})

test('a poll that was reopened by an earlier release notifies everybody when it ends again', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const voted = async (): Promise<{ status: Entity; poll: Entity }> => {
    const asked = await ask(alice, ['a', 'b'])
    for (const who of [bob, carol]) await who.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [1] })
    await endNow(server, asked.poll.id)
    return asked
  }
  const ended = await voted()
  const reopened = await voted()
  for (const who of [alice, bob, carol]) while ((await shownEnds(who)).length < 4);
  // As the release before left it: another end, and the notifications of the first one.
  const reopen = `with changed as (update polls set ended_at = null, expires_at = now() + interval '1 hour' where id = $1)
    update statuses set edited_at = now() where id = $2`
  await sql(server, reopen, [reopened.poll.id, reopened.status.id])
  await sql(server, readFileSync(new URL('../../../sql/migrations/0090_reopened_polls.sql', import.meta.url), 'utf8'))
  for (const who of [alice, bob, carol]) while ((await shownEnds(who)).length > 2);
  await endNow(server, reopened.poll.id)
  for (const who of [alice, bob, carol]) while ((await shownEnds(who)).length < 4);
  const kept = await sql(server, "select from notifications where type = 'poll' and activity_id = $1", [ended.poll.id])
  assert.equal(kept.length, 3, 'those of a poll that has ended stay')
})
