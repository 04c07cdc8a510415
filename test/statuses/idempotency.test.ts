import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { entity, errorOf, media, tell } from './status_fixtures.ts'

test('the same key posts once, also for concurrent requests', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [file] = await media(server, alice, [{ type: 'image' }])
  const post = () => alice.post('/api/v1/statuses', { status: 'once', media_ids: [file] }, { 'idempotency-key': 'a' })
  const answers = await Promise.all(Array.from({ length: 8 }, post))
  assert.deepEqual([...new Set(answers.map(response => response.status))], [200])
  assert.equal(new Set(answers.map(response => entity(response.json).id)).size, 1)
  const id = entity((await post()).json).id
  assert.equal(id, entity(answers[0]?.json).id)
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = $1', [alice.id])
  assert.equal(stored?.['n'], 1)
  const other = await bob.post('/api/v1/statuses', { status: 'mine' }, { 'idempotency-key': 'a' })
  assert.notEqual(entity(other.json).id, id, 'keys are of one account each')
  await alice.delete(`/api/v1/statuses/${id}`)
  const gone = await post()
  assert.deepEqual([gone.status, errorOf(gone)], [404, 'Record not found'])
})

test('a key expires after an hour, and a refused post does not use it', async t => {
  const { alice, server } = await people(t, 'alice')
  const key = { 'idempotency-key': 'k'.repeat(1000) }
  assert.equal((await alice.post('/api/v1/statuses', { status: '' }, key)).status, 422)
  const first = entity((await alice.post('/api/v1/statuses', { status: 'now' }, key)).json)
  assert.equal(entity((await alice.post('/api/v1/statuses', { status: 'else' }, key)).json).id, first.id)
  await tell(server, `update idempotency_keys set created_at = now() - interval '61 minutes' where account_id = $1`, [
    alice.id,
  ])
  const later = entity((await alice.post('/api/v1/statuses', { status: 'later' }, key)).json)
  assert.notEqual(later.id, first.id)
  assert.equal(entity((await alice.post('/api/v1/statuses', { status: 'more' }, key)).json).id, later.id)
})
