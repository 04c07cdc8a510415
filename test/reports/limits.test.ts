import assert from 'node:assert/strict'
import test from 'node:test'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'

const DAY_SECONDS = 86_400

test('the budget of reports is told but not enforced', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS
  for (const start of [today, today + DAY_SECONDS]) {
    await sql(
      server,
      `insert into rate_counters (name, key, window_start, expires_at, amount)
       values ('budget/reports', $1, to_timestamp($2::float8), to_timestamp($2::float8) + interval '1 day', 399)`,
      [alice.id, start],
    )
  }
  for (const _ of [1, 2]) {
    const { status, headers } = await alice.post('/api/v1/reports', { account_id: bob.id })
    assert.deepEqual(
      [status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')],
      [200, '400', '0'],
    )
  }
})
