import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { declaredQueries } from '../../../src/platform/database/index.ts'
import '../../support/declarations.ts'
import { createCommandLine } from '../../cli/command.ts'

test('frequent statements scan no large table', async t => {
  const ctl = await createCommandLine(t)
  await ctl.run('seed', '--accounts', '2000', '--statuses', '20000', '--days', '10')
  await ctl.ok('trends', 'refresh')
  await ctl.sql('analyze')
  const [viewer] = await ctl.sql(
    'select account_id::text as id from follows group by account_id order by count(*) desc limit 1',
  )
  const part = { languages: ['en'], undecided: true, limit: 20, offset: 0 }
  const search = { viewer: viewer?.['id'], skipped_from: [], skipped_to: [], limit: 20 }
  const reads: Record<string, Record<string, unknown>> = {
    'timelines/trends/tags': { ...part, least_score: 1 },
    'timelines/trends/statuses': { ...part, viewer: viewer?.['id'] },
    'timelines/trends/links': { ...part, least_score: 1, first: '2030-01-01' },
    'timelines/trends/count_tags': { days: 7, whole: false },
    'timelines/tags/fragments': { names: ['tea', 'music'], first: '2030-01-01', busy: 1000 },
    'accounts/suggestions/candidates': {
      viewer: viewer?.['id'],
      usernames: [],
      domains: [],
      friends: 100,
      recent: 10,
      limit_each: 100,
      limit: 40,
    },
    'timelines/search/public': { ...search, words: 'tea' },
    'timelines/search/library': { ...search, words: 'tea', required: ['tea'] },
    'accounts/suggestions/acceptable': { viewer: viewer?.['id'], ids: [viewer?.['id']] },
  }
  for (const [name, parameters] of Object.entries(reads)) {
    const plan = await ctl.ok('explain', name, JSON.stringify(parameters))
    assert.match(plan, /Execution Time/)
    assert.doesNotMatch(plan, /Seq Scan on (statuses|status_tags|follows|favourites|blocks|mutes)\b/, name)
    if (name.startsWith('timelines/search/')) assert.match(plan, /Scan (on|using) statuses_search\b/, name)
  }

  // The generic plan fits any account; with the index of all types it would read all of a person's
  // notifications, once per type.
  const [popular] = await ctl.sql(
    `select account_id::text as id, percentile_disc(0.5) within group (order by id)::text as middle
     from notifications group by account_id order by count(*) desc limit 1`,
  )
  const types = ['mention', 'status', 'reblog', 'follow', 'favourite', 'poll', 'update', 'quote']
  const some = { viewer: popular?.['id'], types, filtered: false, limit: 40 }
  const inGroups = { ...some, grouped: ['favourite', 'reblog', 'follow'] }
  const ofTypes: [name: string, parameters: Record<string, unknown>][] = [
    ['notifications/groups', inGroups],
    ['notifications/groups', { ...inGroups, max_id: popular?.['middle'] }],
    ['notifications/groups_above', { ...inGroups, min_id: '1' }],
    ['notifications/groups_above', { ...inGroups, min_id: popular?.['middle'] }],
    ['notifications/page_of_types', some],
  ]
  for (const [name, parameters] of ofTypes) {
    const plan = await ctl.ok('explain', name, JSON.stringify(parameters))
    assert.match(plan, /Generic plan[^]*using notifications_by_type/)
    assert.doesNotMatch(plan, /using notifications_list/, name)
  }
})

test('statements that take a few ids or names are not planned for each of them', async t => {
  const ctl = await createCommandLine(t)
  await ctl.run('seed', '--accounts', '200', '--statuses', '3000', '--days', '10')
  const calls: Record<string, unknown[]> = {
    'statuses/compose': [1, ['alice', 'bob'], ['far.example', 'far.example'], [], [], null, null],
    'timelines/feeds/newest': [[1, 2], [], 1, 20, 200, 200],
  }
  for (const [name, values] of Object.entries(calls)) {
    const client = new pg.Client({ connectionString: ctl.databaseUrl })
    await client.connect()
    try {
      const text = declaredQueries().get(name)?.text ?? ''
      for (let run = 0; run < 6; run += 1) await client.query({ name, text, values })
      const { rows } = await client.query('select generic_plans::integer as generic from pg_prepared_statements')
      assert.deepEqual(rows, [{ generic: 1 }], name)
    } finally {
      await client.end()
    }
  }
})

/** Tables of which many accounts have thousands of rows. */
const OF_A_PERSON = /\bon (mentions|follows|favourites|bookmarks)\b/

test('no statement reads all rows of a person into a hash table to check a few', async t => {
  const ctl = await createCommandLine(t)
  await ctl.run('seed', '--accounts', '200', '--statuses', '3000', '--days', '10')
  await ctl.sql('analyze')
  const found: string[] = []
  for (const { name, text } of declaredQueries().values()) {
    // A check of everything reads everything.
    if (name.startsWith('cli/')) continue
    const lines = await ctl.sql(`explain (generic_plan) ${text}`)
    const plan = lines.map(line => String(line['QUERY PLAN']))
    const hashed = new Set(plan.flatMap(line => [...line.matchAll(/hashed SubPlan (\d+)/g)].map(match => match[1])))
    for (const [index, line] of plan.entries()) {
      const number = /^\s*SubPlan (\d+)$/.exec(line)?.[1]
      const scan = plan.slice(index + 1).find(later => /\bon \w+/.test(later)) ?? ''
      if (number !== undefined && hashed.has(number) && OF_A_PERSON.test(scan)) found.push(`${name}: ${scan.trim()}`)
    }
  }
  assert.deepEqual(found, [])
})
