import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCircuitBreaker } from '../../../src/notifications/push/circuit_breaker.ts'

test('a host that gives no answer three times in a row rests for half a minute', async () => {
  let nowMs = 1_000_000
  const patience = createCircuitBreaker(() => nowMs)
  for (const over of [false, false, true]) {
    patience.failed('slow.example')
    assert.equal(patience.isOver('slow.example'), over)
  }
  assert.equal(patience.isOver('other.example'), false)
  nowMs += 30_000
  assert.equal(patience.isOver('slow.example'), false)
  patience.failed('slow.example')
  assert.equal(patience.isOver('slow.example'), true)
  nowMs += 30_000
  patience.answered('slow.example')
  patience.failed('slow.example')
  assert.equal(patience.isOver('slow.example'), false)
})
