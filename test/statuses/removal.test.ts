import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../media/attachments/media_fixtures.ts'
import { people, sql } from '../support/people.ts'
import type { ServerAddress } from '../support/server.ts'
import { entities, entity, media } from './status_fixtures.ts'

const CROWD = 1300

/** Adds more boosts and favourites to a status than one transaction should delete. */
async function applaud(server: ServerAddress, status: string, author: string, name: string): Promise<void> {
  await sql(
    server,
    `with crowd as (
       insert into accounts (username) select $3 || '_' || i from generate_series(1, $4::integer) i returning id
     ), counted as (insert into account_stats (account_id, statuses_count) select crowd.id, 1 from crowd
     ), boosts as (
       insert into statuses (account_id, reblog_of_id, visibility) select crowd.id, $1, 'public' from crowd returning id, account_id
     ), likes as (insert into favourites (account_id, status_id) select crowd.id, $1 from crowd)
     insert into notifications (account_id, type, from_account_id, activity_id, status_id, group_key)
     select $2::bigint, 'reblog', boosts.account_id, boosts.id, $1::bigint, 'ungrouped-' || boosts.id from boosts`,
    [status, author, name, CROWD],
  )
}

const runJob = (server: ServerAddress, name: string): Promise<unknown> =>
  sql(server, `select graphile_worker.add_job($1, '{}')`, [name])

const exists = async (server: ServerAddress, id: string): Promise<boolean> =>
  (await sql(server, 'select id from statuses where id = $1', [id])).length > 0

test('replies to a status with thousands of them lose their parent, in batches', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('a question')
  const reply = await bob.postStatus('an answer', { in_reply_to_id: status.id })
  await sql(
    server,
    `insert into statuses (account_id, visibility, content, in_reply_to_id, in_reply_to_account_id)
     select $2, 'public', 'an answer', $1, $3 from generate_series(1, $4::integer)`,
    [status.id, bob.id, alice.id, CROWD],
  )
  assert.equal((await alice.delete(`/api/v1/statuses/${status.id}`)).status, 200)
  const left = () => sql(server, 'select from statuses where in_reply_to_id = $1', [status.id])
  await until(left, rows => rows.length === 0, 'the end of the replies')
  assert.equal(entity((await bob.get(`/api/v1/statuses/${reply.id}`)).json)['in_reply_to_id'], null)
  const [logged] = await sql(
    server,
    `select sum(n)::integer as events, max(n)::integer as most
     from (
       select count(*) as n from events
       where kind = 'status.counted' and status_id in (select id from statuses where account_id = $1 and content like '%an answer%')
         and txid::text::bigint > (select max(txid::text::bigint) from events where kind = 'status.created' and actor_id = $1)
       group by txid
     ) one`,
    [bob.id],
  )
  assert.equal(logged?.['events'], CROWD + 1)
  assert.ok(Number(logged['most']) <= 1000, 'no transaction takes long')
})

test('a status with thousands of boosts disappears at once, and its records are deleted in batches', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('popular')
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  await applaud(server, status.id, alice.id, `fan_${alice.id}`)
  const stream = await bob.stream('user')
  assert.equal((await alice.delete(`/api/v1/statuses/${status.id}`)).status, 200)
  assert.equal((await bob.get(`/api/v1/statuses/${status.id}`)).status, 404)
  await stream.next('delete')
  const left = async () => {
    const [row] = await sql(
      server,
      `select
         (select count(*)::integer from statuses where reblog_of_id = $1 and deleted_at is null) as boosts,
         (select count(*)::integer from notifications where status_id = $1) as notifications,
         (select count(*)::integer from account_stats c join accounts a on a.id = c.account_id
          where a.username like $2 and c.statuses_count <> 0) as counters`,
      [status.id, `fan_${alice.id}_%`],
    )
    return row
  }
  const none = JSON.stringify({ boosts: 0, notifications: 0, counters: 0 })
  await until(left, row => JSON.stringify(row) === none, 'the rest')
  const [told] = await sql(
    server,
    `select sum(n)::integer as events, max(n)::integer as most
     from (
       select count(*) as n from events where kind = 'status.deleted' and data ->> 'reblog_of_id' = $1 group by txid
     ) one`,
    [status.id],
  )
  assert.equal(told?.['events'], CROWD + 1)
  assert.ok(Number(told?.['most']) <= 1000, `${String(told?.['most'])} in one transaction`)
})

test('a deleted status is purged after a day, boosts first, except for evidence', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [popular, fresh, reported] = [
    await alice.postStatus('popular'),
    await alice.postStatus('fresh'),
    await alice.postStatus('bad'),
  ]
  await applaud(server, popular.id, alice.id, `late_${alice.id}`)
  await bob.post(`/api/v1/statuses/${popular.id}/bookmark`)
  const report = await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [reported.id] })
  assert.equal(report.status, 200, report.text)
  for (const { id } of [popular, fresh, reported]) await alice.delete(`/api/v1/statuses/${id}`)
  const boosts = (): Promise<Record<string, unknown>[]> =>
    sql(server, 'select id from statuses where reblog_of_id = $1 and deleted_at is null', [popular.id])
  await until(boosts, rows => rows.length === 0, 'the boosts')
  await sql(
    server,
    `update statuses set deleted_at = now() - interval '25 hours'
     where deleted_at is not null and (id = any ($1) or reblog_of_id = $2)`,
    [[popular.id, reported.id], popular.id],
  )
  // As earlier versions left it when the boost and the deletion met.
  const late = `insert into statuses (account_id, reblog_of_id, visibility) values ($1, $2, 'public')`
  await sql(server, late, [bob.id, reported.id])
  await runJob(server, 'statuses.purge')
  await until(
    () => exists(server, popular.id),
    there => !there,
    'the purge',
  )
  const [left] = await sql(
    server,
    `select (select count(*)::integer from statuses where reblog_of_id = $1) as boosts,
       (select count(*)::integer from favourites where status_id = $1) as favourites,
       (select count(*)::integer from bookmarks where status_id = $1) as bookmarks`,
    [popular.id],
  )
  assert.deepEqual(left, { boosts: 0, favourites: 0, bookmarks: 0 })
  assert.equal(await exists(server, fresh.id), true)
  assert.equal(await exists(server, reported.id), true)
  const seen = await sql(server, 'select from statuses where reblog_of_id = $1 and deleted_at is null', [reported.id])
  assert.equal(seen.length, 0)
})

test('a status that was reported and deleted is left out of every list', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [first, bad, last] = [
    await alice.postStatus('first'),
    await alice.postStatus('bad'),
    await alice.postStatus('last'),
  ]
  for (const { id } of [first, bad, last]) {
    for (const act of ['bookmark', 'favourite']) await bob.post(`/api/v1/statuses/${id}/${act}`)
    await alice.post(`/api/v1/statuses/${id}/pin`)
  }
  await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [bad.id] })
  assert.equal((await alice.delete(`/api/v1/statuses/${bad.id}?delete_media=true`)).status, 200)
  const wanted = [last.id, first.id]
  for (const path of ['/api/v1/bookmarks', '/api/v1/favourites', `/api/v1/accounts/${alice.id}/statuses?pinned=true`]) {
    const response = await bob.get(path)
    assert.equal(response.status, 200)
    assert.deepEqual(
      entities(response.json).map(one => one.id),
      wanted,
      path,
    )
  }
  for (const path of ['/api/v1/bookmarks', '/api/v1/favourites']) {
    const page = await bob.get(path, { limit: '1' })
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    const { pathname, search } = new URL(next)
    const older = await bob.get(pathname + search)
    assert.deepEqual(
      [...entities(page.json), ...entities(older.json)].map(one => one.id),
      wanted,
      path,
    )
    assert.deepEqual(
      entities((await bob.get(path, { min_id: '1', limit: '1' })).json).map(one => one.id),
      [first.id],
    )
  }
  assert.equal((await sql(server, 'select id from statuses where id = $1', [bad.id])).length, 1)
})

test('files of a purged attachment are deleted with the status', async t => {
  const { alice, server } = await people(t, 'alice')
  const [id = ''] = await media(server, alice, [{ type: 'image' }])
  const status = await alice.postStatus('draft', { media_ids: [id] })
  await alice.delete(`/api/v1/statuses/${status.id}?delete_media=true`)
  await until(
    () => sql(server, 'select id from media_attachments where id = $1', [id]),
    rows => rows.length === 0,
    'the attachment',
  )
})
