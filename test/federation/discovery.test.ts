import assert from 'node:assert/strict'
import { test } from 'tap'
import { createSubdomainLimit, mayDiscover, withBudget } from '../../src/federation/fetch/discovery.ts'

/* The limits of federation.md, section 9. */

test('one activity makes at most 400 accounts and 1000 statuses known', async () => {
  const discover = async (kind: 'accounts' | 'statuses') => {
    let found = 0
    // Each waits, as requests do: the budget is that of the activity, not of the process.
    while (await Promise.resolve().then(() => mayDiscover(kind))) found += 1
    return found
  }
  const both = () => withBudget(async () => [await discover('accounts'), await discover('statuses')])
  assert.deepEqual(await Promise.all([both(), both()]), [
    [400, 1000],
    [400, 1000],
  ])
  assert.equal(mayDiscover('accounts'), true, 'what people look up is not counted')
})

test('a domain has at most ten new subdomains within five minutes', async () => {
  let nowMs = 1
  const limit = createSubdomainLimit({ now: () => nowMs })
  const add = (count: number, domain: string) =>
    Array.from({ length: count }, (_, index) => limit.mayAdd(`host${index}.${domain}`)).filter(Boolean).length
  assert.equal(add(12, 'bad.example.co.uk'), 10)
  assert.equal(limit.mayAdd('other.example.co.uk'), false, 'it is the same registrable domain')
  assert.equal(limit.mayAdd('host3.bad.example.co.uk'), true, 'it is counted already')
  assert.equal(add(2, 'good.co.uk'), 2)
  nowMs += 4 * 60_000
  assert.equal(limit.mayAdd('late.example.co.uk'), false)
  nowMs += 61_000
  assert.equal(limit.mayAdd('late.example.co.uk'), true)
  assert.equal(limit.mayAdd('127.0.0.1:3000'), true)
})
