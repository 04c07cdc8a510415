import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity, errorOf } from '../status_fixtures.ts'
import type { ClientResponse } from '../../support/client.ts'
import { people } from '../../support/people.ts'
import { inHours } from './scheduled_fixtures.ts'

test('a key stands for a scheduled status, even a cancelled one', async t => {
  const { alice } = await people(t, 'alice')
  const headers = { 'idempotency-key': 'once' }
  const post = (body: Record<string, unknown>): Promise<ClientResponse> =>
    alice.request('POST', '/api/v1/statuses', { body, headers })
  const first = entity((await post({ status: 'later', scheduled_at: inHours(1) })).json)
  const again = entity((await post({ status: 'now' })).json)
  assert.deepEqual(again, first)
  await alice.delete(`/api/v1/scheduled_statuses/${first.id}`)
  for (const body of [{ status: 'later', scheduled_at: inHours(1) }, { status: 'now' }]) {
    const gone = await post(body)
    assert.deepEqual([gone.status, errorOf(gone)], [404, 'Record not found'])
  }
  assert.deepEqual((await alice.get('/api/v1/scheduled_statuses')).json, [])
  assert.equal(entities((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json).length, 0)
})
