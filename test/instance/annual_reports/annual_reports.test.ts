import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { notificationsOf } from '../../notifications/notified.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

const PATH = '/api/v1/annual_reports'
const YEAR = new Date().getUTCFullYear()

/** Sets the clock of the server, which runs in this process; the clock of the database runs on. */
const turnClock = (t: Test, month: number, day: number): void =>
  fakeTimers(t).enable({ apis: ['Date'], now: Date.UTC(YEAR, month - 1, day, 12) })

interface Reports {
  annual_reports: {
    year: number
    data: {
      archetype: string
      top_statuses: Record<string, string | null>
      time_series: object[]
      top_hashtags: object[]
    }
    schema_version: number
    share_url: string
    account_id: string
  }[]
  accounts: { id: string }[]
  statuses: { id: string }[]
}

const stateOf = async (who: Person, year = YEAR): Promise<unknown> =>
  ((await who.get(`${PATH}/${year}/state`)).json as { state: unknown }).state

const generate = (who: Person, year = YEAR): Promise<ClientResponse> => who.post(`${PATH}/${year}/generate`)
const refreshIdOf = (response: ClientResponse): string =>
  /^id="([^"]+)", retry=2$/.exec(response.headers.get('mastodon-async-refresh') ?? '')?.[1] ?? ''

/** Requests the report and waits for its notification. */
async function make(who: Person): Promise<Reports> {
  const stream = await who.stream('user:notification')
  assert.equal((await generate(who)).status, 202)
  await stream.next('notification')
  return (await who.get(`${PATH}/${YEAR}`)).json as Reports
}

/** Inserts many statuses; by default they are public and of today. */
const post = (
  server: TestServer,
  who: Person,
  amount: number,
  columns: Record<string, unknown> = {},
): Promise<unknown> => {
  const names = Object.keys(columns)
  const more = names.map(name => `, ${name}`).join('')
  const marks = names.map((_, index) => `, $${index + 3}`).join('')
  return sql(
    server,
    `insert into statuses (account_id, visibility${more}) select $1::bigint, 'public'${marks} from generate_series(1, $2)`,
    [who.id, amount, ...Object.values(columns)],
  )
}

test('a user without reports gets three empty lists', async t => {
  const { alice } = await people(t, 'alice')
  assert.deepEqual((await alice.get(PATH)).json, { annual_reports: [], accounts: [], statuses: [] })
  const none = await alice.get(`${PATH}/2020`)
  assert.deepEqual([none.status, none.json], [404, { error: 'Record not found' }])
  const unread = await alice.post(`${PATH}/2020/read`)
  assert.deepEqual([unread.status, unread.json], [404, { error: 'Record not found' }])
  assert.equal((await alice.get(`${PATH}/many`)).status, 404)
})

test('users who posted, also with a hashtag, are eligible from 10 to 31 December', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await alice.postStatus('a #quiet day')
  await bob.postStatus('no tag')
  turnClock(t, 12, 9)
  assert.equal(await stateOf(alice), 'ineligible')
  fakeTimers(t).setTime(Date.UTC(YEAR, 11, 10))
  assert.equal(await stateOf(alice), 'eligible')
  assert.equal(await stateOf(bob), 'ineligible')
  assert.equal(await stateOf(alice, YEAR - 1), 'ineligible')
  fakeTimers(t).setTime(Date.UTC(YEAR, 11, 31, 23, 59))
  assert.equal(await stateOf(alice), 'eligible')
  fakeTimers(t).setTime(Date.UTC(YEAR + 1, 0, 1))
  assert.equal(await stateOf(alice), 'ineligible')
})

test('with the feature disabled nobody is eligible and no report is created', async t => {
  const first = await startServer(t)
  await sql(first, `insert into settings (key, value) values ('wrapstodon', 'false')`)
  const server = await startServer(t, { databaseUrl: first.databaseUrl })
  const alice = await person(server, 'alice')
  await alice.postStatus('a #quiet day')
  turnClock(t, 12, 12)
  assert.equal(await stateOf(alice), 'ineligible')
  const response = await generate(alice)
  assert.deepEqual([response.status, response.json], [200, {}])
})

test('no report is created outside the season', async t => {
  const { alice } = await people(t, 'alice')
  turnClock(t, 7, 1)
  for (const year of [YEAR, YEAR - 1]) {
    const response = await generate(alice, year)
    assert.deepEqual([response.status, response.json, response.headers.get('mastodon-async-refresh')], [200, {}, null])
  }
})

test('a report is created in the background, announced, marked as read, and created only once', async t => {
  const { alice } = await people(t, 'alice')
  await alice.postStatus('a #quiet day')
  turnClock(t, 12, 12)
  const stream = await alice.stream('user:notification')
  const started = await generate(alice)
  assert.deepEqual([started.status, started.text], [202, ''])
  const id = refreshIdOf(started)
  assert.notEqual(id, '')
  const { payload } = await stream.next('notification')
  assert.deepEqual(Object.keys(payload as object), ['id', 'type', 'group_key', 'created_at', 'account'])
  assert.equal((payload as { type: string }).type, 'annual_report')
  assert.equal(await stateOf(alice), 'available')
  const refresh = await alice.get(`/api/v1_alpha/async_refreshes/${id}`)
  assert.deepEqual(refresh.json, { async_refresh: { id, status: 'finished', result_count: null } })
  const grouped = (await alice.get('/api/v2/notifications')).json as {
    notification_groups: { annual_report: unknown }[]
  }
  assert.deepEqual(grouped.notification_groups[0]?.annual_report, { year: String(YEAR) })
  const again = await generate(alice)
  assert.deepEqual([again.status, again.json], [200, {}])
  const listed = (await alice.get(PATH)).json as Reports
  assert.equal(listed.annual_reports.length, 1)
  assert.deepEqual((await alice.post(`${PATH}/${YEAR}/read`)).json, {})
  assert.deepEqual((await alice.get(PATH)).json, { annual_reports: [], accounts: [], statuses: [] })
  assert.deepEqual((await alice.get(`${PATH}/${YEAR}`)).json, listed)
  assert.deepEqual(await notificationsOf(alice), ['annual_report by alice'])
})

test('a report that is being created is in state generating and starts no second job', async t => {
  const { alice, server } = await people(t, 'alice')
  turnClock(t, 12, 12)
  await sql(server, 'insert into async_refreshes (key) values ($1)', [`annual_report:${alice.id}:${YEAR}`])
  const state = await alice.get(`${PATH}/${YEAR}/state`)
  assert.deepEqual(state.json, { state: 'generating' })
  const id = refreshIdOf(state)
  const second = await generate(alice)
  assert.deepEqual([second.status, refreshIdOf(second)], [202, id])
  const refresh = await alice.get(`/api/v1_alpha/async_refreshes/${id}`)
  assert.deepEqual(refresh.json, { async_refresh: { id, status: 'running', result_count: null } })
  await sql(
    server,
    `update async_refreshes set created_at = now() - interval '25 hours' where key like '%' || $1 || '%'`,
    [alice.id],
  )
  assert.equal((await alice.get(`/api/v1_alpha/async_refreshes/${id}`)).status, 404)
  assert.equal(await stateOf(alice), 'ineligible')
})

test('a report contains the statuses, followers and hashtags of the year', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const best = await alice.postStatus('#Tapirs and #loud')
  await alice.postStatus('#tapirs again')
  const reply = await bob.postStatus('mine')
  await alice.postStatus('an answer', { in_reply_to_id: reply.id })
  await alice.post(`/api/v1/statuses/${reply.id}/reblog`)
  const deleted = await alice.postStatus('#loud #loud')
  await alice.delete(`/api/v1/statuses/${deleted.id}`)
  for (const other of [bob, carol]) await other.follow(alice)
  await bob.post(`/api/v1/statuses/${best.id}/reblog`)
  await sql(server, `update follows set created_at = created_at - interval '2 years' where account_id = $1`, [carol.id])
  turnClock(t, 12, 12)
  const { annual_reports: reports, accounts, statuses } = await make(alice)
  const [report] = reports
  assert.deepEqual(report?.data, {
    archetype: 'lurker',
    top_statuses: { by_reblogs: best.id, by_favourites: null, by_replies: null },
    time_series: [{ month: 12, statuses: 4, followers: 1 }],
    top_hashtags: [{ name: 'Tapirs', count: 2 }],
  })
  assert.deepEqual([report.year, report.schema_version, report.account_id], [YEAR, 2, alice.id])
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [alice.id],
  )
  assert.deepEqual(
    statuses.map(({ id }) => id),
    [best.id],
  )
  assert.ok(report.share_url.startsWith(`${server.config.publicUrl}/@${alice.username}/wrapstodon/${YEAR}/`))
})

test('the archetype depends on the most frequent activity', async t => {
  const { server, alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  turnClock(t, 12, 12)
  const archetype = async (who: Person): Promise<unknown> => (await make(who)).annual_reports[0]?.data.archetype
  await post(server, alice, 113)
  assert.equal(await archetype(alice), 'oracle')
  await post(server, bob, 120, { in_reply_to_account_id: alice.id })
  assert.equal(await archetype(bob), 'replier')
  await sql(
    server,
    `insert into statuses (account_id, visibility, reblog_of_id) select $1, 'public', s.id from statuses s where s.account_id = $2`,
    [carol.id, alice.id],
  )
  assert.equal(await archetype(carol), 'booster')
  await post(server, dora, 113)
  await sql(
    server,
    `insert into polls (status_id, options, tallies, multiple, hide_totals, expires_in_s, expires_at)
     select s.id, '{a,b}', '{0,0}', false, false, 600, now() from statuses s where s.account_id = $1 limit 12`,
    [dora.id],
  )
  assert.equal(await archetype(dora), 'pollster')
})

test('reading and writing reports need their scopes', async t => {
  const { server, alice, anonymous } = await people(t, 'alice')
  const outside = 'This action is outside the authorized scopes'
  const reader = new Client(server, await makeToken(server, alice.userId, ['read']))
  const writer = new Client(server, await makeToken(server, alice.userId, ['write']))
  for (const act of ['generate', 'read']) {
    const response = await reader.post(`${PATH}/${YEAR}/${act}`)
    assert.deepEqual([response.status, response.json], [403, { error: outside }])
  }
  for (const path of [PATH, `${PATH}/${YEAR}/state`]) {
    assert.equal((await writer.get(path)).status, 403)
    assert.equal((await anonymous.get(path)).status, 401)
  }
})
