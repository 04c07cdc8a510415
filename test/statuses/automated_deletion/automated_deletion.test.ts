import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { signedIn } from '../../support/signed_in.ts'
import type { ServerAddress } from '../../support/server.ts'

const PAGE = '/statuses_cleanup'
const JOB = 'statuses.automated_deletion'

/** Runs the job and waits for its end. */
async function runNow(server: ServerAddress): Promise<void> {
  await sql(server, `select graphile_worker.add_job($1, '{}', job_key => $1)`, [JOB])
  const waiting = (): Promise<unknown> =>
    sql(server, 'select last_error from graphile_worker.jobs where key = $1', [JOB])
  await becomes(waiting, [], JOB)
}

/** Inserts statuses of some days ago. */
async function oldStatuses(
  server: ServerAddress,
  one: Person,
  count: number,
  { days = 40, visibility = 'public', kinds = [] as string[] } = {},
): Promise<string[]> {
  const rows = await sql(
    server,
    `with made as (
       insert into statuses (id, account_id, text, content, visibility, content_kinds, created_at)
       select snowflake_at(now() - make_interval(days => $3) + make_interval(secs => n)), $1, 'old', '<p>old</p>',
         $4::visibility, $5, now() - make_interval(days => $3)
       from generate_series(1, $2::integer) n
       returning id
     ), counted as (insert into status_stats (status_id) select made.id from made)
     select made.id::text from made`,
    [one.id, count, days, visibility, kinds],
  )
  await sql(server, 'update account_stats set statuses_count = statuses_count + $2 where account_id = $1', [
    one.id,
    count,
  ])
  return rows.map(({ id }) => String(id))
}

const left = async (server: ServerAddress, one: Person): Promise<string[]> =>
  (
    await sql(server, 'select id::text from statuses where account_id = $1 and deleted_at is null order by id', [
      one.id,
    ])
  ).map(({ id }) => String(id))

test('old statuses are deleted by the policy of their author, and everybody learns of it', async t => {
  const { person: alice, browser, server } = await signedIn(t, 'alice')
  const { bob } = await people(t, 'bob')
  const [favourited = '', bookmarked = '', pinned = '', popular = '', boosted = '', plain = ''] = await oldStatuses(
    server,
    alice,
    6,
  )
  const [direct = ''] = await oldStatuses(server, alice, 1, { visibility: 'direct', days: 41 })
  const [poll = ''] = await oldStatuses(server, alice, 1, { kinds: ['poll'], days: 42 })
  const [others = ''] = await oldStatuses(server, bob, 1)
  const { id: recent } = await alice.postStatus('new')
  const act = async (by: Person, status: string, action: string): Promise<void> => {
    const { status: code, text } = await by.post(`/api/v1/statuses/${status}/${action}`)
    assert.equal(code, 200, text)
  }
  await act(alice, favourited, 'favourite')
  await act(alice, bookmarked, 'bookmark')
  await act(alice, pinned, 'pin')
  await act(bob, popular, 'favourite')
  await act(bob, boosted, 'reblog')
  await runNow(server)
  assert.equal((await left(server, alice)).length, 9, 'nothing is deleted before somebody wants it')
  const page = await browser.get(PAGE)
  const response = await browser.submit(
    page,
    PAGE,
    {
      'policy[enabled]': '1',
      'policy[min_age_days]': '30',
      'policy[min_favourites]': '1',
      'policy[min_reblogs]': '2',
    },
    'put',
  )
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
  const stream = await bob.stream('public')
  await runNow(server)
  const deleted = new Set([
    String((await stream.next('delete')).payload),
    String((await stream.next('delete')).payload),
    String((await stream.next('delete')).payload),
  ])
  assert.deepEqual(deleted, new Set([poll, boosted, plain]))
  assert.deepEqual(await left(server, alice), [direct, favourited, bookmarked, pinned, popular, recent])
  assert.equal((await bob.get(`/api/v1/statuses/${plain}`)).status, 404)
  assert.deepEqual(await left(server, bob).then(ids => ids.includes(others)), true)
  const account = (await alice.get('/api/v1/accounts/verify_credentials')).json as { statuses_count: number }
  assert.equal(account.statuses_count, 6)
  const none = { 'policy[keep_direct]': '0', 'policy[keep_pinned]': '0', 'policy[keep_own_favourites]': '0' }
  const rest = { 'policy[keep_own_bookmarks]': '0', 'policy[min_favourites]': '', 'policy[min_reblogs]': '' }
  await browser.submit(await browser.get(PAGE), PAGE, { ...none, ...rest }, 'put')
  await runNow(server)
  assert.deepEqual(await left(server, alice), [recent])
})

test('a run has a budget, the next run continues, and suspended accounts wait', async t => {
  const { person: alice, browser, server } = await signedIn(t, 'alice')
  await oldStatuses(server, alice, 1030)
  await browser.submit(await browser.get(PAGE), PAGE, { 'policy[enabled]': '1' }, 'put')
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  await runNow(server)
  assert.equal((await left(server, alice)).length, 1030)
  await sql(server, 'update accounts set suspended_at = null where id = $1', [alice.id])
  await runNow(server)
  assert.equal((await left(server, alice)).length, 30)
  await runNow(server)
  assert.deepEqual(await left(server, alice), [])
})

test('kept statuses do not use up the budget of a run', async t => {
  const { person: alice, browser, server } = await signedIn(t, 'alice')
  const kept = await oldStatuses(server, alice, 1100, { visibility: 'direct', days: 41 })
  await oldStatuses(server, alice, 30)
  await browser.submit(await browser.get(PAGE), PAGE, { 'policy[enabled]': '1' }, 'put')
  await runNow(server)
  assert.equal((await left(server, alice)).length, kept.length)
})

test('a policy is refused with the reason beside the field', async t => {
  const { browser } = await signedIn(t, 'alice')
  const refused = await browser.submit(
    await browser.get(PAGE),
    PAGE,
    {
      'policy[enabled]': '1',
      'policy[min_favourites]': '-1',
      'policy[min_reblogs]': 'many',
      'policy[min_age_days]': '3',
    },
    'put',
  )
  assert.equal(refused.status, 200)
  for (const name of ['min_favourites', 'min_reblogs', 'min_age_days'])
    assert.match(refused.text, new RegExp(`id="policy_${name}_error"`), name)
  const again = await browser.get(PAGE)
  assert.doesNotMatch(again.text, /name="policy\[enabled\]" type="checkbox" value="1" checked/)
  assert.equal((await browser.submit(again, PAGE, { authenticity_token: 'x.y' }, 'put')).status, 422)
})
