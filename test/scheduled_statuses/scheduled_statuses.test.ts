import assert from 'node:assert/strict'
import test from 'node:test'
import { people } from '../support/people.ts'

test('what cannot be scheduled is refused and not listed', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const refused = await alice.post('/api/v1/statuses', { status: 'later', scheduled_at: later })
  assert.equal(refused.status, 422)
  const { status, text } = await alice.get('/api/v1/scheduled_statuses')
  assert.deepEqual([status, text], [200, '[]'])
  assert.equal((await anonymous.get('/api/v1/scheduled_statuses')).status, 401)
})
