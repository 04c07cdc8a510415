import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { test, type Test } from 'tap'
import { violationsOf } from '../../conformance/entity.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { undoSome, writeHistory } from './random_history.ts'
import { COHORT_RECOUNT, DIMENSION_RECOUNTS, INSTANCE_RECOUNTS, RECOUNTS, TAG_RECOUNTS } from './recount.ts'

interface Measure {
  key: string
  unit: string | null
  total: string
  human_value?: string
  previous_total?: string
  data: { date: string; value: string }[]
}
interface Dimension {
  key: string
  data: { key: string; human_key: string; value: string; unit?: string; human_value?: string }[]
}
interface Cohort {
  period: string
  data: { date: string; rate: number; value: string }[]
}

const DAY_MS = 86_400_000
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
const daysFrom = (first: string, last: string): string[] => {
  const days: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
const moved = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** Periods of different lengths, with today and without it. */
const PERIODS = [
  [12, 0],
  [9, 4],
  [19, 17],
  [3, 3],
].map(([first = 0, last = 0]) => ({ first: dayBefore(first), last: dayBefore(last) }))

interface World {
  server: TestServer
  owner: Person
  tag: string
  count: (text: string, values: unknown[]) => Promise<number>
}

async function createWorld(t: Test): Promise<World> {
  const server = await startServer(t, { env: { LOCAL_DOMAIN: 'here.example' } })
  const owner = await person(server, 'owner', { roleId: 3 })
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  // As the first use of the token does, a moment later.
  await sql(server, `insert into active_days (day, user_id) values ((now() at time zone 'UTC')::date, $1)`, [
    owner.userId,
  ])
  await writeHistory(server)
  const [tag] = await sql(server, `select id::text from tags where name = 'river'`)
  return {
    server,
    owner,
    tag: String(tag?.['id']),
    count: async (text, values) => Number((await client.query<{ count: string }>(text, values)).rows[0]?.count),
  }
}

async function ask<T>(owner: Person, what: string, body: Record<string, unknown>): Promise<T[]> {
  const response = await owner.post(`/api/v1/admin/${what}`, body)
  assert.equal(response.status, 200, response.text)
  return response.json as T[]
}

async function checkLocal({ owner, count }: World, keys: readonly string[]): Promise<void> {
  for (const { first, last } of PERIODS) {
    const measures = await ask<Measure>(owner, 'measures', { keys, start_at: first, end_at: last })
    const length = daysFrom(first, last).length - 1
    const previous = { first: moved(first, -length), last: moved(last, -length) }
    assert.deepEqual(violationsOf(measures, '[Admin_Measure]'), [])
    for (const [index, key] of keys.entries()) {
      const found = measures[index]
      const text = RECOUNTS[key] ?? ''
      const expected: [string, string][] = []
      for (const day of daysFrom(first, last)) expected.push([day, String(await count(text, [day]))])
      assert.equal(found?.key, key)
      assert.deepEqual(
        found.data.map(({ date, value }) => [date.slice(0, 10), value]),
        expected,
        `${key} by day`,
      )
      const total = async (from: string, to: string): Promise<string> => {
        if (key === 'active_users') {
          const distinct = `select count(distinct user_id) from active_days where day >= $1 and day < $2`
          return String(await count(distinct, [from, to]))
        }
        let sum = 0
        for (const day of daysFrom(from, moved(to, -1))) sum += await count(text, [day])
        return String(sum)
      }
      assert.equal(found.total, await total(first, last), `${key}: total`)
      assert.equal(found.previous_total, await total(previous.first, previous.last), `${key}: previous total`)
    }
  }
}

async function checkInstances({ owner, count }: World): Promise<void> {
  const keys = Object.keys(INSTANCE_RECOUNTS)
  const [period = { first: '', last: '' }] = PERIODS
  for (const [domain, below] of [
    ['far.example', true],
    ['far.example', false],
    ['odd.example', false],
  ] as const) {
    const subject = { domain, include_subdomains: below }
    const subjects = Object.fromEntries(keys.map(key => [key, subject]))
    const measures = await ask<Measure>(owner, 'measures', {
      keys,
      start_at: period.first,
      end_at: period.last,
      ...subjects,
    })
    assert.deepEqual(violationsOf(measures, '[Admin_Measure]'), [])
    for (const [index, key] of keys.entries()) {
      const found = measures[index]
      const text = INSTANCE_RECOUNTS[key] ?? ''
      assert.equal(found?.total, String(await count(text, [null, domain, below])), `${key} of ${domain}`)
      assert.equal('previous_total' in found, false)
      for (const { date, value } of found.data) {
        assert.equal(value, String(await count(text, [date, domain, below])), `${key} of ${domain} on ${date}`)
      }
    }
  }
}

async function checkTags({ owner, tag, count }: World): Promise<void> {
  const keys = Object.keys(TAG_RECOUNTS)
  // Uses are kept for two weeks.
  for (const { first, last } of PERIODS.slice(0, 2).filter(
    one => one.first > dayBefore(7) || one.last > dayBefore(5),
  )) {
    const subjects = Object.fromEntries(keys.map(key => [key, { id: tag }]))
    const measures = await ask<Measure>(owner, 'measures', { keys, start_at: first, end_at: last, ...subjects })
    for (const [index, key] of keys.entries()) {
      const found = measures[index]
      const text = TAG_RECOUNTS[key] ?? ''
      assert.equal(found?.total, String(await count(text, [first, last, tag])), `${key}: total`)
      for (const { date, value } of found.data) {
        const day = date.slice(0, 10)
        assert.equal(value, String(await count(text, [day, day, tag])), `${key} on ${day}`)
      }
      const length = daysFrom(first, last).length - 1
      const kept = (day: string): string => (key === 'tag_servers' || day > dayBefore(13) ? day : dayBefore(13))
      const before = [kept(moved(first, -length)), moved(last, -length), tag]
      assert.equal(found.previous_total, String(await count(text, before)), `${key}: previous total`)
    }
  }
}

async function checkDimensions({ owner, server, tag }: World, keys = Object.keys(DIMENSION_RECOUNTS)): Promise<void> {
  const sorted = (rows: { key: string; value: string }[]): string[] =>
    rows.map(({ key, value }) => `${value} ${key}`).toSorted()
  for (const { first, last } of PERIODS) {
    const dimensions = await ask<Dimension>(owner, 'dimensions', {
      keys,
      start_at: first,
      end_at: last,
      tag_servers: { id: tag },
      tag_languages: { id: tag },
      instance_accounts: { domain: 'far.example' },
      instance_languages: { domain: 'far.example' },
    })
    assert.deepEqual(violationsOf(dimensions, '[Admin_Dimension]'), [])
    for (const [index, key] of keys.entries()) {
      const subject = key.startsWith('tag_') ? tag : key.startsWith('instance_') ? 'far.example' : null
      const rows = await sql(server, DIMENSION_RECOUNTS[key] ?? '', [first, last, subject])
      const expected = rows.map(row => ({ key: String(row['key']), value: String(row['value']) }))
      const found = dimensions[index]?.data ?? []
      assert.deepEqual(sorted(found), sorted(expected), key)
      const values = found.map(({ value }) => Number(value))
      assert.deepEqual(
        values,
        values.toSorted((a, b) => b - a),
        `${key} in order`,
      )
    }
  }
}

async function checkRetention({ owner, server }: World): Promise<void> {
  for (const frequency of ['day', 'month']) {
    const asked = { start_at: dayBefore(frequency === 'day' ? 15 : 60), end_at: dayBefore(0), frequency }
    const cohorts = await ask<Cohort>(owner, 'retention', asked)
    assert.equal(cohorts.length, frequency === 'day' ? 16 : cohorts[0]?.data.length)
    for (const { period, data } of cohorts) {
      for (const { date, value, rate } of data) {
        const [row] = await sql(server, COHORT_RECOUNT, [frequency, period.slice(0, 10), date.slice(0, 10)])
        assert.equal(value, String(row?.['value']), `${frequency} ${period} at ${date}`)
        assert.equal(rate, Number(row?.['value']) / Math.max(Number(row?.['size']), 1))
      }
    }
  }
}

const STEADY = Object.keys(RECOUNTS).filter(key => !['interactions', 'active_users'].includes(key))
const folds = ['fold_counters', 'fold_tag_servers', 'fold_tag_uses'].map(name =>
  readFileSync(new URL(`../../../sql/queries/instance/${name}.sql`, import.meta.url), 'utf8'),
)
const [fold = ''] = folds

async function foldAll({ server }: World): Promise<void> {
  for (const text of folds) {
    for (let folded = 7; folded === 7;) folded = Number((await sql(server, text, [7]))[0]?.['folded'])
  }
}

test('every figure equals a recount of the rows, even after they were undone and the counters folded', async t => {
  const world = await createWorld(t)
  await checkLocal(world, Object.keys(RECOUNTS))
  await checkInstances(world)
  await checkTags(world)
  await checkDimensions(world)
  await checkRetention(world)
  await foldAll(world)
  await checkLocal(world, Object.keys(RECOUNTS))
  await checkInstances(world)
  await checkTags(world)
  await checkDimensions(world)
  await undoSome(world.server)
  await checkLocal(world, STEADY)
  await checkInstances(world)
  await checkTags(world)
  await checkDimensions(
    world,
    Object.keys(DIMENSION_RECOUNTS).filter(key => key !== 'servers'),
  )
  await checkRetention(world)
  const tagRankings = ['tag_servers', 'tag_languages']
  await foldAll(world)
  await checkTags(world)
  await checkDimensions(world, tagRankings)
  await sql(world.server, 'select recount_tags()')
  await checkTags(world)
  await checkDimensions(world, tagRankings)
})

test('the figures of a hashtag follow posts, boosts, edits and deletions at once', async t => {
  const server = await startServer(t, { env: { LOCAL_DOMAIN: 'here.example' } })
  const [alice, bob, owner] = await Promise.all([
    person(server, 'alice'),
    person(server, 'bob'),
    person(server, 'owner', { roleId: 3 }),
  ])
  const posted = async (author: Person, status: string, more = {}): Promise<string> => {
    const { json } = await author.post('/api/v1/statuses', { status, language: 'en', ...more })
    return (json as { id: string }).id
  }
  const first = await posted(alice, 'a #river')
  const [tag] = await sql(server, `select id::text from tags where name = 'river'`)
  const figures = async (): Promise<unknown> => {
    const id = String(tag?.['id'])
    const asked = { start_at: dayBefore(0), end_at: dayBefore(0), tag_languages: { id }, tag_servers: { id } }
    const keys = ['tag_uses', 'tag_accounts']
    const subjects = { tag_uses: { id }, tag_accounts: { id } }
    const measures = await ask<Measure>(owner, 'measures', { ...asked, keys, ...subjects })
    const rankings = await ask<Dimension>(owner, 'dimensions', { ...asked, keys: ['tag_languages', 'tag_servers'] })
    return [
      ...measures.map(({ total, data }) => [total, data[0]?.value]),
      ...rankings.map(({ data }) => Object.fromEntries(data.map(({ key, value }) => [key, Number(value)]))),
    ]
  }
  const here = (uses: number): object => (uses === 0 ? {} : { 'here.example': uses })
  assert.deepEqual(await figures(), [['1', '1'], ['1', '1'], { en: 1 }, here(1)])
  const more = await Promise.all([
    posted(alice, 'b #river #sea'),
    posted(alice, 'c #river'),
    posted(bob, 'd #river', { language: 'de' }),
    posted(bob, 'e #river', { visibility: 'private' }),
  ])
  const [second, third, ofBob] = more
  await bob.post(`/api/v1/statuses/${first}/reblog`)
  assert.deepEqual(await figures(), [['4', '4'], ['2', '2'], { en: 4, de: 1 }, here(5)])
  await alice.put(`/api/v1/statuses/${first}`, { status: 'a', language: 'fr' })
  await alice.put(`/api/v1/statuses/${second}`, { status: 'b #river #lake', language: 'fr' })
  assert.deepEqual(await figures(), [['3', '3'], ['2', '2'], { en: 2, de: 1, fr: 1 }, here(4)])
  await bob.delete(`/api/v1/statuses/${ofBob}`)
  assert.deepEqual(await figures(), [['2', '2'], ['1', '1'], { en: 2, fr: 1 }, here(3)])
  assert.equal((await owner.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'silence' })).status, 200)
  assert.deepEqual(await figures(), [['0', '0'], ['0', '0'], { en: 2, fr: 1 }, here(3)])
  assert.equal((await owner.post(`/api/v1/admin/accounts/${alice.id}/unsilence`)).status, 200)
  assert.deepEqual(await figures(), [['2', '2'], ['1', '1'], { en: 2, fr: 1 }, here(3)])
  await alice.put(`/api/v1/statuses/${third}`, { status: 'c', language: 'en' })
  await alice.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual(await figures(), [['0', '0'], ['0', '0'], { en: 1 }, here(1)])
})

test('a transaction that has counted something does not block others', async t => {
  const server = await startServer(t)
  const [alice, bob, owner] = await Promise.all([
    person(server, 'alice'),
    person(server, 'bob'),
    person(server, 'owner', { roleId: 3 }),
  ])
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  const { id } = await bob.postStatus('first')
  await client.query('begin')
  await client.query(
    `insert into statuses (account_id, visibility, text, reblog_of_id) values ($1, 'public', '', $2)`,
    [alice.id, id],
  )
  // Both add to the same counters of today.
  assert.equal((await owner.post(`/api/v1/statuses/${id}/favourite`)).status, 200)
  await bob.postStatus('second')
  await client.query(fold, [100])
  await client.query('commit')
  const today = { start_at: dayBefore(0), end_at: dayBefore(0) }
  const [interactions] = await ask<Measure>(owner, 'measures', { keys: ['interactions'], ...today })
  assert.equal(interactions?.data[0]?.value, '2')
  const [servers] = await ask<Dimension>(owner, 'dimensions', { keys: ['servers'], ...today })
  assert.equal(servers?.data[0]?.value, '3')
})

test('figures that have become zero leave no rows when they are folded', async t => {
  const server = await startServer(t, { env: { LOCAL_DOMAIN: 'here.example' } })
  const alice = await person(server, 'alice')
  const fold = async (): Promise<void> => {
    for (const text of folds) await sql(server, text, [1000])
  }
  const rows = async (): Promise<Record<string, unknown>[]> =>
    sql(
      server,
      `select 'resolved' as figure, c.slot, c.amount::integer from day_counters c where c.counter = 'resolved_reports'
       union all select 'tag ' || t.name, c.slot, c.uses::integer from tag_server_days c join tags t on t.id = c.tag_id
       order by figure`,
    )
  const [gone, kept] = await Promise.all(
    ['a #gone #here', 'b #here'].map(async status => {
      const { json } = await alice.post('/api/v1/statuses', { status })
      return (json as { id: string }).id
    }),
  )
  const owner = await person(server, 'owner', { roleId: 3 })
  const { json } = await owner.post('/api/v1/reports', { account_id: alice.id, status_ids: [kept] })
  const report = `/api/v1/admin/reports/${(json as { id: string }).id}`
  assert.equal((await owner.post(`${report}/resolve`)).status, 200)
  await fold()
  const folded = (figure: string, amount: number): object => ({ figure, slot: 0, amount })
  assert.deepEqual(await rows(), [folded('resolved', 1), folded('tag gone', 1), folded('tag here', 2)])
  await alice.delete(`/api/v1/statuses/${gone}`)
  assert.equal((await owner.post(`${report}/reopen`)).status, 200)
  await fold()
  assert.deepEqual(await rows(), [folded('tag here', 1)])
  await alice.post('/api/v1/statuses', { status: 'c #gone' })
  await fold()
  assert.deepEqual(await rows(), [folded('tag gone', 1), folded('tag here', 1)])
})
