import assert from 'node:assert/strict'
import { test } from 'tap'
import { runAtOnce } from '../../src/core/time_slices.ts'
import { compileFilters } from '../../src/statuses/filters/index.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entities, entity, media } from './status_fixtures.ts'

const matches = async (keyword: string, wholeWord: boolean, text: string): Promise<unknown> => {
  const filters = await compileFilters([
    {
      id: '1',
      title: 'f',
      contexts: ['home'],
      action: 'warn',
      expires_at: null,
      keywords: [{ keyword, whole_word: wholeWord }],
      status_ids: [],
    },
  ])
  const results = entities(JSON.parse(runAtOnce(filters.match(() => text, null))))
  return results[0]?.['keyword_matches'] ?? null
}

test('keywords match as whole words only where they begin and end with one', async () => {
  assert.deepEqual(await matches('cat', true, 'A Cat!'), ['Cat'])
  assert.equal(await matches('cat', true, 'concatenate'), null)
  assert.equal(await matches('cat', true, 'cats'), null)
  assert.equal(await matches('cat', true, 'caté'), null)
  assert.deepEqual(await matches('cat', false, 'concatenate'), ['cat'])
  assert.deepEqual(await matches('#cat', true, 'a#cat b'), ['#cat'])
  assert.deepEqual(await matches('c++', true, 'C++17'), ['C++'])
  assert.deepEqual(await matches('пёс', true, 'ПЁС.'), ['ПЁС'])
  assert.equal(await matches('a.c', true, 'abc'), null)
})

test('expired filters match nothing', async () => {
  let now = 1000
  const filters = await compileFilters(
    [
      {
        id: '1',
        title: 'f',
        contexts: ['home'],
        action: 'hide',
        expires_at: new Date(2000),
        keywords: [],
        status_ids: ['7'],
      },
    ],
    () => now,
  )
  const result =
    '[{"filter":{"id":"1","title":"f","context":["home"],"expires_at":"1970-01-01T00:00:02.000Z","filter_action":"hide"},"keyword_matches":null,"status_matches":["7"]}]'
  assert.equal(runAtOnce(filters.match(() => '', ['7'])), result)
  assert.equal(runAtOnce(filters.match(() => '', ['8'])), '[]')
  assert.equal(runAtOnce(filters.match(() => '', null)), '[]')
  now = 2000
  assert.equal(runAtOnce(filters.match(() => '', ['7'])), '[]')
})

async function addFilter(server: TestServer, owner: Person, keyword: string, status?: string): Promise<string> {
  const [row] = await sql(
    server,
    `with made as (
       insert into filters (account_id, title, contexts) values ($1, 'mine', '{home,public}') returning id
     ), word as (insert into filter_keywords (filter_id, keyword) select made.id, $2 from made),
     listed as (insert into filter_statuses (filter_id, status_id) select made.id, $3::bigint from made where $3 is not null)
     select made.id::text from made`,
    [owner.id, keyword, status ?? null],
  )
  return String(row?.['id'])
}

test('a status, or a boost of it, lists the reader’s filters that it matches', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const warned = await alice.postStatus('nothing', { spoiler_text: 'about SPIDERS' })
  const listed = await alice.postStatus('listed')
  const other = await alice.postStatus('other')
  const id = await addFilter(server, bob, 'spiders', listed.id)
  const read = async (viewer: Person, status: string): Promise<unknown[]> =>
    entities(entity((await viewer.get(`/api/v1/statuses/${status}`)).json)['filtered'])
  const filter = { id, title: 'mine', context: ['home', 'public'], expires_at: null, filter_action: 'warn' }
  assert.deepEqual(await read(bob, warned.id), [{ filter, keyword_matches: ['SPIDERS'], status_matches: null }])
  assert.deepEqual(await read(bob, listed.id), [{ filter, keyword_matches: null, status_matches: [listed.id] }])
  assert.deepEqual(await read(bob, other.id), [])
  assert.deepEqual(await read(carol, warned.id), [])
  const boost = entity((await carol.post(`/api/v1/statuses/${warned.id}/reblog`)).json)
  const seen = entity((await bob.get(`/api/v1/statuses/${boost.id}`)).json)
  assert.deepEqual(seen['filtered'], [{ filter, keyword_matches: ['SPIDERS'], status_matches: null }])
  assert.deepEqual(entity(seen['reblog'])['filtered'], seen['filtered'])
})

test('a filter with the id of a boost marks the boost and the status in it, not the status by itself', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const pictured = (await media(server, alice, [{ type: 'image' }]))[0]
  for (const more of [{}, { media_ids: [pictured] }]) {
    const original = await alice.postStatus('boosted', more)
    const boost = entity((await alice.post(`/api/v1/statuses/${original.id}/reblog`)).json)
    const other = entity((await carol.post(`/api/v1/statuses/${original.id}/reblog`)).json)
    const filter = entity((await bob.post('/api/v2/filters', { title: 'f', context: ['home'] })).json)
    const listed = await bob.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: boost.id })
    assert.equal(listed.status, 200, listed.text)
    const page = [
      ...entities((await bob.get(`/api/v1/accounts/${alice.id}/statuses`)).json),
      ...entities((await bob.get(`/api/v1/accounts/${carol.id}/statuses`)).json),
      entity((await bob.get(`/api/v1/statuses/${boost.id}`)).json),
    ]
    const matches = (status: unknown): unknown => entities(entity(status)['filtered']).map(one => one['status_matches'])
    const marked = (id: string): unknown =>
      page.filter(one => one.id === id).map(one => [matches(one), one['reblog'] && matches(one['reblog'])])
    const both = [[[boost.id]], [[boost.id]]]
    assert.deepEqual(marked(boost.id), [both, both])
    assert.deepEqual(marked(original.id), [[[], null]])
    assert.deepEqual(marked(other.id), [[[], []]])
  }
})

test('a filter searches the warning, the text, the options of the poll and the descriptions of media', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await addFilter(server, bob, 'wren')
  const [picture] = await media(server, alice, [{ type: 'image', description: 'a WREN in the hedge' }])
  const posted = [
    await alice.postStatus('no bird', { spoiler_text: 'a Wren' }),
    await alice.postStatus('the wren'),
    await alice.postStatus('which?', { poll: { options: ['a robin', 'wREN'], expires_in: 600 } }),
    await alice.postStatus('look', { media_ids: [picture] }),
  ]
  const found: unknown[] = []
  for (const { id } of posted) {
    const boost = entity((await carol.post(`/api/v1/statuses/${id}/reblog`)).json)
    for (const one of [id, boost.id]) {
      const shown = entity((await bob.get(`/api/v1/statuses/${one}`)).json)
      found.push(...entities(shown['filtered']).flatMap(match => match['keyword_matches']))
    }
  }
  assert.deepEqual(found, ['Wren', 'Wren', 'wren', 'wren', 'wREN', 'wREN', 'WREN', 'WREN'])
})

test('a filter may blur the statuses it matches, on every read of its owner, until it expires', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const made = await bob.post('/api/v2/filters', {
    title: 'insects',
    context: ['home'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'wasp', whole_word: true }],
  })
  assert.equal(made.status, 200, made.text)
  await bob.follow(alice)
  const status = await alice.postStatus('a wasp, not wasps')
  const actions = async (): Promise<unknown[]> => {
    const home = entities((await bob.get('/api/v1/timelines/home')).json)
    const one = entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)
    return [...home, one].flatMap(shown =>
      entities(shown['filtered']).map(({ filter, keyword_matches }) => [
        entity(filter)['filter_action'],
        keyword_matches,
      ]),
    )
  }
  const match = ['blur', ['wasp']]
  assert.deepEqual(await actions(), [match, match])
  const { id } = entity(made.json)
  const [older] = entities((await bob.get('/api/v1/filters')).json)
  assert.deepEqual([older?.['phrase'], older?.['irreversible']], ['wasp', false])
  await sql(server, `update filters set expires_at = now() - interval '1 second' where id = $1`, [id])
  await bob.put(`/api/v2/filters/${id}`, { title: 'bees' })
  assert.deepEqual(await actions(), [])
})
