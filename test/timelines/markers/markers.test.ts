import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { people, sql } from '../../support/people.ts'

interface Marker {
  last_read_id: string
  version: number
  updated_at: string
}
type Markers = Record<string, Marker>

test('markers are saved, read and moved, also backwards', async t => {
  const { alice } = await people(t, 'alice')
  assert.deepEqual((await alice.get('/api/v1/markers', { 'timeline[]': ['home', 'notifications'] })).json, {})
  const saved = await alice.post('/api/v1/markers', {
    home: { last_read_id: '123' },
    notifications: { last_read_id: 456 },
  })
  assert.equal(saved.status, 200, saved.text)
  const markers = saved.json as Markers
  assert.deepEqual(Object.keys(markers), ['home', 'notifications'])
  assert.deepEqual(Object.keys(markers['home'] ?? {}), ['last_read_id', 'version', 'updated_at'])
  assert.equal(markers['home']?.last_read_id, '123')
  assert.equal(markers['home'].version, 1)
  assert.match(markers['home'].updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual((await alice.get('/api/v1/markers', { 'timeline[]': ['home', 'notifications'] })).json, markers)
  assert.deepEqual((await alice.get('/api/v1/markers', { timeline: 'home' })).json, { home: markers['home'] })
  assert.deepEqual((await alice.get('/api/v1/markers')).json, {})
  assert.deepEqual((await alice.get('/api/v1/markers', { timeline: 'unheard-of' })).json, {})
  const moved = (await alice.post('/api/v1/markers', { home: { last_read_id: '100' } })).json as Markers
  assert.deepEqual(Object.keys(moved), ['home'])
  assert.deepEqual([moved['home']?.last_read_id, moved['home']?.version], ['100', 2])
})

test('saving the same again changes nothing, and unknown timelines are ignored', async t => {
  const { alice } = await people(t, 'alice')
  const once = (await alice.post('/api/v1/markers', { home: { last_read_id: '5' } })).json
  const again = await alice.post('/api/v1/markers', { home: { last_read_id: '5' }, local: { last_read_id: '9' } })
  assert.deepEqual(again.json, once)
  assert.deepEqual((await alice.post('/api/v1/markers', { local: { last_read_id: '9' } })).json, {})
  const wrong = await alice.post('/api/v1/markers', { home: { last_read_id: 'x' } })
  assert.equal(wrong.status, 422)
})

test('forms have brackets', async t => {
  const { alice } = await people(t, 'alice')
  const body = new URLSearchParams({ 'home[last_read_id]': '7' })
  const saved = (await alice.request('POST', '/api/v1/markers', { body })).json as Markers
  assert.equal(saved['home']?.last_read_id, '7')
})

test('of many concurrent moves of a marker each succeeds or conflicts, and no version is used twice', async t => {
  const { alice } = await people(t, 'alice')
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      alice.post('/api/v1/markers', { home: { last_read_id: String(100 + index) } }),
    ),
  )
  const moved = answers.filter(response => response.status === 200).map(response => (response.json as Markers)['home'])
  const conflicts = answers.filter(response => response.status === 409)
  assert.equal(moved.length + conflicts.length, answers.length)
  const versions = moved.map(marker => marker?.version ?? 0).sort((a, b) => a - b)
  assert.deepEqual(
    versions,
    versions.map((_, index) => index + 1),
  )
  const { home: last } = (await alice.get('/api/v1/markers', { timeline: 'home' })).json as Markers
  assert.deepEqual(
    last,
    moved.find(marker => marker?.version === versions.length),
  )
})

test('a marker that is changed meanwhile is a conflict, and nothing of the request is saved', async t => {
  const { alice, server } = await people(t, 'alice')
  await alice.post('/api/v1/markers', { home: { last_read_id: '1' }, notifications: { last_read_id: '1' } })
  const other = new pg.Client({ connectionString: server.databaseUrl })
  await other.connect()
  try {
    await other.query('begin')
    await other.query(
      `update markers set last_read_id = 50, version = version + 1 where account_id = $1 and timeline = 'home'`,
      [alice.id],
    )
    const late = alice.post('/api/v1/markers', { home: { last_read_id: '2' }, notifications: { last_read_id: '2' } })
    // It has read the old marker once it waits for the row.
    for (;;) {
      const [waiting] = await sql(
        server,
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '-- save:%' and datname = current_database()`,
      )
      if (waiting) break
    }
    await other.query('commit')
    const response = await late
    assert.deepEqual([response.status, response.json], [409, { error: 'Conflict during update, please try again' }])
  } finally {
    await other.end()
  }
  const markers = (await alice.get('/api/v1/markers', { 'timeline[]': ['home', 'notifications'] })).json as Markers
  assert.equal(markers['home']?.last_read_id, '50')
  assert.equal(markers['notifications']?.last_read_id, '1')
})
