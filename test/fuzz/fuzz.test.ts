import assert from 'node:assert/strict'
import { test } from 'tap'
import { startServer } from '../support/server.ts'
import { checkAfterwards } from './check.ts'
import { fuzz } from './run.ts'

/*
 * Random requests, made from the operations' declarations. A long run: `npm run fuzz`. What it has
 * found has a test where the fault was.
 */

const SEED = 20_261_123
const COUNT = 3_000
/** On a busy machine there are fewer requests. */
const LIMIT_MS = 45_000
/** Longer than in long runs, because other tests use the same processors. */
const SLOW_MS = 20_000

test('random requests get proper responses and leave a sound database', async t => {
  t.comment(`seed ${SEED}: npm run fuzz -- --seed ${SEED} --count ${COUNT} repeats it`)
  const server = await startServer(t, { env: { LOG_LEVEL: 'error' }, oneProcess: 'requests follow each other at once' })
  const stop = AbortSignal.timeout(LIMIT_MS)
  const { failures, tally } = await fuzz(server, { seed: SEED, count: COUNT, slowMs: SLOW_MS, stop })
  assert.deepEqual(failures, [])
  assert.ok(tally.sent > 0)
  assert.equal(await checkAfterwards({ databaseUrl: server.databaseUrl, dataDir: server.config.dataDir }), '')
})
