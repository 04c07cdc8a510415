import assert from 'node:assert/strict'
import { test } from 'tap'
import { ApiError } from '../../src/core/errors.ts'
import { createReadingBudget } from '../../src/federation/document_signatures/reading_budget.ts'
import { createSubdomainLimit, mayDiscover, withDiscoveryBudget } from '../../src/federation/fetch/discovery.ts'
import { createWaitingBudget } from '../../src/federation/fetch/waiting_budget.ts'

/* Limits of what other servers can make this one fetch. */

test('one activity discovers at most 400 accounts and 1000 statuses', async () => {
  const discover = async (kind: 'accounts' | 'statuses') => {
    let found = 0
    // Each waits, as requests do: the budget is that of the activity, not of the process.
    while (await Promise.resolve().then(() => mayDiscover(kind))) found += 1
    return found
  }
  const both = () => withDiscoveryBudget(async () => [await discover('accounts'), await discover('statuses')])
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
  const ports = (address: string) => Array.from({ length: 12 }, (_, index) => limit.mayAdd(`${address}:${index}`))
  for (const address of ['203.0.112.1', 'host.ports.example', '[2a01:4f8::1]'])
    assert.equal(ports(address).filter(Boolean).length, 10, address)
  assert.equal(limit.mayAdd('[2a01:4f8::ffff:2]'), false, 'it is the same network')
  assert.equal(limit.mayAdd('[2a01:4f8:0:1::1]'), true)
  assert.equal(ports('127.0.0.1').every(Boolean), true)
})

test('requests wait at most twenty seconds in five minutes for a slow domain, without affecting others', async () => {
  let nowMs = 1
  const { run } = createWaitingBudget({ now: () => nowMs })
  const waitFor = (host: string, ms: number): Promise<boolean> =>
    run(`https://${host}/x`, () => Promise.resolve(void (nowMs += ms))).then(
      () => true,
      () => false,
    )
  for (let left = 1000; left > 0; left -= 1) assert.equal(await waitFor('quick.example', 50), true)
  assert.equal(await waitFor('a.slow.example', 22_000), true)
  await assert.rejects(
    run('https://b.slow.example/x', () => {
      nowMs += 3000
      return Promise.reject(new Error('silent'))
    }),
    /^Error: silent/,
    'a failure takes time too',
  )
  assert.equal(await waitFor('c.slow.example', 0), false)
  assert.equal(await waitFor('other.example', 0), true)
  nowMs += 5 * 60_000
  assert.equal(await waitFor('c.slow.example', 0), true, 'a new period')
  for (const [slow, same, other] of [
    ['203.0.112.1:1', '203.0.112.1:2', '203.0.112.2:1'],
    ['[2a01:4f8::1]', '[2a01:4f8::2:1]:8443', '[2a01:4f8:0:1::1]'],
    ['127.0.0.1:1', undefined, '127.0.0.1:2'],
  ] as const) {
    assert.equal(await waitFor(slow, 23_000), true)
    assert.equal(await waitFor(same ?? slow, 0), false, same ?? slow)
    assert.equal(await waitFor(other, 0), true, other)
  }
})

test('time in which several requests wait counts once', async () => {
  let nowMs = 1
  const { run } = createWaitingBudget({ now: () => nowMs })
  const response = Promise.withResolvers<number>()
  const waiting = Array.from({ length: 300 }, () => run('https://busy.example/x', () => response.promise))
  nowMs += 20_000
  response.resolve(1)
  await Promise.all(waiting)
  assert.equal(await run('https://busy.example/y', () => Promise.resolve(2)), 2)
})

test('at most five hundred requests to one domain run at a time', async () => {
  const { run } = createWaitingBudget()
  const answers = Array.from({ length: 500 }, () => Promise.withResolvers<number>())
  const waiting = answers.map(({ promise }) => run('https://slow.example/x', () => promise))
  await assert.rejects(
    run('https://slow.example/y', () => Promise.resolve(1)),
    /too slow/,
  )
  assert.equal(await run('https://other.example/y', () => Promise.resolve(2)), 2)
  answers.forEach(({ resolve }) => resolve(3))
  assert.equal((await Promise.all(waiting)).length, 500)
  assert.equal(await run('https://slow.example/y', () => Promise.resolve(4)), 4)
})

test('signed documents that a domain delivers take ten seconds in a minute, and one is read at a time', async () => {
  let nowMs = 1
  const { run } = createReadingBudget({ now: () => nowMs })
  const read = (host: string, ms: number, isRelay = false): Promise<unknown> =>
    run({ host, isRelay }, () => Promise.resolve(void (nowMs += ms))).then(
      () => 'read',
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    )
  for (let left = 1000; left > 0; left -= 1) assert.equal(await read('usual.example', 5), 'read')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => read(`h${index}.bad.example`, 500)))
  assert.equal(answers.filter(one => one === 'read').length, 20)
  assert.ok(answers.every(one => one === 'read' || one === 'signatureUnchecked'))
  assert.equal(await read('bad.example', 5), 'signatureUnchecked')
  assert.equal(await read('usual.example', 5), 'read')
  for (const index of [1, 2, 3, 4, 5]) await read(`203.0.113.${index}:8080`, 1000)
  assert.equal(await read('usual.example', 5), 'signatureUnchecked', 'all together have a budget, too')
  for (let left = 20; left > 0; left -= 1) assert.equal(await read('relay.bad.example', 500, true), 'read')
  assert.equal(await read('relay.bad.example', 5, true), 'signatureUnchecked')
  assert.equal(await read('relay.example', 5, true), 'read', 'relays have a share of their own')
  nowMs += 60_000
  for (const host of ['usual.example', 'bad.example']) assert.equal(await read(host, 5), 'read', 'a new period')

  const started: number[] = []
  const released = Promise.withResolvers<void>()
  const all = Array.from({ length: 200 }, (_, index) =>
    run({ host: 'busy.example', isRelay: false }, () => released.promise.then(() => started.push(index))),
  )
  const outcomes = Promise.allSettled(all)
  released.resolve()
  assert.equal((await outcomes).filter(({ status }) => status === 'fulfilled').length, 101, 'a hundred wait')
})
