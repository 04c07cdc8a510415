import assert from 'node:assert/strict'
import { test } from 'tap'
import { useBudget } from '../../support/budget.ts'
import { person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

test('the limit of reports is shown in headers but not enforced', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  await useBudget(server, 'reports', alice.id, 399)
  for (const _ of [1, 2]) {
    const { status, headers } = await alice.post('/api/v1/reports', { account_id: bob.id })
    assert.deepEqual(
      [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')],
      [200, '400', '0'],
    )
  }
})
