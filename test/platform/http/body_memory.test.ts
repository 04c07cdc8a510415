import assert from 'node:assert/strict'
import { test } from 'tap'
import { createBodyMemory } from '../../../src/platform/http/body_memory.ts'

test('an owner is limited, and released memory is available to others', async () => {
  const bodyMemory = createBodyMemory({ limitBytes: 100, ownerLimitBytes: 60 })
  const first = bodyMemory.open('a')
  assert.equal(first.take(60), undefined)
  assert.equal(bodyMemory.open('a').take(1)?.code, 'tooManyRequests')
  assert.equal(bodyMemory.open('b').take(41)?.code, 'unavailable')
  const second = bodyMemory.open('b')
  assert.equal(second.take(40), undefined)
  first.giveBack(10)
  assert.equal(second.take(10), undefined)
  first.release()
  first.release()
  assert.equal(bodyMemory.open('a', 'c').take(50), undefined)
  assert.equal(bodyMemory.open('c').take(11)?.code, 'unavailable', 'it was given back once')
})

test('small bodies may use the reserve when the memory is full', async () => {
  const bodyMemory = createBodyMemory({
    limitBytes: 100,
    ownerLimitBytes: 100,
    small: { limitBytes: 5, reserveBytes: 10 },
  })
  assert.equal(bodyMemory.open('a').take(100), undefined)
  const small = bodyMemory.open('b')
  assert.equal(small.take(5), undefined)
  assert.equal(small.take(1)?.code, 'unavailable')
  assert.equal(bodyMemory.open('c').take(5), undefined)
  assert.equal(bodyMemory.open('d').take(1)?.code, 'unavailable')
})

test('a request counts against each of its owners', async () => {
  const bodyMemory = createBodyMemory({ limitBytes: 1000, ownerLimitBytes: 100 })
  assert.equal(bodyMemory.open('user 1', 'address').take(60), undefined)
  assert.equal(bodyMemory.open('user 2', 'address').take(60)?.code, 'tooManyRequests')
  assert.equal(bodyMemory.open('user 2', 'other').take(60), undefined)
})
