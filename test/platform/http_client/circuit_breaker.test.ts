import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCircuitBreaker } from '../../../src/platform/http_client/index.ts'

test('the ports of a public address, and the addresses of a network, are one host; those of a name are not', async () => {
  const breaker = createCircuitBreaker()
  for (const port of [1, 2, 3]) {
    breaker.recordFailure(`203.0.112.1:${port}`)
    breaker.recordFailure(`[2a01:4f8::${port}]`)
    breaker.recordFailure(`push.example:${port}`)
    breaker.recordFailure(`127.0.0.1:${port}`)
  }
  for (const host of ['203.0.112.1', '[2a01:4f8::4]:8443']) assert.equal(breaker.isOpen(host), true, host)
  for (let time = 0; time < 3; time += 1) breaker.recordFailure('push.example:8443')
  for (const host of ['203.0.112.2:1', '[2a01:4f8:0:1::1]', 'push.example', '127.0.0.1:1'])
    assert.equal(breaker.isOpen(host), false, host)
})

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
