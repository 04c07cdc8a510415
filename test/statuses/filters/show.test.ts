import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../../support/people.ts'

test('filters are shown with keywords and statuses, and their keywords as filters of version 1', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  assert.deepEqual((await alice.get('/api/v2/filters')).json, [])
  const status = await bob.postStatus('hello')
  const [made] = await sql(
    server,
    `with f as (
       insert into filters (account_id, title, contexts, action, expires_at)
       values ($1, 'Cats', '{home,public}', 'hide', '2020-01-01T00:00:00Z') returning id
     ), k as (
       insert into filter_keywords (filter_id, keyword, whole_word) select id, 'cat', false from f returning id
     ), s as (
       insert into filter_statuses (filter_id, status_id) select id, $2 from f returning id
     )
     select f.id::text, k.id::text as keyword, s.id::text as entry from f, k, s`,
    [alice.id, status.id],
  )
  const { id, keyword, entry } = made as Record<'id' | 'keyword' | 'entry', string>
  const filter = {
    id,
    title: 'Cats',
    context: ['home', 'public'],
    expires_at: '2020-01-01T00:00:00.000Z',
    filter_action: 'hide',
    keywords: [{ id: keyword, keyword: 'cat', whole_word: false }],
    statuses: [{ id: entry, status_id: status.id }],
  }
  const all = await alice.get('/api/v2/filters', { limit: '1' })
  assert.deepEqual([all.json, all.headers.get('link')], [[filter], null])
  assert.deepEqual((await alice.get(`/api/v2/filters/${id}`)).json, filter)
  const old = {
    id: keyword,
    phrase: 'cat',
    context: ['home', 'public'],
    whole_word: false,
    expires_at: '2020-01-01T00:00:00.000Z',
    irreversible: true,
  }
  const shown = await alice.get('/api/v1/filters')
  assert.deepEqual(shown.json, [old])
  assert.equal(shown.headers.get('deprecation'), '@1668384000')
  assert.deepEqual((await alice.get(`/api/v1/filters/${keyword}`)).json, old)
  for (const path of [`/api/v2/filters/${id}`, `/api/v1/filters/${keyword}`, '/api/v2/filters/x']) {
    const response = await bob.get(path)
    assert.deepEqual([response.status, response.json], [404, { error: 'Record not found' }])
  }
})
