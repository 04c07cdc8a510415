import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { WorkerEvents, WorkerPool } from 'graphile-worker'
import { test, type Test } from 'tap'
import { createWakeups } from '../../../src/platform/jobs/wakeups.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

const refuse = (): never => assert.fail('no statement is needed')
const quiet = { debug: refuse, info: refuse, warn: refuse, error: refuse }

/** The times at which a worker is woken, by a stopped clock. */
function watchLooks(t: Test, warn: () => void = refuse) {
  const timers = fakeTimers(t)
  timers.enable({ apis: ['setTimeout'] })
  const events: WorkerEvents = new EventEmitter()
  const looks: number[] = []
  let now = 0
  const logger = { ...quiet, warn }
  const wakeups = createWakeups(events, { database: { run: refuse, one: refuse }, concurrency: 8, logger })
  t.after(() => wakeups.stop())
  const pool: Pick<WorkerPool, 'nudge'> = { nudge: () => void looks.push(now) }
  events.emit('pool:create', { workerPool: pool } as never)
  const pass = (ms: number): void => {
    for (const until = now + ms; now < until;) {
      now += 1
      timers.tick(1)
    }
  }
  return { events, looks, wakeups, pass, time: () => now }
}

test('the next job of a serial queue is looked for until ten seconds after the end of the previous one', async t => {
  const { looks, wakeups, pass, time } = watchLooks(t)

  wakeups.soon()
  pass(60_000)
  assert.deepEqual(looks, [2, 20, 200, 2000, 10_000])

  // Many that end together share the looks, and each is followed by one after at least its delay.
  looks.length = 0
  const start = time()
  for (let ended = 0; ended < 100; ended += 1) {
    wakeups.soon()
    pass(1)
  }
  pass(60_000)
  assert.ok(looks.length < 80, `${looks.length} looks`)
  for (const delay of [2, 20, 200, 2000, 10_000])
    assert.ok(
      looks.some(at => at >= start + 99 + delay && at <= start + 100 + 2 * delay),
      `after ${delay} ms`,
    )
})

test('a failed look for a job is repeated after a second, once for all workers', async t => {
  let warnings = 0
  const { events, looks, pass } = watchLooks(t, () => (warnings += 1))
  for (let worker = 0; worker < 8; worker += 1)
    events.emit('worker:getJob:error', { error: new Error('sorry, too many clients already') } as never)
  pass(60_000)
  assert.deepEqual(looks, [1000, 2000])
  assert.equal(warnings, 8)
})
