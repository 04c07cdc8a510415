import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../../src/app/operations.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, sql } from '../../support/people.ts'
import { requestFromEach } from '../../support/processes.ts'
import type { ServerAddress } from '../../support/server.ts'
import { becomes, openPair } from './pair.ts'

/* Reads without signing in, at both of two processes. */

const REFUSED = [401, '{"error":"This method requires an authenticated user"}', 'private, no-store']
const shown = ({ status, text, headers }: ClientResponse): unknown[] => [status, text, headers.get('cache-control')]

/**
 * Calls that never need a user. Streams check the caller themselves, and the link of a push
 * subscription contains a secret.
 */
const ALWAYS_OPEN =
  /^(GET \/api\/v[12]\/instance|GET \/api\/oembed|GET \/api\/openapi\.json|POST \/api\/v1\/(apps|accounts)|GET \/api\/v1\/streaming.*|DELETE \/api\/web\/push_subscriptions\/1)$/
const OPEN_UNLESS_LIMITED = /^GET \/api\/v1\/(instance\/.*|peers\/search)$/

const OPEN_PATHS = [
  '/health',
  '/api/v1/streaming/health',
  '/nodeinfo/2.0',
  '/.well-known/oauth-authorization-server',
  '/api/v1/instance',
]

interface Call {
  readonly method: string
  readonly path: string
  readonly name: string
}

const calls: readonly Call[] = operations.flatMap(({ method, path }) =>
  [method].flat().flatMap(verb =>
    [path]
      .flat()
      .filter(one => one.startsWith('/api/'))
      .map(one => one.replaceAll(/:\w+/g, '1'))
      .map(one => ({ method: verb, path: one, name: `${verb} ${one}` })),
  ),
)

/** The calls that a client may not make without a user. */
async function refusedTo(client: Client, among: readonly Call[]): Promise<string[]> {
  const answers = await Promise.all(
    among.map(async call => ({ call, seen: shown(await client.request(call.method, call.path)) })),
  )
  return answers.filter(({ seen }) => seen.join() === REFUSED.join()).map(({ call }) => call.name)
}

const clientsWithoutUser = (server: ServerAddress, app: string): Client[] => [
  new Client(server),
  new Client(server, app),
]

test('without unauthenticated access every call needs a user, except those for new users', async t => {
  const { servers, ctl } = await openPair(t)
  const app = await makeToken(servers[0], null)
  const wanted = calls.filter(({ name }) => !ALWAYS_OPEN.test(name) && !OPEN_UNLESS_LIMITED.test(name))
  const open = calls.filter(call => !wanted.includes(call) && !call.path.includes('streaming'))
  assert.ok(wanted.length > 200 && open.length > 10)
  await ctl('settings', 'set', 'disallow_unauthenticated_api_access', 'on')
  for (const server of servers) {
    await becomes(async () => shown(await new Client(server).get('/api/v1/custom_emojis')), REFUSED, 'custom emojis')
    for (const client of clientsWithoutUser(server, app)) {
      assert.deepEqual(
        await refusedTo(client, wanted),
        wanted.map(({ name }) => name),
      )
      assert.deepEqual(await refusedTo(client, open), [])
    }
    for (const path of ['v2/instance', 'v1/instance/rules', 'v1/instance/extended_description'])
      assert.match(String((await new Client(server).get(`/api/${path}`)).headers.get('cache-control')), /public/, path)
    for (const path of OPEN_PATHS) assert.equal((await new Client(server).get(path)).status, 200, path)
  }
})

test('in limited federation mode only the instance documents are public, and nothing is publicly cacheable', async t => {
  const { servers, ctl, person } = await openPair(t)
  const alice = await person('alice')
  const pending = await person('pending', { user: { approved: false } })
  const wanted = calls.filter(({ name }) => !ALWAYS_OPEN.test(name))
  await ctl('settings', 'set', 'limited_federation_mode', 'on')
  for (const server of servers) {
    const anonymous = new Client(server)
    await becomes(async () => shown(await anonymous.get('/api/v1/instance/rules')), REFUSED, 'rules')
    assert.deepEqual(
      await refusedTo(anonymous, wanted),
      wanted.map(({ name }) => name),
    )
    const { json, headers } = await anonymous.get('/api/v2/instance')
    const document = json as { configuration: { limited_federation: boolean }; usage: { users: object } }
    assert.deepEqual(
      [headers.get('cache-control'), document.configuration.limited_federation, document.usage.users],
      ['private, no-store', true, { active_month: 0 }],
    )
    assert.equal((await anonymous.get('/api/v1/instance')).status, 200)
    for (const path of OPEN_PATHS) assert.equal((await anonymous.get(path)).status, 200, path)
    const [member, newcomer] = [new Client(server, alice.token), new Client(server, pending.token)]
    const paths = ['instance/rules', 'instance/peers', 'instance/activity', 'peers/search?q=a', 'custom_emojis']
    const seen = await Promise.all(paths.map(async path => shown(await member.get(`/api/v1/${path}`))))
    assert.deepEqual(
      seen.map(([status, , cache]) => [status, cache]),
      [200, 404, 404, 404, 200].map(status => [status, 'private, no-store']),
    )
    assert.deepEqual(shown(await newcomer.get('/api/v1/instance/rules')).slice(0, 2), [
      403,
      '{"error":"Your login is currently pending approval"}',
    ])
    for (const accept of ['application/activity+json', 'application/ld+json; profile="x"']) {
      const unsigned = await anonymous.get('/users/alice', {}, { accept })
      assert.deepEqual([unsigned.status, unsigned.json], [401, { error: 'Request not signed' }])
      assert.match(unsigned.headers.get('vary') ?? '', /Signature/)
    }
    assert.notEqual((await anonymous.get('/nodeinfo/2.0', {}, { accept: 'application/ld+json' })).status, 401)
  }
})

test('without public previews the timelines are for users, and everything else is public', async t => {
  const { servers, ctl, person } = await openPair(t)
  const alice = await person('alice')
  const unconfirmed = await person('unconfirmed', { user: { confirmed_at: null } })
  const app = await makeToken(servers[0], null)
  const { id } = await alice.postStatus('#mills https://link.example/')
  const timelines = ['public', 'public?local=true', 'public?remote=true', 'tag/mills', 'tag/mills?remote=true'].map(
    path => `/api/v1/timelines/${path}`,
  )
  const open = ['', '/context', '/history', '/reblogged_by', '/favourited_by'].map(tail => `statuses/${id}${tail}`)
  const others = ['', '/statuses', '/followers', '/following', '/featured_tags'].map(
    tail => `accounts/${alice.id}${tail}`,
  )
  const rest = [
    'trends/tags',
    'trends/statuses',
    'trends/links',
    'directory',
    'custom_emojis',
    'tags/mills',
    'instance',
  ]
  await ctl('settings', 'set', 'timeline_preview', 'off')
  for (const server of servers) {
    const [anonymous, member] = [new Client(server), new Client(server, alice.token)]
    const outcomes = async (client: Client, paths: readonly string[]): Promise<unknown[]> => [
      ...new Set((await Promise.all(paths.map(path => client.get(path)))).map(({ status }) => status)),
    ]
    await becomes(() => outcomes(anonymous, timelines), [422], 'timelines')
    const refused = await anonymous.get('/api/v1/timelines/tag/mills')
    assert.deepEqual(refused.json, { error: 'This method requires an authenticated user' })
    assert.deepEqual(await outcomes(new Client(server, app), timelines), [422])
    // Those who cannot use the server count as anonymous.
    assert.deepEqual(await outcomes(new Client(server, unconfirmed.token), timelines), [422])
    assert.deepEqual(await outcomes(member, timelines), [200])
    const left = [...open, ...others, ...rest].map(path => `/api/v1/${path}`)
    assert.deepEqual(await outcomes(anonymous, left), [200])
    assert.equal((await anonymous.get('/api/v2/search', { q: alice.username })).status, 200)
    const { json } = await anonymous.get('/api/v2/instance')
    const access = { local: 'authenticated', remote: 'authenticated' }
    assert.deepEqual((json as { configuration: { timelines_access: unknown } }).configuration.timelines_access, {
      live_feeds: access,
      hashtag_feeds: access,
      trending_link_feeds: access,
    })
  }
})

const countHits = async (server: ServerAddress): Promise<number> =>
  Number(
    /^millrace_cache_hits\{cache="answers"\} (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1],
  )

test('public reads are publicly cacheable, have an ETag and come from the cache', async t => {
  const { servers, ctl, person } = await openPair(t)
  const alice = await person('alice', { account: { discoverable: true } })
  await ctl('settings', 'set', 'trendable_by_default', 'on')
  const status = await alice.postStatus('#mills', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  const { id: poll } = status['poll'] as { id: string }
  await sql(servers[0], 'insert into status_trends (status_id, score) values ($1, 5)', [status.id])
  const reads = [
    ...['', '/context', '/history', '/reblogged_by', '/favourited_by'].map(tail => `statuses/${status.id}${tail}`),
    ...['', '/statuses', '/followers', '/following', '/endorsements'].map(tail => `accounts/${alice.id}${tail}`),
    'trends/tags',
    'trends/statuses',
    'trends/links',
    'timelines/public',
    'timelines/tag/mills',
    'tags/mills',
    `polls/${poll}`,
    'directory',
    `accounts/lookup?acct=${alice.username}`,
  ].map(path => `/api/v1/${path}`)
  const forAll = ['instance', 'instance/rules', 'instance/peers', 'custom_emojis'].map(path => `/api/v1/${path}`)
  for (const server of servers) {
    const anonymous = new Client(server)
    for (const path of [...reads, ...forAll]) {
      const first = await requestFromEach(() => anonymous.get(path))
      const hits = await countHits(server)
      const etag = first.headers.get('etag') ?? ''
      const again = await anonymous.get(path, {}, { 'if-none-match': etag })
      const age = reads.includes(path) ? 15 : 300
      assert.deepEqual(
        [first.status, first.headers.get('cache-control'), again.status, again.text, again.headers.get('etag')],
        [200, `max-age=${age}, public, stale-while-revalidate=30, stale-if-error=86400`, 304, '', etag],
        path,
      )
      assert.equal(await countHits(server), hits + 1, path)
      const own = await new Client(server, alice.token).get(path)
      const expected = reads.includes(path) ? 'private, no-store' : first.headers.get('cache-control')
      assert.equal(own.headers.get('cache-control'), expected, path)
    }
  }
})
