import assert from 'node:assert/strict'
import { test } from 'tap'
import { createOrderedQueue } from '../../../src/platform/streaming/ordered_queue.ts'
import { TimingWheel } from '../../../src/platform/streaming/timing_wheel.ts'

const fail = (error: unknown): never => assert.fail(String(error))
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('results are delivered in the order of the calls', async () => {
  const delivered: number[] = []
  const sequence = createOrderedQueue<number>(3, result => void delivered.push(result), fail)
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<number>())
  let started = 0
  for (const work of works) {
    sequence.push(() => {
      started += 1
      return work.promise
    })
  }
  sequence.push(() => 4)
  assert.equal(started, 3)
  works[2]?.resolve(2)
  works[1]?.resolve(1)
  await turn()
  assert.deepEqual(delivered, [])
  works[0]?.resolve(0)
  await turn()
  assert.deepEqual([delivered, started], [[0, 1, 2], 4])
  works[3]?.resolve(3)
  await turn()
  assert.deepEqual([delivered, sequence.length], [[0, 1, 2, 3, 4], 0])
  sequence.push(() => 5)
  assert.equal(delivered.at(-1), 5)
})

test('failed work is dropped alone', async () => {
  const delivered: number[] = []
  const lost: unknown[] = []
  const deliver = (result: number): undefined => {
    if (result === 3) throw new Error('delivery')
    delivered.push(result)
  }
  const sequence = createOrderedQueue<number>(2, deliver, error => lost.push(error))
  sequence.push(() => Promise.reject(new Error('later')))
  sequence.push(() => {
    throw new Error('at once')
  })
  for (const result of [2, 3, 4]) sequence.push(() => Promise.resolve(result))
  await turn()
  assert.deepEqual(delivered, [2, 4])
  assert.deepEqual(lost.map(error => (error as Error).message).sort(), ['at once', 'delivery', 'later'])
})

test('a delivery that takes time holds back later ones, also when it fails', async () => {
  const delivered: number[] = []
  const lost: unknown[] = []
  const deliveries = [1, 2].map(() => Promise.withResolvers<void>())
  const sequence = createOrderedQueue<number>(
    2,
    result => {
      delivered.push(result)
      return deliveries[result]?.promise
    },
    error => lost.push(error),
  )
  for (const result of [0, 1, 2]) sequence.push(() => Promise.resolve(result))
  await turn()
  assert.deepEqual(delivered, [0])
  deliveries[0]?.resolve()
  await turn()
  assert.deepEqual(delivered, [0, 1])
  deliveries[1]?.reject(new Error('delivery'))
  await turn()
  assert.deepEqual([delivered, lost.length, sequence.length], [[0, 1, 2], 1, 0])
})

test('work that never ends is given up', async () => {
  const delivered: number[] = []
  const lost: unknown[] = []
  const sequence = createOrderedQueue<number>(
    1,
    result => void delivered.push(result),
    error => lost.push(error),
  )
  const work = Promise.withResolvers<number>()
  sequence.push(() => work.promise)
  sequence.push(() => 2)
  sequence.giveUp(60_000)
  assert.deepEqual([delivered, lost.length], [[], 0])
  await turn()
  sequence.giveUp(0)
  assert.deepEqual([delivered, lost.length], [[2], 1])
  work.resolve(1)
  await turn()
  assert.deepEqual(delivered, [2])
})

test('a delivery may push more work', async () => {
  const delivered: number[] = []
  const sequence = createOrderedQueue<number>(
    1,
    result => {
      delivered.push(result)
      if (result < 3) sequence.push(() => result + 1)
    },
    fail,
  )
  sequence.push(() => 1)
  assert.deepEqual(delivered, [1, 2, 3])
})

test('each item of a wheel is due once a turn, evenly spread', async () => {
  const due: number[] = []
  const wheel = new TimingWheel<number>(4, one => due.push(one))
  for (let one = 0; one < 8; one += 1) wheel.add(one)
  wheel.remove(3)
  const counts: number[] = []
  for (let tick = 0; tick < 4; tick += 1) {
    const before = due.length
    wheel.tick()
    counts.push(due.length - before)
  }
  assert.deepEqual(
    due.toSorted((a, b) => a - b),
    [0, 1, 2, 4, 5, 6, 7],
  )
  assert.ok(counts.every(count => count <= 2))
  assert.equal(wheel.size, 7)
})
