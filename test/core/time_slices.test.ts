import assert from 'node:assert/strict'
import { test } from 'tap'
import { runAtOnce, runInTimeSlices, sliceFigures, type Steps } from '../../src/core/time_slices.ts'

/** Takes this many milliseconds, in steps of a tenth. */
function* busy<T>(ms: number, value: T): Steps<T> {
  for (let step = 0; step < ms * 10; step += 1) {
    for (const endMs = performance.now() + 0.1; performance.now() < endMs;);
    yield
  }
  return value
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Counts the turns of the event loop until the promise is settled. */
async function turnsUntil(promise: Promise<unknown>): Promise<number> {
  let isSettled = false
  promise.finally(() => (isSettled = true)).catch(() => undefined)
  for (let turns = 0; ; turns += 1) {
    await turn()
    if (isSettled) return turns
  }
}

test('a short computation ends at once', async () => {
  await turn()
  assert.equal(runInTimeSlices(busy(0, 'short')), 'short')
  assert.equal(runAtOnce(busy(3, 'long')), 'long')
})

test('many computations take turns with other work, and end in the order of the calls', async () => {
  await turn()
  const ended: number[] = []
  const before = sliceFigures()
  const all = Array.from({ length: 20 }, async (_, index) => {
    ended.push(await runInTimeSlices(busy(1, index)))
  })
  assert.ok(sliceFigures().waiting > 10)
  assert.ok((await turnsUntil(Promise.all(all))) >= 8)
  assert.deepEqual(
    ended,
    Array.from({ length: 20 }, (_, index) => index),
  )
  const after = sliceFigures()
  assert.ok(after.slices - before.slices >= 9, `${after.slices - before.slices} slices`)
  assert.ok(after.longestMs >= 2)
  assert.equal(after.waiting, 0)
})

test('a computation that fails ends alone', async () => {
  function* fail(ms: number): Steps<never> {
    yield* busy(ms, undefined)
    throw new Error('failed')
  }
  const failing = Promise.resolve(runInTimeSlices(fail(3)))
  const next = runInTimeSlices(busy(1, 'next'))
  await assert.rejects(failing, /^Error: failed$/)
  assert.equal(await next, 'next')
  await turn()
  assert.throws(() => runInTimeSlices(fail(0)), /^Error: failed$/)
})
