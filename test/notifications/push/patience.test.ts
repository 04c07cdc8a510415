import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCircuitBreaker } from '../../../src/notifications/push/circuit_breaker.ts'

test('a host that gives no answer three times in a row rests for half a minute', async () => {
  let nowMs = 1_000_000
  const patience = createCircuitBreaker(() => nowMs)
  for (const over of [false, false, true]) {
    patience.recordFailure('slow.example')
    assert.equal(patience.isOpen('slow.example'), over)
  }
  assert.equal(patience.isOpen('other.example'), false)
  nowMs += 30_000
  assert.equal(patience.isOpen('slow.example'), false)
  patience.recordFailure('slow.example')
  assert.equal(patience.isOpen('slow.example'), true)
  nowMs += 30_000
  patience.recordResponse('slow.example')
  patience.recordFailure('slow.example')
  assert.equal(patience.isOpen('slow.example'), false)
})
