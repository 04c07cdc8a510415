import assert from 'node:assert/strict'
import { test } from 'tap'
import { createFigureCache } from '../../../src/administration/measures/figure_cache.ts'

test('figures that are counted from many rows are cached for five minutes, others are not', async () => {
  let nowMs = 1
  let counts = 0
  const figure = createFigureCache<{ number: number }>({ now: () => nowMs })
  const ask = async (key: string, rows: number): Promise<number> =>
    (await figure(key, async () => ({ value: { number: (counts += 1) }, rows }))).number
  assert.deepEqual([await ask('few', 9_999), await ask('few', 9_999)], [1, 2])
  assert.deepEqual([await ask('many', 10_000), await ask('many', 10_000), await ask('other', 1)], [3, 3, 4])
  nowMs += 5 * 60_000 - 1
  assert.equal(await ask('many', 10_000), 3)
  nowMs += 2
  assert.equal(await ask('many', 10_000), 5)
})

test('concurrent requests share one count, and a failure is not cached', async () => {
  const figure = createFigureCache<object>()
  const counting = Promise.withResolvers<{ value: object; rows: number }>()
  let counts = 0
  const ask = (): Promise<object> =>
    figure('one', () => {
      counts += 1
      return counting.promise
    })
  const both = Promise.allSettled([ask(), ask()])
  counting.reject(new Error('interrupted'))
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(counts, 1)
  const value = { total: 1 }
  assert.equal(await figure('one', async () => ({ value, rows: 1 })), value)
})
