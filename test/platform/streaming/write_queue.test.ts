import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from 'tap'
import { createWriteQueue } from '../../../src/platform/streaming/write_queue.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

let nowMs = 0

/** A reader whose write takes this long, and how often it was written to. */
function createReader(tookMs = 0) {
  const reader = {
    flushed: 0,
    flush(): void {
      reader.flushed += 1
      nowMs += tookMs
    },
  }
  return reader
}

test('readers of one turn are written to together, at once after quick rounds', async () => {
  const queue = createWriteQueue()
  const readers = [createReader(), createReader()]
  for (const round of [1, 2, 3]) {
    for (const reader of readers) queue.add(reader)
    assert.deepEqual(
      readers.map(({ flushed }) => flushed),
      [round - 1, round - 1],
    )
    await turn()
    assert.deepEqual(
      readers.map(({ flushed }) => flushed),
      [round, round],
    )
  }
})

test('after a round that took long, what comes meanwhile waits and is written together', async t => {
  const timers = fakeTimers(t)
  timers.enable({ apis: ['setTimeout'] })
  t.intercept(performance, 'now', { value: () => nowMs })
  const queue = createWriteQueue()
  const slow = createReader(200)
  queue.add(slow)
  await turn()
  assert.equal(slow.flushed, 1)
  const [first, second] = [createReader(), createReader()]
  queue.add(first)
  await turn()
  queue.add(second)
  await turn()
  assert.deepEqual([first.flushed, second.flushed], [0, 0])
  timers.tick(49)
  assert.deepEqual([first.flushed, second.flushed], [0, 0])
  // However long a round took.
  timers.tick(1)
  assert.deepEqual([first.flushed, second.flushed], [1, 1])
})
