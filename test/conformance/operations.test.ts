import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../src/app/operations.ts'
import { SCOPES } from '../../src/core/scopes.ts'
import { Client } from '../support/client.ts'
import { makeToken, people } from '../support/people.ts'
import { keyOf, contractOperations, type ContractOperation } from './contract.ts'

/** Parts of the API that must be complete. */
const DONE: readonly string[] = [
  'admin_accounts',
  'admin_analytics',
  'admin_canonical_email_blocks',
  'admin_domain_allows',
  'admin_domain_blocks',
  'admin_email_domain_blocks',
  'admin_ip_blocks',
  'admin_reports',
  'admin_tags',
  'admin_trends',
  'announcements',
  'annual_reports',
  'apps',
  'async_refreshes',
  'blocks',
  'bookmarks',
  'collections',
  'conversations',
  'custom_emojis',
  'directory',
  'domain_blocks',
  'donation_campaigns',
  'emails',
  'endorsements',
  'favourites',
  'featured_tags',
  'filters_v1',
  'filters_v2',
  'follow_requests',
  'followed_tags',
  'health',
  'instance',
  'lists',
  'markers',
  'media',
  'mutes',
  'notification_policy',
  'notification_requests',
  'notifications_v1',
  'notifications_v2',
  'oauth',
  'oembed',
  'polls',
  'preferences',
  'profile',
  'push',
  'reports',
  'scheduled_statuses',
  'search',
  'statuses',
  'suggestions',
  'tags',
  'timelines',
  'trends',
  'well_known',
]

/** Streams check the token themselves, with other messages: test/platform/streaming tests them. */
const ours = operations
  .filter(one => one.auth !== 'handler')
  .flatMap(one =>
    [one.path]
      .flat()
      .flatMap(path => [one.method].flat().map(method => ({ ...one, method, path, key: keyOf(method, path) }))),
  )
/** Except the pages that respond 403 to every application. */
const API = /^\/(api|oauth(?!\/applications)|\.well-known)\//
/**
 * Pages of browser sessions, and responses in OAuth's own format: their domains decide on and test
 * the callers.
 */
const OWN_CHECKS = /^\/oauth\/(authorize|authorized_applications|introspect|token)/
const contract = new Map(contractOperations.map(one => [keyOf(one.method, one.path), one]))
const served = new Set(ours.map(one => one.key))

/** PUT and PATCH of an update are both routed; the contract often has one. */
const findPromise = (method: string, path: string): ContractOperation | undefined =>
  contract.get(keyOf(method, path)) ??
  (method === 'PUT' || method === 'PATCH' ? contract.get(keyOf(method === 'PUT' ? 'PATCH' : 'PUT', path)) : undefined)

test('every operation of the API is in the contract', async () => {
  // The contract has the first as another form of host-meta; the second describes the API.
  const named = ({ path }: { path: string }): boolean =>
    path === '/.well-known/host-meta.json' || path === '/api/openapi.json'
  const unknown = ours.filter(one => API.test(one.path) && !named(one) && !findPromise(one.method, one.path))
  assert.deepEqual(
    unknown.map(one => `${one.method} ${one.path}`),
    [],
  )
})

test('every operation requires the callers and scopes of the contract', async () => {
  const faults = ours.flatMap(({ method, path, auth, scopes }) => {
    const one = API.test(path) && !OWN_CHECKS.test(path) ? findPromise(method, path) : undefined
    // The handler responds with its own error; the last test of this file checks it.
    if (!one || (one.auth === 'user' && one.noUser && one.noUser[0] !== 422)) return []
    const wanted = `${one.auth} ${[...one.scopes].sort().join(' ')}`
    const found = `${auth === 'unconfirmed' ? 'user' : auth} ${[...scopes].sort().join(' ')}`
    return found === wanted ? [] : [`${method} ${path}: ${found}; the contract says ${wanted}`]
  })
  assert.deepEqual(faults, [])
})

test('complete parts of the API have every operation of the contract', async t => {
  // Streams are not plain requests: test/platform/streaming and test/clients test them.
  const missing = contractOperations.filter(
    one => !one.removed && one.group !== 'streaming' && !served.has(keyOf(one.method, one.path)),
  )
  for (const group of new Set(missing.map(one => one.group))) {
    const left = missing.filter(one => one.group === group)
    t.comment(`${group}: ${left.length} not there yet`)
    for (const one of left) t.comment(`  ${one.method} ${one.path}`)
  }
  assert.deepEqual(
    missing.filter(one => DONE.includes(one.group)).map(one => `${one.method} ${one.path}`),
    [],
  )
})

test('the errors without a token, a scope or a user are those of the contract', async t => {
  const { server, alice, anonymous } = await people(t, 'alice')
  const scopeless = new Client(server, await makeToken(server, alice.userId, []))
  // All scopes are granted: only the user is missing.
  const application = new Client(server, await makeToken(server, null, SCOPES))
  const outside = [403, 'This action is outside the authorized scopes'] as const
  const faults: string[] = []
  async function expect(
    client: Client,
    who: string,
    one: ContractOperation,
    wanted: readonly [number, string],
  ): Promise<void> {
    const path = one.path.replace(/:\w+/g, '1')
    const { status, json, text } = await client.request(one.method, path)
    const error = typeof json === 'object' && json !== null && 'error' in json ? json.error : text.slice(0, 80)
    if (status !== wanted[0] || error !== wanted[1]) {
      faults.push(`${one.method} ${one.path} ${who}: ${status} ${String(error)}; the contract says ${wanted.join(' ')}`)
    }
  }
  for (const one of contractOperations) {
    if (!served.has(keyOf(one.method, one.path))) continue
    if (one.noToken) await expect(anonymous, 'without a token', one, one.noToken)
    if (one.scopes.length > 0 && one.path.startsWith('/api/')) {
      await expect(scopeless, 'without the scope', one, outside)
    }
    if (one.noUser) await expect(application, 'by an application', one, one.noUser)
  }
  assert.deepEqual(faults, [])
})
