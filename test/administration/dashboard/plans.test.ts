import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'

const DAY_MS = 86_400_000
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** A long transaction holds back the event logs of all tests on the cluster. */
const PORTION = 2500
const USERS = 10_000

const PEOPLE = (first: number): string => `
  with made as (
    insert into accounts (id, username) select n, 'user' || n from generate_series(${first}, ${first + PORTION - 1}) n returning id
  )
  insert into users (account_id, email, password_hash, confirmed_at, approved)
  select id, 'mail' || id || '@example.com', '-', now(), id % 109 <> 0 from made`

/** Two years of counters: of this server, of 150 others, of users by sign-up and latest sign-in. */
const COUNTERS = [
  `select c.counter, day, '', '', 0 from unnest('{interactions,reports,resolved_reports,statuses}'::day_counter[]) c (counter)`,
  `select 'sign_ups', day, '', application::text, 0 from generate_series(1, 10) application`,
  `select 'sign_ins', day, '', 'l' || language, 0 from generate_series(1, 30) language`,
  `select 'active_users', day, '', distance::text, 0 from generate_series(1, 30) distance`,
  `select 'cohorts', day, '', (day + later)::text, 0 from generate_series(0, 90, 3) later`,
  `select 'statuses', day, 'server' || server || '.example', '', 0 from generate_series(1, 150) server`,
  `select 'media_bytes', day, 'server' || server || '.example', '', 0 from generate_series(1, 150) server`,
]

const month = { first: dayBefore(29), last: dayBefore(0) }
const earlier = { first: dayBefore(59), last: dayBefore(0) }
const DAILY = ['sign_ups', 'active_users', 'interactions', 'reports', 'resolved_reports']
const LIMIT = { ...month, limit: 8 }

/** The statements of the dashboard, but for the totals of all time, which are kept for a while. */
const READS: readonly (readonly [name: string, parameters: object])[] = [
  ['administration/measures/local_days', { counters: DAILY, ...earlier }],
  ['administration/measures/distinct_users', { first: month.first, end: month.last }],
  ['administration/measures/details', { counter: 'sign_ins', domain: '', ...LIMIT }],
  ['administration/measures/sources', LIMIT],
  ['administration/measures/servers', LIMIT],
  ['administration/measures/cohorts', { frequency: 'month', first: dayBefore(190), last: dayBefore(0) }],
  ['administration/dashboard/pending_counts', {}],
]

/** A buffer in memory takes one or two microseconds: some tens of milliseconds for everything. */
const MOST_BUFFERS = 20_000

test('the dashboard reads counters and pending rows only', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  for (const table of ['users', 'reports']) await ctl.sql(`alter table ${table} disable trigger ${table}_counted`)
  for (let first = 1; first <= USERS; first += PORTION) await ctl.sql(PEOPLE(first))
  await ctl.sql(
    `insert into reports (account_id, target_account_id, action_taken_at)
     select n, n + 1, case when n % 50 > 0 then now() end from generate_series(1, 5000) n`,
  )
  await ctl.sql(
    `with made as (
       insert into statuses (account_id, text, content, visibility, language)
       select 1 + n % 2000, 'x', '<p>x</p>', 'public', 'en' from generate_series(1, 5000) n returning id
     )
     insert into status_trends (status_id, score) select id, 5 from made order by id limit 1000`,
  )
  await ctl.sql('update accounts set requested_review_at = now() where id % 1000 = 7')
  for (const rows of COUNTERS) {
    await ctl.sql(
      `insert into day_counters (counter, day, domain, detail, slot, amount)
       select one.counter::text::day_counter, one.day, one.domain, one.detail, one.slot, 7
       from generate_series((now() at time zone 'UTC')::date - 729, (now() at time zone 'UTC')::date, interval '1 day') at (at)
       cross join lateral (select at.at::date as day) d
       cross join lateral (${rows}) one (counter, day, domain, detail, slot)`,
    )
  }
  await ctl.sql('vacuum analyze day_counters, users, accounts, reports, statuses, status_trends')
  let total = 0
  for (const [name, parameters] of READS) {
    const plan = await ctl.ok('explain', name, JSON.stringify(parameters))
    const both = plan.split('-- Generic plan')
    assert.equal(both.length, 2)
    assert.doesNotMatch(plan, /Seq Scan on (day_counters|users|accounts|reports)\b/, `${name}\n${plan}`)
    // The trending statuses of authors to review are read by their ids.
    const others = plan.replaceAll('using statuses_pkey on statuses', '')
    assert.doesNotMatch(others, / on (statuses|status_tags|follows|favourites|media_attachments)\b/, name)
    const buffers = both.map(one => {
      const read = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(one)
      return Number(read?.[1] ?? 0) + Number(read?.[2] ?? 0)
    })
    total += Math.max(...buffers)
  }
  t.comment(`${total} buffers`)
  assert.ok(total < MOST_BUFFERS, `${total} buffers`)

  const nightly = await ctl.ok('explain', 'instance/forget_activity', JSON.stringify({ limit: 2000 }))
  assert.match(nightly, /on day_counters/)
  assert.doesNotMatch(nightly, /Seq Scan on day_counters\b/, nightly)
})
