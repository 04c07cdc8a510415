import assert from 'node:assert/strict'
import { test } from 'tap'
import { operations } from '../../src/app/operations.ts'
import { keyOf, contractOperations, type ContractOperation } from './contract.ts'
import { violationsOf } from './entity.ts'
import { TRENDING_URL } from './trends.ts'
import { createWorld, type World } from './world.ts'

interface Sample {
  /** Values of the path's parameters, in order. */
  readonly at?: readonly string[]
  readonly query?: Record<string, string>
  /** An empty list or hash is correct in this world. */
  readonly empty?: true
}

type Samples = Readonly<Record<string, (world: World) => Sample>>

const plain = (): Sample => ({})
const nothing = (): Sample => ({ empty: true })
const atAlice = ({ alice }: World): Sample => ({ at: [alice.id] })
const atBob = ({ bob }: World): Sample => ({ at: [bob.id] })
const atRich = ({ rich }: World): Sample => ({ at: [rich] })
const atCollection = ({ collection }: World): Sample => ({ at: [collection] })
const atList = ({ list }: World): Sample => ({ at: [list] })

/** The parameters of each read. A read that is neither here nor in ELSEWHERE fails the test. */
const SAMPLES: Samples = {
  '/api/v1/accounts': ({ bob }) => ({ query: { 'id[]': bob.id } }),
  '/api/v1/accounts/verify_credentials': plain,
  '/api/v1/accounts/search': ({ bob }) => ({ query: { q: bob.username } }),
  '/api/v1/accounts/lookup': ({ bob }) => ({ query: { acct: bob.username } }),
  '/api/v1/accounts/relationships': ({ bob }) => ({ query: { 'id[]': bob.id } }),
  '/api/v1/accounts/familiar_followers': ({ bob }) => ({ query: { 'id[]': bob.id } }),
  '/api/v1/accounts/:id': atAlice,
  '/api/v1/accounts/:id/statuses': atBob,
  '/api/v1/accounts/:id/followers': atBob,
  '/api/v1/accounts/:id/following': atBob,
  '/api/v1/accounts/:id/lists': atBob,
  '/api/v1/accounts/:id/identity_proofs': ({ bob }) => ({ at: [bob.id], empty: true }),
  '/api/v1/accounts/:id/featured_tags': ({ bob }) => ({ at: [bob.id], empty: true }),
  '/api/v1/accounts/:id/endorsements': atAlice,
  '/api/v1/blocks': plain,
  '/api/v1/bookmarks': plain,
  '/api/v1/endorsements': plain,
  '/api/v1/favourites': plain,
  '/api/v1/follow_requests': plain,
  '/api/v2/instance': plain,
  '/api/v1/instance': plain,
  '/api/v1/instance/peers': nothing,
  '/api/v1/instance/activity': plain,
  '/api/v1/instance/rules': nothing,
  '/api/v1/instance/extended_description': plain,
  '/api/v1/instance/privacy_policy': plain,
  '/api/v1/instance/languages': plain,
  '/api/v1/instance/translation_languages': nothing,
  '/api/v1/peers/search': () => ({ query: { q: 'ex' }, empty: true }),
  '/api/v1/lists': plain,
  '/api/v1/lists/:id': atList,
  '/api/v1/lists/:id/accounts': atList,
  '/api/v1/markers': () => ({ query: { 'timeline[]': 'home' } }),
  '/api/v1/mutes': plain,
  '/api/v1/notifications': plain,
  '/api/v1/notifications/unread_count': plain,
  '/api/v1/notifications/:id': ({ notification }) => ({ at: [notification] }),
  '/api/v1/notifications/policy': plain,
  '/api/v2/notifications/policy': plain,
  '/api/v1/notifications/requests': plain,
  '/api/v1/notifications/requests/merged': plain,
  '/api/v1/notifications/requests/:id': ({ request }) => ({ at: [request] }),
  '/api/v2/notifications': () => ({ query: { expand_accounts: 'partial_avatars' } }),
  '/api/v2/notifications/unread_count': plain,
  '/api/v2/notifications/:group_key': ({ group }) => ({ at: [group] }),
  '/api/v2/notifications/:group_key/accounts': ({ group }) => ({ at: [group] }),
  '/api/v1/media/:id': ({ media }) => ({ at: [media] }),
  '/api/v1/polls/:id': ({ poll }) => ({ at: [poll] }),
  '/oauth/userinfo': plain,
  '/.well-known/oauth-authorization-server': plain,
  '/api/v1/preferences': plain,
  '/api/v1/profile': plain,
  '/api/v1/statuses': ({ rich }) => ({ query: { 'id[]': rich } }),
  '/api/v1/statuses/:id': atRich,
  '/api/v1/statuses/:id/context': ({ status }) => ({ at: [status] }),
  '/api/v1/statuses/:id/history': atRich,
  '/api/v1/statuses/:id/source': ({ status }) => ({ at: [status] }),
  '/api/v1/statuses/:id/reblogged_by': atRich,
  '/api/v1/statuses/:id/favourited_by': atRich,
  '/api/v1/statuses/:id/quotes': ({ status }) => ({ at: [status] }),
  '/api/v1/timelines/home': plain,
  '/api/v1/timelines/public': plain,
  '/api/v1/timelines/tag/:hashtag': () => ({ at: ['quiet'] }),
  '/api/v1/timelines/list/:list_id': atList,
  '/api/v1/timelines/direct': plain,
  '/.well-known/nodeinfo': plain,
  '/api/v1/emails/check_confirmation': plain,
  '/api/v1/announcements': plain,
  '/api/v1/annual_reports': plain,
  '/api/v1/annual_reports/:year': ({ warned }) => ({ at: [warned.year] }),
  '/api/v1/annual_reports/:year/state': ({ warned }) => ({ at: [warned.year] }),
  '/api/v1_alpha/async_refreshes/:id': ({ warned }) => ({ at: [warned.refresh] }),
  '/api/v1/collections/:id': atCollection,
  '/api/v1_alpha/collections/:id': atCollection,
  '/api/v1/accounts/:account_id/collections': atBob,
  '/api/v1_alpha/accounts/:account_id/collections': atBob,
  '/api/v1/accounts/:account_id/in_collections': atAlice,
  '/api/v1_alpha/accounts/:account_id/in_collections': atAlice,
  '/api/v1/conversations': plain,
  '/api/v1/custom_emojis': plain,
  '/api/v1/directory': plain,
  '/api/v1/domain_blocks': plain,
  '/api/v1/domain_blocks/preview': () => ({ query: { domain: 'example.com' } }),
  '/api/v1/featured_tags': plain,
  '/api/v1/featured_tags/suggestions': plain,
  '/api/v1/filters': plain,
  '/api/v1/filters/:id': ({ reading }) => ({ at: [reading.keyword] }),
  '/api/v2/filters': plain,
  '/api/v2/filters/:id': ({ reading }) => ({ at: [reading.filter] }),
  '/api/v2/filters/:filter_id/keywords': ({ reading }) => ({ at: [reading.filter] }),
  '/api/v2/filters/:filter_id/statuses': ({ reading }) => ({ at: [reading.filter] }),
  '/api/v2/filters/keywords/:id': ({ reading }) => ({ at: [reading.keyword] }),
  '/api/v2/filters/statuses/:id': ({ reading }) => ({ at: [reading.entry] }),
  '/api/v1/followed_tags': plain,
  '/api/v1/push/subscription': plain,
  '/api/v1/push/subscriptions': plain,
  '/api/v1/scheduled_statuses': plain,
  '/api/v1/scheduled_statuses/:id': ({ scheduled }) => ({ at: [scheduled] }),
  '/api/v2/search': () => ({ query: { q: 'quiet' } }),
  '/api/v2/suggestions': plain,
  '/api/v1/suggestions': plain,
  '/api/v1/tags/:name': () => ({ at: ['quiet'] }),
  '/api/v1/trends/tags': plain,
  '/api/v1/trends': plain,
  '/api/v1/trends/statuses': plain,
  '/api/v1/trends/links': plain,
  '/api/v1/timelines/link': () => ({ query: { url: TRENDING_URL } }),
  '/api/v1/admin/accounts': plain,
  '/api/v2/admin/accounts': plain,
  '/api/v1/admin/accounts/:id': atAlice,
  '/api/v1/admin/reports': plain,
  '/api/v1/admin/reports/:id': ({ blocked }) => ({ at: [blocked.report] }),
  '/api/v1/admin/tags': plain,
  '/api/v1/admin/tags/:id': ({ blocked }) => ({ at: [blocked.tag] }),
  '/api/v1/admin/trends/tags': plain,
  '/api/v1/admin/trends/links': plain,
  '/api/v1/admin/trends/statuses': plain,
  '/api/v1/admin/trends/links/publishers': nothing,
  '/api/v1/admin/domain_blocks': plain,
  '/api/v1/admin/domain_blocks/:id': ({ blocked }) => ({ at: [blocked.domain] }),
  '/api/v1/admin/domain_allows': plain,
  '/api/v1/admin/domain_allows/:id': ({ blocked }) => ({ at: [blocked.allow] }),
  '/api/v1/admin/email_domain_blocks': plain,
  '/api/v1/admin/email_domain_blocks/:id': ({ blocked }) => ({ at: [blocked.emailDomain] }),
  '/api/v1/admin/canonical_email_blocks': plain,
  '/api/v1/admin/canonical_email_blocks/:id': ({ blocked }) => ({ at: [blocked.address] }),
  '/api/v1/admin/ip_blocks': plain,
  '/api/v1/admin/ip_blocks/:id': ({ blocked }) => ({ at: [blocked.network] }),
  '/api/oembed': ({ server, alice, status }) => ({
    query: { url: `${server.config.publicUrl}/@${alice.username}/${status}` },
  }),
}

/** Pages, text, and reads that require a state or a token that this world does not have. */
const ELSEWHERE = new Set([
  '/.well-known/change-password',
  '/.well-known/host-meta',
  '/.well-known/proxy',
  '/.well-known/webfinger',
  '/oauth/authorize',
  '/oauth/authorize/native',
  '/oauth/authorized_applications',
  '/oauth/token/info',
  '/api/v1/apps/verify_credentials',
  '/api/v1/streaming/health',
  // Removed from the API: it always fails.
  '/api/v1/statuses/:id/card',
  '/api/v1/donation_campaigns',
  '/api/v1/instance/domain_blocks',
  '/api/v1/instance/terms_of_service',
  '/api/v1/instance/terms_of_service/:date',
])

const served = new Set(
  operations
    .filter(one => one.auth !== 'handler')
    .flatMap(one => [one.path].flat().flatMap(path => [one.method].flat().map(method => keyOf(method, path)))),
)
const reads = contractOperations.filter(one => one.method === 'GET' && served.has(keyOf('GET', one.path)))

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** The violations of the contract in the response to the caller. */
async function callRead(
  world: World,
  read: ContractOperation,
  caller: 'alice' | 'anonymous' | 'owner',
): Promise<string[]> {
  const sample = SAMPLES[read.path]?.(world)
  if (!sample) return []
  const values = [...(sample.at ?? [])]
  const path = read.path.replace(/:\w+/g, name => encodeURIComponent(values.shift() ?? name))
  const { status, json, text } = await world[caller].get(path, sample.query)
  const where = `GET ${read.path} as ${caller}`
  if (status !== read.status) return [`${where}: ${status} ${text.slice(0, 120)}`]
  if (isEmpty(json) && !sample.empty) return [`${where}: nothing came`]
  return violationsOf(json, read.body, where)
}

test('every read has a sample', async () => {
  const without = reads.filter(one => !(one.path in SAMPLES) && !ELSEWHERE.has(one.path))
  assert.deepEqual(
    without.map(one => one.path),
    [],
  )
})

test('every read returns the entity of the contract', async t => {
  const world = await createWorld(t)
  const faults: string[] = []
  for (const read of reads) {
    const isForStaff = read.path.includes('/admin/')
    faults.push(...(await callRead(world, read, isForStaff ? 'owner' : 'alice')))
    const isShared = !isForStaff && (read.auth === 'optional' || read.auth === 'public')
    if (isShared) faults.push(...(await callRead(world, read, 'anonymous')))
  }
  assert.deepEqual(faults, [])
})

test('an application reads the entities of the contract about itself', async t => {
  const { application } = await createWorld(t)
  const { status, json } = await application.get('/api/v1/apps/verify_credentials')
  assert.equal(status, 200)
  assert.deepEqual(violationsOf(json, 'Application'), [])
})

test('the entity check detects missing, unknown and ill-typed members', async () => {
  const list = { id: 1, title: 'x', replies_policy: 'some', extra: true }
  assert.deepEqual(violationsOf(list, 'List', 'list'), [
    'list.extra is not in the contract',
    'list.exclusive is missing',
    'list.id is no string: 1',
    'list.replies_policy is "some", not "followed"',
  ])
  assert.deepEqual(violationsOf(['a', 2], '[string]'), ['$[1] is no string: 2'])
  assert.deepEqual(violationsOf('2026-03-15T12:34:56Z', 'datetime | null').length, 1)
  assert.deepEqual(violationsOf(null, 'datetime | null'), [])
})
