import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { entities, entity, errorOf, relate, tell } from '../status_fixtures.ts'
import { createTestDatabase } from '../../support/database.ts'
import { linkOf } from '../../support/client.ts'
import { people, Person, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { inHours, publishNow, schedule } from './scheduled_fixtures.ts'

test('a status that was due while the server was down is posted once after the restart', async t => {
  const database = await createTestDatabase(t)
  const before = await startServer(t, { databaseUrl: database.url })
  const alice = await person(before, 'alice')
  const [late, later] = [await schedule(alice, { status: 'late' }), await schedule(alice, { status: 'not yet' })]
  await before.stop()
  // Time passes without the server: the job is due, and so is the status.
  await sql(before, `update scheduled_statuses set scheduled_at = now() - interval '20 minutes' where id = $1`, [
    late.id,
  ])
  await sql(
    before,
    `update graphile_worker._private_jobs set run_at = now() - interval '20 minutes'
     where key = 'scheduled_statuses.publish:' || $1::text`,
    [late.id],
  )
  const server = await startServer(t, { databaseUrl: database.url })
  const again = new Person(server, alice.token ?? '', alice)
  const posts = async (): Promise<unknown[]> =>
    entities((await again.get(`/api/v1/accounts/${alice.id}/statuses`)).json).map(one => one['content'])
  await until(posts, found => found.length > 0, 'the late status')
  assert.deepEqual(await posts(), ['<p>late</p>'])
  const left = entities((await again.get('/api/v1/scheduled_statuses')).json)
  assert.deepEqual(
    left.map(one => one.id),
    [later.id],
  )
})

test('times are ISO 8601, in UTC by default', async t => {
  const { alice } = await people(t, 'alice')
  const day = inHours(24 * 20).slice(0, 10)
  const cases = [
    [`${day}T10:00:00.000Z`, `${day}T10:00:00.000Z`],
    [`${day}T10:00:00`, `${day}T10:00:00.000Z`],
    [`${day} 10:00`, `${day}T10:00:00.000Z`],
    [`${day}T10:00:00+02:00`, `${day}T08:00:00.000Z`],
    [`${day}T10:00:00.5-0530`, `${day}T15:30:00.500Z`],
    [day, `${day}T00:00:00.000Z`],
  ] as const
  const { id } = await schedule(alice)
  for (const [given, at] of cases) {
    assert.equal((await schedule(alice, { scheduled_at: given }))['scheduled_at'], at, given)
    const moved = entity((await alice.put(`/api/v1/scheduled_statuses/${id}`, { scheduled_at: given })).json)
    assert.equal(moved['scheduled_at'], at, given)
  }
  for (const given of ['whenever', '1', `${day}T25:00`, '2099-02-30T10:00Z']) {
    const made = await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: given })
    assert.deepEqual([made.status, errorOf(made)], [422, 'Record invalid'], given)
    const moved = await alice.put(`/api/v1/scheduled_statuses/${id}`, { scheduled_at: given })
    assert.deepEqual([moved.status, errorOf(moved)], [422, 'Invalid date supplied'], given)
  }
})

test('days are in UTC, and a move within a day does not count twice', async t => {
  const { alice, server } = await people(t, 'alice')
  const day = inHours(24 * 9).slice(0, 10)
  const last = await schedule(alice, { scheduled_at: `${day}T23:59:59Z` })
  await tell(
    server,
    `insert into scheduled_statuses (account_id, scheduled_at, params, settled)
     select account_id, $2, params, settled from scheduled_statuses, generate_series(1, 24) where id = $1`,
    [last.id, `${day}T00:00:00Z`],
  )
  const path = `/api/v1/scheduled_statuses/${last.id}`
  assert.equal((await alice.put(path, { scheduled_at: `${day}T01:00:00Z` })).status, 200)
  const full = 'Validation failed: You have exceeded the limit of 25 scheduled posts for today'
  for (const at of [`${day}T12:00:00Z`, `${day}T23:30:00-00:00`]) {
    const refused = await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: at })
    assert.deepEqual([refused.status, errorOf(refused)], [422, full])
  }
  const next = `${day}T23:30:00-01:00`
  assert.equal((await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: next })).status, 200)
  const pages: string[] = []
  for (let path: string | undefined = '/api/v1/scheduled_statuses?limit=20'; path !== undefined;) {
    const response = await alice.get(path)
    pages.push(...entities(response.json).map(one => one.id))
    path = linkOf(response, 'next')
  }
  assert.equal(new Set(pages).size, 26)
  assert.equal(entities((await alice.get('/api/v1/scheduled_statuses?limit=100')).json).length, 26)
})

test('a deleted reference prevents the post, without an event', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [quoted, closed, blocked] = [await bob.postStatus('1'), await bob.postStatus('2'), await bob.postStatus('3')]
  const doomed = [
    await schedule(alice, { quoted_status_id: quoted.id }),
    await schedule(alice, { quoted_status_id: closed.id }),
    await schedule(alice, { in_reply_to_id: blocked.id }),
    await schedule(alice, { status: 'about #later' }),
    await schedule(alice, { status: `@${bob.username}_x`, allowed_mentions: [] }),
  ]
  await bob.delete(`/api/v1/statuses/${quoted.id}`)
  await bob.put(`/api/v1/statuses/${closed.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  await relate(server, 'blocks', bob, alice)
  await tell(server, `update tags set usable = false where name = 'later'`)
  await tell(
    server,
    `insert into tags (name, display_name, usable) values ('later', 'later', false) on conflict do nothing`,
  )
  await tell(server, `insert into accounts (username) values ($1)`, [`${bob.username}_x`])
  for (const { id } of doomed) await publishNow(server, id)
  const left = (): Promise<Record<string, unknown>[]> =>
    sql(server, 'select params from scheduled_statuses where account_id = $1', [alice.id])
  await until(left, rows => rows.length === 0, 'all to be dropped')
  const made = await sql(server, 'select text from statuses where account_id = $1', [alice.id])
  assert.deepEqual(made, [])
})
