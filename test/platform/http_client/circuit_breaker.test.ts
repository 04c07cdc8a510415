import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCircuitBreaker } from '../../../src/platform/http_client/index.ts'

test('a host that does not respond three times in a row is skipped for half a minute', async () => {
  let nowMs = 1_000_000
  const breaker = createCircuitBreaker(() => nowMs)
  for (const isOpen of [false, false, true]) {
    breaker.recordFailure('slow.example')
    assert.equal(breaker.isOpen('slow.example'), isOpen)
  }
  assert.equal(breaker.isOpen('other.example'), false)
  nowMs += 30_000
  assert.equal(breaker.isOpen('slow.example'), false)
  breaker.recordFailure('slow.example')
  assert.equal(breaker.isOpen('slow.example'), true)
  nowMs += 30_000
  breaker.recordResponse('slow.example')
  breaker.recordFailure('slow.example')
  assert.equal(breaker.isOpen('slow.example'), false)
})
