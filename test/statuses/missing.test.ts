import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../support/people.ts'

const READ = ['', '/context', '/history', '/source', '/reblogged_by', '/favourited_by', '/quotes']
const DONE = ['favourite', 'unfavourite', 'reblog', 'unreblog', 'bookmark', 'unbookmark']
const MORE = ['mute', 'unmute', 'pin', 'unpin', 'translate', 'quotes/1/revoke']

test('every request for an unknown or invalid status gets the same response', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const hidden = await bob.postStatus('between us', { visibility: 'direct' })
  for (const id of ['1', 'abc', '-5', '99999999999999999999', hidden.id]) {
    const path = `/api/v1/statuses/${id}`
    const answers = [
      ...(await Promise.all(READ.map(one => alice.get(path + one)))),
      ...(await Promise.all([...DONE, ...MORE].map(one => alice.post(`${path}/${one}`)))),
      await alice.put(`${path}/interaction_policy`, { quote_approval_policy: 'nobody' }),
    ]
    for (const [index, { status, json }] of answers.entries())
      assert.deepEqual([status, json], [404, { error: 'Not Found' }], `${id} ${index}`)
    const own = [await alice.put(path, { status: 'changed' }), await alice.delete(path)]
    for (const { status, json } of own) assert.deepEqual([status, json], [404, { error: 'Record not found' }])
  }
})
