import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../support/people.ts'

test('a mention contains the account and the status as the recipient sees them', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await bob.postStatus(`hello @${alice.username}`)
  const { json } = await alice.get('/api/v1/notifications')
  const [notification] = json as Record<string, unknown>[]
  assert.deepEqual(Object.keys(notification ?? {}), ['id', 'type', 'group_key', 'created_at', 'account', 'status'])
  assert.equal(notification?.['type'], 'mention')
  assert.equal(notification['group_key'], `ungrouped-${String(notification['id'])}`)
  assert.match(String(notification['created_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(notification['account'], (await alice.get(`/api/v1/accounts/${bob.id}`)).json)
  assert.deepEqual(notification['status'], (await alice.get(`/api/v1/statuses/${status.id}`)).json)
})
