import assert from 'node:assert/strict'
import { test } from 'tap'
import { startServer } from '../support/server.ts'
import { operations } from '../../src/app/operations.ts'
import { methodsOf, pathsOf } from '../../src/platform/http/router.ts'
import { checkAfterwards } from './check.ts'
import { NEVER } from './never.ts'
import { openOutside } from './outside.ts'
import { fuzz } from './run.ts'
import { TYPICAL } from './typical.ts'

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

test('the operations that are said never to succeed, or to succeed with certain values, are declared', async () => {
  const declared = new Set(
    operations.flatMap(one => methodsOf(one).flatMap(method => pathsOf(one).map(path => `${method} ${path}`))),
  )
  const listed = NEVER.flatMap(({ operations: some }) => some)
  assert.deepEqual(
    listed.filter(call => !declared.has(call)),
    [],
  )
  assert.deepEqual(
    [...TYPICAL.keys()].filter(call => !declared.has(call)),
    [],
  )
})

test('random requests get proper responses and leave a sound database', async t => {
  t.comment(`seed ${SEED}: npm run fuzz -- --seed ${SEED} --count ${COUNT} repeats it`)
  const outside = await openOutside(t)
  const env = { LOG_LEVEL: 'error', ...outside.env }
  const server = await startServer(t, { env, oneProcess: 'requests follow each other at once' })
  const stop = AbortSignal.timeout(LIMIT_MS)
  const { failures, tally } = await fuzz(server, { seed: SEED, count: COUNT, outside, slowMs: SLOW_MS, stop })
  assert.deepEqual(failures, [])
  assert.ok(tally.sent > 0)
  assert.deepEqual(tally.unexpectedlyFruitful(), [])
  assert.equal(await checkAfterwards({ databaseUrl: server.databaseUrl, dataDir: server.config.dataDir }), '')
})
