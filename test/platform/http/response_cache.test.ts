import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Subject } from 'rxjs'
import { test } from 'tap'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { createResponseCache } from '../../../src/platform/http/response_cache/cache.ts'
import { idsIn } from '../../../src/platform/http/response_cache/tags.ts'
import { operations } from '../../../src/app/operations.ts'
import { countCacheHits } from '../../support/cache_hits.ts'
import { Client } from '../../support/client.ts'
import { people, person, sql, waitForEventLog, type Person } from '../../support/people.ts'
import { requestFromEach } from '../../support/processes.ts'
import { loggedEvent } from '../../support/logged_event.ts'
import { startServer, type ServerAddress } from '../../support/server.ts'

const response = (text: string) => ({ head: Buffer.from(''), body: Buffer.from(text), etag: '', paging: false })

function createTestCache(options: { maxBytes?: number; maxAgeMs?: number } = {}) {
  const local$ = new Subject<LoggedEvent>()
  const settings$ = new Subject<void>()
  const cache = createResponseCache({ local$, settings$, maxBytes: 1_000_000, ...options })
  const keep = (key: string, topics: string[], text = 'x'): void => {
    const making = cache.begin(key)
    making.store(response(text), new Set(topics))
    making.end()
  }
  return { cache, local$, settings$, keep }
}

test('the ids of all entities in a text are found', async () => {
  const text = JSON.stringify([
    { id: '1', account: { id: '22' }, in_reply_to_id: '3' },
    { id: '1', poll: { id: '4' } },
  ])
  assert.deepEqual(idsIn(text), new Set(['1', '22', '4']))
})

test('an event removes the cached responses that show its entities, and no others', async () => {
  const { cache, local$, keep } = createTestCache()
  keep('status', ['7', '1'])
  keep('other', ['8', '2'])
  local$.next(loggedEvent('status.counted', { status_id: '7' }))
  assert.equal(cache.get('status'), undefined)
  assert.ok(cache.get('other'))
  local$.next(
    loggedEvent('status.created', { status_id: '9', data: { in_reply_to_id: '8', reblog_of_id: null, tags: [] } }),
  )
  assert.equal(cache.get('other'), undefined)
  for (const key of ['theirs', 'not theirs']) keep(key, [key === 'theirs' ? '5' : '6'])
  local$.next(loggedEvent('account.changed', { account_id: '5', data: { change: 'counts' } }))
  assert.equal(cache.get('theirs'), undefined)
  assert.ok(cache.get('not theirs'))
  local$.next(loggedEvent('account.changed', { account_id: '7', data: { change: 'created' } }))
  assert.ok(cache.get('not theirs'), 'a new account elsewhere')
  local$.next(loggedEvent('account.changed', { account_id: '5', data: { change: 'suspended' } }))
  assert.equal(cache.get('not theirs'), undefined)
})

test('long names of hashtags count against the memory for responses', async () => {
  const { cache, keep } = createTestCache()
  for (let count = 0; count < 100; count += 1) keep(String(count), [`hashtag:${'a'.repeat(40_000)}${count}`])
  assert.ok(cache.size <= 25, `${cache.size} responses with a megabyte at most`)
})

test('an unknown event removes everything, an event about signed-in people removes nothing', async () => {
  const { cache, local$, settings$, keep } = createTestCache()
  keep('a', ['1'])
  local$.next(loggedEvent('notification.created', { account_id: '1' }))
  assert.ok(cache.get('a'))
  local$.next(loggedEvent('something.new'))
  assert.equal(cache.get('a'), undefined)
  keep('a', ['1'])
  settings$.next()
  assert.equal(cache.get('a'), undefined)
  assert.equal(cache.sizeBytes, 0)
})

test('changes of trends, cards and collections remove only responses that show them', async () => {
  const { cache, local$, keep } = createTestCache()
  const rows: [LoggedEvent, string[], string[]][] = [
    [loggedEvent('trends.changed'), ['trends.changed'], ['7']],
    [loggedEvent('collection.changed', { account_id: '1', object_id: '5' }), ['5'], ['6']],
    [loggedEvent('collection.changed', { account_id: '1', object_id: '5' }), ['1'], ['2']],
    [loggedEvent('preview_card.changed', { object_id: '3', data: { status_ids: ['7'] } }), ['7'], ['8']],
    [
      loggedEvent('preview_card.changed', { object_id: '3', data: { status_ids: [] } }),
      ['preview_card.changed'],
      ['8'],
    ],
  ]
  for (const [told, concerned, other] of rows) {
    keep('concerned', concerned)
    keep('other', other)
    local$.next(told)
    assert.deepEqual([cache.get('concerned'), cache.get('other') !== undefined], [undefined, true], told.kind)
  }
  local$.next(loggedEvent('preview_card.changed', { object_id: '3', data: { status_ids: null } }))
  assert.equal(cache.size, 0, 'a card that very many show')
})

test('a response built while one of its tags is invalidated is not stored', async () => {
  const { cache, local$ } = createTestCache()
  const before = cache.begin('a')
  const unconcerned = cache.begin('b')
  local$.next(loggedEvent('status.counted', { status_id: '7' }))
  before.store(response('old'), new Set(['7']))
  unconcerned.store(response('new'), new Set(['8']))
  assert.equal(cache.get('a'), undefined)
  assert.ok(cache.get('b'))
})

test('the size and age of cached responses are limited', async () => {
  const { cache, keep } = createTestCache({ maxBytes: 100_000 })
  for (let index = 0; index < 100; index += 1) keep(String(index), [], 'x'.repeat(5_000))
  assert.ok(cache.sizeBytes <= 100_000)
  assert.ok(cache.get('99') && !cache.get('0'))
  keep('large', [], 'x'.repeat(50_000))
  assert.equal(cache.get('large'), undefined)
  const aged = createTestCache({ maxAgeMs: 0 })
  aged.keep('a', [])
  assert.equal(aged.cache.get('a'), undefined)
})

test('every operation with public caching is answered from memory', async () => {
  const forgotten = operations
    .filter(({ cache }) => cache === 'public' || cache === 'instance' || cache === 'instanceWhileOpen')
    .filter(operation => operation.cacheTags === undefined)
    .flatMap(({ path }) => path)
  assert.deepEqual(forgotten, [])
})

/**
 * With an unknown token, a public read is answered as for anonymous clients, but not from memory.
 */
const askAnew = (server: ServerAddress, path: string) => new Client(server, 'nobody').get(path)

/** Each response from memory equals a newly built one. */
async function assertFresh(server: ServerAddress, paths: readonly string[], after: string): Promise<void> {
  const anonymous = new Client(server)
  for (const path of paths) {
    const [kept, fresh] = [await anonymous.get(path), await askAnew(server, path)]
    assert.deepEqual([kept.status, kept.json], [fresh.status, fresh.json], `${path} after ${after}`)
  }
}

/** Public reads around two people, a status and its poll. */
function readsAround(alice: Person, bob: Person, status: string, poll: string): string[] {
  const account = (one: Person): string[] =>
    ['', '/statuses', '/statuses?pinned=true', '/statuses?exclude_replies=true', '/followers', '/following'].map(
      tail => `/api/v1/accounts/${one.id}${tail}`,
    )
  return [
    ...account(alice),
    ...account(bob),
    `/api/v1/accounts/lookup?acct=${alice.username}`,
    `/api/v1/accounts/${alice.id}/endorsements`,
    ...['', '/context', '/history', '/favourited_by', '/reblogged_by'].map(tail => `/api/v1/statuses/${status}${tail}`),
    `/api/v1/polls/${poll}`,
    '/api/v1/timelines/public',
    '/api/v1/timelines/public?local=true&limit=2',
    '/api/v1/timelines/tag/mills',
    '/api/v1/tags/mills',
    '/api/v1/directory?local=true',
    '/api/v2/instance',
    '/api/v1/instance/rules',
  ]
}

test('no read is stale after an acknowledged write', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  const bob = await person(server, 'bob', { account: { discoverable: true } })
  const owner = await person(server, 'owner', { roleId: 3 })
  const status = await alice.postStatus('one #mills', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  const poll = (status as unknown as { poll: { id: string } }).poll.id
  let reply = { id: '' }
  let boost = { id: '' }
  const on = (what: string): string => `/api/v1/statuses/${status.id}/${what}`
  const writes: Record<string, () => Promise<unknown>> = {
    post: () => alice.postStatus('two #mills'),
    reply: async () => (reply = await bob.postStatus('a reply', { in_reply_to_id: status.id })),
    'reply to the reply': () => alice.postStatus('a reply to it', { in_reply_to_id: reply.id }),
    favourite: () => bob.post(on('favourite')),
    unfavourite: () => bob.post(on('unfavourite')),
    boost: async () => (boost = (await bob.post(on('reblog'))).json as { id: string }),
    unboost: () => bob.post(on('unreblog')),
    vote: () => bob.post(`/api/v1/polls/${poll}/votes`, { choices: [1] }),
    pin: () => alice.post(on('pin')),
    unpin: () => alice.post(on('unpin')),
    edit: () =>
      alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited', poll: { options: ['a', 'b'], expires_in: 7200 } }),
    'edit the reply': () => bob.put(`/api/v1/statuses/${reply.id}`, { status: 'with a tag #mills' }),
    follow: () => bob.follow(alice),
    endorse: () => bob.post(`/api/v1/accounts/${alice.id}/pin`),
    'endorsed by alice': async () => {
      await alice.follow(bob)
      await alice.post(`/api/v1/accounts/${bob.id}/endorse`)
    },
    unfollow: () => bob.post(`/api/v1/accounts/${alice.id}/unfollow`),
    'display name': () => alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alicia' }),
    'hidden collections': () => alice.patch('/api/v1/accounts/update_credentials', { hide_collections: true }),
    undiscoverable: () => bob.patch('/api/v1/accounts/update_credentials', { discoverable: false }),
    block: () => alice.post(`/api/v1/accounts/${bob.id}/block`),
    'delete the reply': () => bob.delete(`/api/v1/statuses/${reply.id}`),
    delete: () => alice.delete(`/api/v1/statuses/${status.id}`),
  }
  const paths = readsAround(alice, bob, status.id, poll)
  await assertFresh(server, paths, 'nothing')
  for (const [name, write] of Object.entries(writes)) {
    await write()
    await assertFresh(server, paths, name)
  }
  assert.ok(boost.id !== '' && owner.id !== '')
})

test('the second reader gets the same bytes from memory with another request id, or a 304', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('kept')
  // A new account removes all cached responses.
  await waitForEventLog(alice)
  const path = `/api/v1/statuses/${id}`
  const first = await requestFromEach(() => anonymous.get(path))
  const hits = await countCacheHits(server)
  const second = await anonymous.get(path)
  assert.equal(await countCacheHits(server), hits + 1)
  assert.equal(second.text, first.text)
  const known = (headers: Headers): object =>
    Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  assert.deepEqual(known(second.headers), known(first.headers))
  assert.notEqual(second.headers.get('x-request-id'), first.headers.get('x-request-id'))
  assert.equal(second.headers.get('vary'), 'Authorization, Origin, Accept-Encoding')
  assert.match(second.headers.get('cache-control') ?? '', /^max-age=15, public/)
  const etag = second.headers.get('etag') ?? ''
  for (const header of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const answered = await fetch(server.url + path, { headers: { 'if-none-match': header } })
    assert.deepEqual([answered.status, answered.headers.get('etag'), await answered.text()], [304, etag, ''])
  }
  const changed = await fetch(server.url + path, { headers: { 'if-none-match': '"other"' } })
  assert.equal(changed.status, 200)
})

test('each encoding is cached separately, with the same decoded content', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('x '.repeat(240))
  const digests = new Set<string>()
  for (const encoding of ['identity', 'gzip', 'br', 'gzip', 'br', 'identity', 'gzip;q=0.5, br;q=0.1']) {
    const answered = await fetch(`${server.url}/api/v1/statuses/${id}`, { headers: { 'accept-encoding': encoding } })
    const sent = encoding.includes(';') ? 'gzip' : encoding
    assert.equal(answered.headers.get('content-encoding') ?? 'identity', sent)
    digests.add(
      createHash('sha1')
        .update(await answered.text())
        .digest('hex'),
    )
  }
  assert.equal(digests.size, 1)
})

test('personal responses are neither stored nor read from memory', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('mine')
  const path = `/api/v1/statuses/${id}`
  const withToken = `${path}?access_token=${alice.token ?? ''}`
  for (let times = 0; times < 2; times += 1) {
    const own = await fetch(server.url + withToken)
    assert.equal(own.headers.get('cache-control'), 'private, no-store')
    assert.ok('favourited' in ((await own.json()) as object))
    assert.ok(!('favourited' in ((await anonymous.get(path)).json as object)))
    assert.ok('favourited' in ((await alice.get(path)).json as object))
  }
  await anonymous.get('/api/v1/directory?limit=1')
  const hits = await countCacheHits(server)
  for (const missing of ['/api/v1/statuses/1', '/api/v1/accounts/lookup?acct=nobody']) {
    for (let times = 0; times < 2; times += 1) {
      const refused = await anonymous.get(missing)
      assert.deepEqual([refused.status, refused.headers.get('cache-control')], [404, 'private, no-store'])
    }
  }
  assert.equal(await countCacheHits(server), hits)
})

test('another process removes a cached response after the event of the write', async t => {
  const first = await startServer(t)
  const second = await startServer(t, { databaseUrl: first.databaseUrl })
  const alice = await person(first, 'alice')
  const { id } = await alice.postStatus('before')
  const elsewhere = new Client(second)
  const read = async (): Promise<unknown> =>
    ((await elsewhere.get(`/api/v1/statuses/${id}`)).json as { content: string }).content
  assert.equal(await read(), '<p>before</p>')
  await alice.put(`/api/v1/statuses/${id}`, { status: 'after' })
  let shown = await read()
  for (let tries = 0; shown !== '<p>after</p>' && tries < 500; tries += 1) shown = await read()
  assert.equal(shown, '<p>after</p>')
})

test('responses from memory count against the limits and report them', async t => {
  const oneProcess = 'processes tell each other what they counted once a second'
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' }, oneProcess })
  const anonymous = new Client(server)
  const remaining = async (): Promise<number> =>
    Number((await anonymous.get('/api/v1/instance/rules')).headers.get('x-ratelimit-remaining'))
  const counts = [await remaining(), await remaining(), await remaining()]
  const [first = 0] = counts
  // A window may end in between.
  if (first > 2) assert.deepEqual(counts, [first, first - 1, first - 2])
  const statuses: number[] = []
  for (let asked = 0; asked < 620 && !statuses.includes(429); asked += 1) {
    statuses.push((await anonymous.get('/api/v1/instance/rules')).status)
  }
  assert.ok(statuses.includes(429), 'a client that asks too often is refused')
})

test('a closed server answers no anonymous request from memory', async t => {
  const server = await startServer(t)
  const owner = await person(server, 'owner', { roleId: 3 })
  const { id } = await owner.postStatus('hello')
  const anonymous = new Client(server)
  const paths = [`/api/v1/statuses/${id}`, '/api/v1/custom_emojis', '/api/v1/timelines/public']
  for (const path of paths) assert.equal((await anonymous.get(path)).status, 200)
  await sql(
    server,
    `with made as (insert into settings (key, value) values ('disallow_unauthenticated_api_access', 'true') returning key)
     insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', made.key) from made`,
  )
  let refused = await anonymous.get(paths[0] ?? '')
  for (let tries = 0; refused.status !== 401 && tries < 500; tries += 1) refused = await anonymous.get(paths[0] ?? '')
  for (const path of paths) {
    const answered = await anonymous.get(path)
    assert.deepEqual([answered.status, answered.headers.get('cache-control')], [401, 'private, no-store'], path)
  }
  const emojis = await owner.get('/api/v1/custom_emojis')
  assert.deepEqual([emojis.status, emojis.headers.get('cache-control')], [200, 'private, no-store'])
})
