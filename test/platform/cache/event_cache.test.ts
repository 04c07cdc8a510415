import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { createMetrics } from '../../../src/platform/metrics/index.ts'
import { eventCache, type EventDrops } from '../../../src/platform/cache/event_cache.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { SHARES } from '../../../src/platform/cache/shares.ts'
import { weigh } from '../../../src/platform/cache/weigh.ts'
import { loggedEvent } from '../../support/logged_event.ts'
import { startServer } from '../../support/server.ts'
import { person } from '../../support/people.ts'

interface Fragment {
  readonly text: string
}

/** Fragments of 1 kB each, in 16 MB × the share of statuses. */
function makeFragments(
  load: (ids: string[]) => Promise<ReadonlyMap<string, Fragment>> = loadAll,
  drops: EventDrops = {},
) {
  const metrics = createMetrics()
  const config = readConfig({ CACHE_MB: '16' })
  const closings: (() => void | Promise<void>)[] = []
  const invalidations$ = new Subject<LoggedEvent>()
  const fragments = eventCache<Fragment>(
    { config, metrics, events: { invalidations$ }, onClose: close => closings.push(close) },
    { name: 'statuses', load, drops },
  )
  return { metrics, fragments, tell: (event: LoggedEvent) => invalidations$.next(event), close: () => closings[0]?.() }
}

const loadAll = async (ids: string[]): Promise<Map<string, Fragment>> =>
  new Map(ids.map(id => [id, { text: id.padEnd(1000, 'x') }]))

test('the shares of all caches add up to 1', async () => {
  const sum = Object.values(SHARES).reduce((all, one) => all + one, 0)
  assert.ok(Math.abs(sum - 1) < 1e-9, String(sum))
})

test('weigh() estimates the memory of any kind of value', async () => {
  for (const [value, least, most] of [
    ['x'.repeat(1000), 1000, 1100],
    ['水'.repeat(1000), 2000, 2100],
    [Buffer.alloc(5000), 5000, 5200],
    [{ a: Buffer.alloc(5000), b: ['x'.repeat(100), null, 7, true] }, 5100, 5500],
    [new Map([['key', { inside: 'x'.repeat(300) }]]), 300, 500],
    [[/a|b/, new Set(['one'])], 400, 700],
    [undefined, 0, 10],
  ] as const) {
    const bytes = weigh(value)
    assert.ok(bytes >= least && bytes <= most, `${bytes} for ${least} to ${most}`)
  }
})

test('fragments are limited by bytes; the least recently used are evicted first', async () => {
  const { fragments } = makeFragments()
  const limitBytes = 16_000_000 * SHARES.statuses
  for (let id = 1; id <= 10_000; id += 1) {
    await fragments.one(String(id))
    await fragments.one('1')
    assert.ok(fragments.sizeBytes <= limitBytes)
  }
  assert.ok(fragments.sizeBytes > limitBytes * 0.99)
  assert.ok(fragments.size > limitBytes / 1600 && fragments.size < limitBytes / 1000, String(fragments.size))
})

test('ids requested in one turn are loaded together, and a failure rejects every request', async () => {
  const loads: string[][] = []
  const { fragments } = makeFragments(ids => {
    loads.push(ids)
    return ids.includes('bad') ? Promise.reject(new Error('bad')) : loadAll(ids)
  })
  await Promise.all([fragments.one('1'), fragments.get(['2', '3']), fragments.one('1')])
  assert.deepEqual(loads, [['1', '2', '3']])
  const failed = await Promise.allSettled([fragments.one('4'), fragments.one('bad')])
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal((await fragments.one('4'))?.text.trimEnd(), '4'.padEnd(1000, 'x'))
  assert.deepEqual(loads.slice(1), [['4', 'bad'], ['4']])
})

test('metrics show the use of a cache', async () => {
  const { metrics, fragments } = makeFragments()
  await fragments.get(['1', '2'])
  await fragments.get(['1', '3'])
  await fragments.one('1')
  await fragments.one('4')
  const { text } = await metrics.render()
  const shown = (figure: string): number =>
    Number(new RegExp(`^millrace_cache_${figure}\\{cache="statuses"\\} (\\S+)$`, 'm').exec(text)?.[1])
  assert.deepEqual(['entries', 'hits', 'misses', 'limit_bytes', 'bytes'].map(shown), [
    4,
    2,
    4,
    16_000_000 * SHARES.statuses,
    fragments.sizeBytes,
  ])
  assert.ok(Math.abs(shown('hit_rate') - 2 / 6) < 1e-9)
})

test('a fragment that is dropped during its load is not stored', async () => {
  const asked = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let loads = 0
  const { fragments } = makeFragments(async ids => {
    loads += 1
    asked.resolve()
    await goOn.promise
    return loadAll(ids)
  })
  const before = fragments.one('1')
  await asked.promise
  fragments.drop('1')
  goOn.resolve()
  await before
  assert.equal(fragments.size, 0)
  await fragments.one('1')
  await fragments.one('1')
  assert.equal(loads, 2)
})

test('an event drops what its kind says, and no other does', async () => {
  const { fragments, tell, close } = makeFragments(loadAll, {
    'status.counted': event => [event.status_id],
    'preview_card.changed': event => event.data.status_ids ?? 'all',
    'filters.changed': event => [event.account_id],
    'emojis.changed': 'all',
  })
  const left = async (event: LoggedEvent): Promise<boolean[]> => {
    await fragments.get(['1', '2', '3'])
    tell(event)
    return ['1', '2', '3'].map(id => fragments.peek(id) !== undefined)
  }
  assert.deepEqual(await left(loggedEvent('status.counted', { status_id: '2' })), [true, false, true])
  assert.deepEqual(await left(loggedEvent('preview_card.changed', { data: { status_ids: ['1', '3'] } })), [
    false,
    true,
    false,
  ])
  assert.deepEqual(await left(loggedEvent('preview_card.changed', { data: { status_ids: null } })), [
    false,
    false,
    false,
  ])
  assert.deepEqual(await left(loggedEvent('filters.changed')), [true, true, true], 'an event without an account')
  assert.deepEqual(await left(loggedEvent('status.pinned', { status_id: '2' })), [true, true, true])
  assert.deepEqual(await left(loggedEvent('something.new', { status_id: '2' })), [true, true, true])
  assert.deepEqual(await left(loggedEvent('emojis.changed')), [false, false, false])
  assert.deepEqual(await left(loggedEvent('caches.cleared', { data: { change: 'feeds' } })), [true, true, true])
  assert.deepEqual(await left(loggedEvent('caches.cleared', { data: { change: 'all' } })), [false, false, false])
  await close()
  assert.deepEqual(await left(loggedEvent('emojis.changed')), [true, true, true], 'the server has stopped')
})

test('a server shows every cache that it uses', async t => {
  const server = await startServer(t, { env: { CACHE_MB: '40' }, oneProcess: 'so much memory has each' })
  const alice = await person(server, 'alice')
  const { id } = await alice.postStatus('hello')
  await alice.get('/api/v1/timelines/home')
  await fetch(`${server.url}/api/v1/statuses/${id}`)
  await fetch(`${server.url}/api/v1/statuses/${id}`)
  const text = await (await fetch(`${server.url}/metrics`)).text()
  assert.match(
    text,
    new RegExp(`^millrace_cache_limit_bytes\\{cache="answers"\\} ${40_000_000 * SHARES.answers}$`, 'm'),
  )
  assert.match(text, /^millrace_cache_hit_rate\{cache="answers"\} 0\.5$/m)
  for (const cache of ['statuses', 'accounts', 'authors', 'answers', 'feeds', 'relations']) {
    assert.match(text, new RegExp(`^millrace_cache_bytes\\{cache="${cache}"\\} [1-9]`, 'm'), cache)
  }
})
