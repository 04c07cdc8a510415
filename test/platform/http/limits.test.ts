import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import {
  type Caller,
  type Count,
  createLimits,
  type Limits,
  type LimitStore,
  rateLimitHeaders,
  THROTTLES,
  throttledError,
  tightest,
  type RateLimitState,
} from '../../../src/platform/http/limits/index.ts'
import { fakeTimers } from '../../support/fake_timers.ts'

const START = Date.UTC(2026, 2, 15, 12, 2, 30)

/** A store in memory, which takes the place of the database. */
function memoryStore() {
  const totals = new Map<string, number>()
  const batches: (readonly Count[])[] = []
  const down = { error: undefined as Error | undefined }
  const add = ({ name, key, windowStart, amount }: Omit<Count, 'windowSeconds'>): number => {
    if (down.error) throw down.error
    const id = `${name} ${key} ${windowStart}`
    const total = (totals.get(id) ?? 0) + amount
    totals.set(id, total)
    return total
  }
  const store: LimitStore = {
    add: async (name, key, windowStart, _seconds, amount) => add({ name, key, windowStart, amount }),
    addAll: async counts => {
      batches.push(counts)
      return counts.map(add)
    },
  }
  return { store, totals, batches, down }
}

function opened(t: Test, memory = memoryStore(), maxKeys?: number) {
  const clock = { ms: START }
  const errors: unknown[] = []
  const limits = createLimits({
    now: () => clock.ms,
    store: memory.store,
    onError: error => errors.push(error),
    ...(maxKeys !== undefined && { maxKeys }),
  })
  t.after(() => limits.close())
  return { ...memory, limits, clock, errors }
}

const caller = (facts: Partial<Caller> = {}): Caller => ({
  method: 'GET',
  path: '/api/v1/timelines/home',
  hasPaging: false,
  address: '203.0.113.9',
  userId: undefined,
  tokenId: undefined,
  ...facts,
})

/** Resolves when all pending promise callbacks have run. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

async function repeat(limits: Limits, times: number, facts: Partial<Caller> = {}): Promise<RateLimitState | undefined> {
  let verdict: RateLimitState | undefined
  for (let time = 0; time < times; time++) verdict = await limits.check(caller(facts))
  return verdict
}

test('an anonymous client has 300 calls in five minutes, aligned to the clock', async t => {
  const { limits, clock } = opened(t)
  const resetAt = Date.UTC(2026, 2, 15, 12, 5)
  assert.deepEqual(await repeat(limits, 1), { limit: 300, remaining: 299, resetAt, throttled: false })
  assert.deepEqual(await repeat(limits, 299), { limit: 300, remaining: 0, resetAt, throttled: false })
  assert.deepEqual(await repeat(limits, 1), { limit: 300, remaining: 0, resetAt, throttled: true })
  assert.equal((await repeat(limits, 1, { address: '203.0.113.10' }))?.remaining, 299)
  clock.ms = resetAt - 1
  assert.equal((await repeat(limits, 1))?.throttled, true)
  clock.ms = resetAt
  assert.deepEqual(await repeat(limits, 1), {
    limit: 300,
    remaining: 299,
    resetAt: resetAt + 300_000,
    throttled: false,
  })
})

test('nobody stays locked out when the clock is set back', async t => {
  const { limits, clock } = opened(t)
  const apps = { method: 'POST', path: '/api/v1/apps' }
  assert.equal((await repeat(limits, 301))?.throttled, true)
  assert.equal((await repeat(limits, 6, apps))?.throttled, true)
  clock.ms = START - 3 * 3_600_000
  const resetAt = Date.UTC(2026, 2, 15, 9, 5)
  assert.deepEqual(await repeat(limits, 1), { limit: 300, remaining: 299, resetAt, throttled: false })
  assert.equal((await repeat(limits, 1, apps))?.throttled, false)
})

test('the reported state is that of the limit with the fewest remaining requests', async t => {
  const { limits } = opened(t)
  const user = { userId: '1', tokenId: '7' }
  assert.deepEqual((await repeat(limits, 10, user))?.remaining, 290)
  assert.deepEqual(await repeat(limits, 1, { ...user, tokenId: '8' }), {
    limit: 300,
    remaining: 299,
    resetAt: Date.UTC(2026, 2, 15, 12, 5),
    throttled: false,
  })
  const paging = await repeat(limits, 2, { ...user, tokenId: '8', hasPaging: true })
  assert.deepEqual([paging?.limit, paging?.remaining], [300, 297])
  for (const tokenId of ['9', '10', '11', '12']) await repeat(limits, 300, { userId: '1', tokenId })
  assert.deepEqual((await repeat(limits, 187, { userId: '1', tokenId: '13' }))?.remaining, 100)
  assert.equal((await repeat(limits, 101, { userId: '1', tokenId: '13' }))?.throttled, true)
  assert.deepEqual((await repeat(limits, 1, { userId: '2', tokenId: '14' }))?.throttled, false)
})

test('a batch has each key once, also when there are more keys than fit into memory', async t => {
  const { limits, totals, batches, down } = opened(t, memoryStore(), 1)
  const [first, second] = [{ address: '203.0.113.20' }, { address: '203.0.113.21' }]
  for (const address of [first, second, first]) await repeat(limits, 1, address)
  down.error = new Error('away')
  await limits.flush()
  for (const address of [second, first]) await repeat(limits, 1, address)
  down.error = undefined
  await limits.flush()
  for (const batch of batches) assert.equal(new Set(batch.map(({ name, key }) => `${name} ${key}`)).size, batch.length)
  assert.deepEqual(new Set(totals.values()), new Set([2, 3]))
})

test('where no limit applies there is no state, and nothing is stored', async t => {
  const { limits, totals } = opened(t)
  assert.equal(limits.check(caller({ path: '/@alice' })), undefined)
  await limits.flush()
  assert.equal(totals.size, 0)
  assert.equal((await repeat(limits, 1, { path: '/@alice', hasPaging: true }))?.limit, 300)
})

test('an application token counts as anonymous, and separately', async t => {
  const { limits, totals } = opened(t)
  await repeat(limits, 2, { tokenId: '7' })
  await limits.flush()
  const counted = [...totals].map(([id, total]) => [id.split(' ').slice(0, 2).join(' '), total])
  assert.deepEqual(counted, [
    ['api/token 7', 2],
    ['api/anonymous 203.0.113.9', 2],
  ])
})

test('each listed request is counted under its own limit', async t => {
  const user = { userId: '1', email: ' Alice@Example.org ' }
  const requests: [string, Partial<Caller>, number, string][] = [
    ['POST /api/v2/media', user, 30, 'upload'],
    ['POST /api/v1/media/', user, 30, 'upload'],
    ['GET /media_proxy/12/original', {}, 30, 'media_proxy'],
    ['POST /api/v1/accounts', {}, 5, 'sign_up'],
    ['DELETE /api/v1/statuses/12', user, 30, 'take_back'],
    ['POST /api/v1/statuses/12/unreblog', user, 30, 'take_back'],
    ['POST /api/v1/apps', {}, 5, 'apps'],
    ['POST /auth', {}, 25, 'web_sign_up'],
    ['POST /auth/password', {}, 25, 'reset'],
    ['POST /auth/password', user, 5, 'reset/email alice@example.org'],
    ['POST /auth/confirmation', {}, 25, 'confirm'],
    ['PUT /auth/setup', {}, 25, 'confirm'],
    ['POST /auth/confirmation', user, 5, 'confirm/email alice@example.org'],
    ['POST /api/v1/emails/confirmations', {}, 25, 'confirm'],
    ['POST /api/v1/emails/confirmations', user, 5, 'confirm/user 1'],
    ['PATCH /auth/setup', user, 5, 'setup/email'],
    ['PUT /auth/setup', user, 5, 'setup/user 1'],
    ['POST /auth/sign_in', {}, 25, 'sign_in'],
    ['POST /auth/sign_in', user, 25, 'sign_in/email'],
    ['POST /email_subscriptions', {}, 25, 'subscribe'],
    ['POST /api/v1/accounts/12/email_subscriptions', {}, 25, 'subscribe'],
    ['POST /email_subscriptions', { subscriber: 'A@b.example' }, 5, 'subscribe/email a@b.example'],
    ['POST /api/v1/accounts/12/email_subscriptions', { subscriber: 'a@b.example' }, 5, 'subscribe/email a@b.example'],
    ['PUT /auth', user, 10, 'password'],
  ]
  for (const [request, facts, limit, key] of requests) {
    const { limits, totals } = opened(t)
    const [method = '', path = ''] = request.split(' ')
    assert.equal((await repeat(limits, 1, { ...facts, method, path }))?.limit, limit, request)
    assert.ok(
      [...totals.keys()].some(id => id.startsWith(key)),
      `${request}: ${[...totals.keys()].join(', ')}`,
    )
    assert.equal((await repeat(limits, limit - 1, { ...facts, method, path }))?.throttled, false, request)
    const refused = await repeat(limits, 1, { ...facts, method, path })
    assert.deepEqual([refused?.throttled, refused?.remaining, refused?.limit], [true, 0, limit], request)
  }
  const names = requests.map(([, , , key]) => key.split(' ')[0])
  const listed = THROTTLES.filter(({ on }) => typeof on !== 'string').map(({ name }) => name)
  assert.deepEqual(
    listed.filter(name => !names.includes(name)),
    [],
  )
})

test('requests like those listed are not counted with them', async t => {
  const { limits } = opened(t)
  const others = [
    'GET /api/v1/statuses/12',
    'DELETE /api/v1/statuses/12/x',
    'POST /api/v1/accounts/1/follow',
    'GET /api/v1/apps',
  ]
  for (const other of others) {
    const [method = '', path = ''] = other.split(' ')
    assert.equal((await repeat(limits, 1, { method, path, userId: '1' }))?.limit, 1500, other)
  }
})

test('low limits hold exactly over several processes', async t => {
  const memory = memoryStore()
  const [first, second] = [opened(t, memory), opened(t, memory)]
  const facts = { method: 'POST', path: '/api/v1/apps' }
  await repeat(first.limits, 3, facts)
  assert.equal((await repeat(second.limits, 2, facts))?.remaining, 0)
  assert.equal((await repeat(first.limits, 1, facts))?.throttled, true)
  assert.equal((await repeat(second.limits, 50, facts))?.throttled, true)
  assert.ok(
    [...memory.totals.values()].every(total => total <= 7),
    'a flood does not reach the store',
  )
})

test('high limits are shared by batches', async t => {
  fakeTimers(t).enable({ apis: ['setTimeout'] })
  const memory = memoryStore()
  const [first, second] = [opened(t, memory), opened(t, memory)]
  await repeat(first.limits, 200)
  assert.equal((await repeat(second.limits, 150))?.throttled, false)
  assert.equal(memory.batches.length, 0)
  fakeTimers(t).tick(999)
  await settled()
  assert.equal(memory.batches.length, 0)
  fakeTimers(t).tick(1)
  await settled()
  assert.equal(memory.batches.length, 2)
  assert.deepEqual(
    memory.batches.map(batch => batch.map(({ amount }) => amount)),
    [[200], [150]],
  )
  assert.equal((await repeat(second.limits, 1))?.throttled, true)
  assert.equal((await repeat(first.limits, 100))?.throttled, false)
  assert.equal((await repeat(first.limits, 1))?.throttled, true)
  fakeTimers(t).tick(1000)
  await settled()
  fakeTimers(t).tick(10_000)
  await settled()
  assert.equal(memory.batches.length, 3, 'without traffic nothing is sent')
})

test('requests counted while the store answers are not lost', async t => {
  const { limits, totals, batches } = opened(t)
  await repeat(limits, 10)
  const flushed = limits.flush()
  await repeat(limits, 5)
  await flushed
  await limits.flush()
  assert.deepEqual([...totals.values()], [15])
  assert.equal(batches.length <= 2, true)
  assert.equal((await repeat(limits, 1))?.remaining, 284)
})

test('an unavailable store loses no background counts, and fails an exact count', async t => {
  const { limits, totals, down, errors } = opened(t)
  down.error = new Error('away')
  await repeat(limits, 10)
  await limits.flush()
  await limits.flush()
  assert.deepEqual(errors, [down.error, down.error])
  await assert.rejects(async () => limits.check(caller({ method: 'POST', path: '/api/v1/apps' })), /away/)
  down.error = undefined
  await limits.flush()
  assert.deepEqual([...totals.values()], [11])
})

test('memory is limited, and removed keys are read from the store again', async t => {
  const { limits, totals } = opened(t, memoryStore(), 2)
  for (const address of ['a', 'b', 'c']) await repeat(limits, 10, { address })
  await limits.flush()
  assert.deepEqual([...totals.values()], [10, 10, 10])
  assert.equal((await repeat(limits, 1, { address: 'a' }))?.remaining, 299)
  await limits.flush()
  assert.equal((await repeat(limits, 1, { address: 'a' }))?.remaining, 288)
})

test('the remaining counts are stored when the limits close', async t => {
  const { limits, totals } = opened(t)
  await repeat(limits, 3)
  await limits.close()
  assert.deepEqual([...totals.values()], [3])
})

test('budgets are checked before and spent after', async t => {
  const { limits, clock } = opened(t)
  const resetAt = Date.UTC(2026, 2, 15, 15)
  assert.deepEqual(await limits.checkBudget('statuses', '1'), { limit: 300, remaining: 300, resetAt, throttled: false })
  assert.deepEqual(await limits.spendBudget('statuses', '1'), { limit: 300, remaining: 299, resetAt, throttled: false })
  assert.deepEqual(await limits.spendBudget('statuses', '1', 299), {
    limit: 300,
    remaining: 0,
    resetAt,
    throttled: false,
  })
  assert.equal((await limits.checkBudget('statuses', '1')).throttled, true)
  assert.equal((await limits.checkBudget('statuses', '2')).throttled, false)
  clock.ms = resetAt
  assert.equal((await limits.checkBudget('statuses', '1')).remaining, 300)
  await limits.spendBudget('reports', '1', 400)
  assert.deepEqual(
    [(await limits.checkBudget('reports', '1')).throttled, (await limits.checkBudget('reports', '1')).remaining],
    [false, 0],
  )
  await limits.spendBudget('follows', '1', 400)
  assert.equal((await limits.checkBudget('follows', '1')).throttled, true)
})

test('headers report the tightest limit', async () => {
  const verdict = { limit: 300, remaining: 12, resetAt: Date.UTC(2026, 2, 15, 12, 5), throttled: false }
  assert.deepEqual(rateLimitHeaders(verdict), {
    'X-RateLimit-Limit': '300',
    'X-RateLimit-Remaining': '12',
    'X-RateLimit-Reset': '2026-03-15T12:05:00.000000Z',
  })
  assert.equal(tightest(verdict, { ...verdict, limit: 400 }), verdict)
  assert.equal(tightest(verdict, { ...verdict, remaining: 11 })?.remaining, 11)
  assert.equal(tightest(verdict, { ...verdict, remaining: 20, throttled: true })?.throttled, true)
  assert.equal(tightest(undefined, verdict), verdict)
  const failure = throttledError(verdict)
  assert.deepEqual(
    [failure.status, failure.message, failure.headers['X-RateLimit-Remaining']],
    [429, 'Too many requests', '0'],
  )
})
