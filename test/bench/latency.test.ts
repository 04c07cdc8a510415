import assert from 'node:assert/strict'
import { test } from 'tap'
import { createLatencies, latencyFigures } from '../../bench/load/latency.ts'
import { growthOf } from '../../bench/scenarios/mixed.ts'

test('latencies of several processes are merged', async () => {
  const [one, other] = [createLatencies(), createLatencies()]
  for (let ms = 1; ms <= 50; ms += 1) one.record(ms * 1000)
  for (let ms = 51; ms <= 100; ms += 1) other.record(ms * 1000)
  const { p50 = 0, p99 = 0, max = 0, mean = 0 } = latencyFigures([one.encode(), other.encode()])
  // The histogram has three significant digits.
  for (const [found, expected] of [
    [p50, 50],
    [p99, 99],
    [max, 100],
    [mean, 50.5],
  ] as const)
    assert.ok(Math.abs(found - expected) <= expected / 500, `${found} is not ${expected}`)
  assert.deepEqual(latencyFigures([createLatencies().encode()]), {})
})

test('latencies outside the histogram are still counted', async () => {
  const latencies = createLatencies()
  for (const microseconds of [-5, 0, 1e12]) latencies.record(microseconds)
  assert.equal(latencies.count, 3)
})

test('the growth of memory is reported for long runs only', async () => {
  const growing = (seconds: number) =>
    Array.from({ length: 101 }, (_, index) => ({
      seconds: (index * seconds) / 100,
      megabytes: 200 + (index * seconds) / 3600,
    }))
  assert.equal(growthOf(growing(60)), undefined)
  assert.ok(Math.abs((growthOf(growing(3600)) ?? 0) - 100) < 2)
  assert.equal(growthOf([]), undefined)
  const filling = growing(3600).map(({ seconds, megabytes }) => ({ seconds, megabytes: Math.min(megabytes, 240) }))
  assert.ok((growthOf(filling) ?? 0) > 0)
  assert.equal(growthOf(filling, 1200), 0)
})
