import assert from 'node:assert/strict'
import { test } from 'tap'
import { person } from '../support/people.ts'
import { readOnlySwitch } from '../support/read_only_database.ts'
import { startServer } from '../support/server.ts'

/** As many as there may be connections. */
const AT_ONCE = 12
const PATIENCE_MS = 10_000

test('a database that is read-only after a failover causes 503, and is left when another one can write', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  await alice.postStatus('before')
  const database = readOnlySwitch(server.databaseUrl)
  await database.on()
  const post = async (): Promise<number> =>
    (await alice.post('/api/v1/statuses', { status: `another ${performance.now()}` })).status
  const many = (): Promise<number[]> => Promise.all(Array.from({ length: AT_ONCE }, post))
  assert.deepEqual(new Set(await many()), new Set([503]))
  assert.deepEqual(new Set(await many()), new Set([503]), 'not 500')
  assert.equal((await alice.get('/api/v1/timelines/public', { local: 'true' })).status, 200)
  const statuses = ['/health', '/health/database'].map(async part => (await alice.get(part)).status)
  assert.deepEqual(await Promise.all(statuses), [200, 503], 'load balancers need not act, operators must')

  await database.off()
  const began = performance.now()
  while ((await post()) !== 200) assert.ok(performance.now() - began < PATIENCE_MS, 'posts again')
  t.comment(`posts again after ${Math.round(performance.now() - began)} ms`)
  assert.deepEqual(new Set(await many()), new Set([200]), 'on any connection')
  assert.equal((await alice.get('/health/database')).status, 200)
})
