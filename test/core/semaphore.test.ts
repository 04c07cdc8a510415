import assert from 'node:assert/strict'
import { test } from 'tap'
import { ApiError } from '../../src/core/errors.ts'
import { createSemaphore } from '../../src/core/semaphore.ts'

test('a semaphore runs at most the given number at once, in order', async () => {
  const { run } = createSemaphore(2, 10)
  const begun: number[] = []
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  const all = gates.map((gate, index) =>
    run(async () => {
      begun.push(index)
      await gate.promise
      return index
    }),
  )
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1])
  gates[1]?.resolve()
  await all[1]
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(begun, [0, 1, 2])
  gates.forEach(gate => gate.resolve())
  assert.deepEqual(await Promise.all(all), [0, 1, 2, 3, 4])
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
})

test('a failure releases its slot', async () => {
  const { run } = createSemaphore(1, 10)
  await assert.rejects(
    run(async () => {
      throw new Error('broken')
    }),
    /broken/,
  )
  assert.equal(await run(async () => 1), 1)
})

test('a full queue refuses further work at once', async () => {
  const { run } = createSemaphore(1, 1)
  const gate = Promise.withResolvers<void>()
  const first = run(() => gate.promise)
  const second = run(async () => 2)
  await assert.rejects(
    run(async () => 3),
    (error: unknown) => error instanceof ApiError && error.status === 503,
  )
  gate.resolve()
  await first
  assert.equal(await second, 2)
})
