import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { localUri, PUBLIC, startPeer, type PeerActor } from '../../support/federation/peer.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'
import { waitForFederationJobs, hasType } from '../federation_fixtures.ts'
import { findAccountId, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/*
 * Blocks of every kind between a local person, alice, and bob on another server: what of his
 * arrives, and what of hers leaves.
 */

interface Scene {
  readonly server: TestServer
  readonly alice: Person
  readonly bob: PeerActor
}

type Prepare = (scene: Scene) => Promise<unknown>

const rule =
  (severity: string, more: Readonly<Record<string, boolean>> = {}): Prepare =>
  ({ server, bob }) =>
    sql(
      server,
      `insert into domain_blocks (domain, severity, reject_media, reject_reports, obfuscate, public_comment, private_comment)
       values ($1, $2, $3, $4, $5, 'public', 'private')`,
      [bob.peer.domain, severity, more['media'] === true, more['reports'] === true, more['obfuscate'] === true],
    )

/** Bob is known before somebody blocks him, or is blocked by him. */
const known = async ({ server, alice, bob }: Scene): Promise<string> => {
  await waitUntilProcessed(server, alice, bob)
  return findAccountId(server, bob)
}

/** What came of bob's activities and of alice's. */
interface Outcome {
  /** The answers of the inbox. */
  readonly inbox: number
  readonly follow: 'followed' | 'requested' | 'refused' | 'ignored'
  /** Alice is notified of his mention; it may be stored all the same. */
  readonly notified: boolean
  readonly stored: boolean
  readonly direct: boolean
  readonly reply: boolean
  readonly liked: boolean
  readonly boosted: boolean
  readonly reported: boolean
  readonly avatar: boolean
  /** What of alice's reaches his server. */
  readonly sent: string
  /** Whether another account of his server is found. */
  readonly found: boolean
}

const OPEN: Outcome = {
  inbox: 202,
  follow: 'followed',
  notified: true,
  stored: true,
  direct: true,
  reply: true,
  liked: true,
  boosted: true,
  reported: true,
  avatar: true,
  sent: 'Accept Create Follow Like',
  found: true,
}

/** Alice, who does not follow him, is asked whether she wants to read him. */
const SILENT: Outcome = {
  ...OPEN,
  follow: 'requested',
  notified: false,
  direct: false,
  reply: false,
  sent: 'Create Follow Like',
}
const NOTHING: Outcome = {
  inbox: 403,
  follow: 'ignored',
  notified: false,
  stored: false,
  direct: false,
  reply: false,
  liked: false,
  boosted: false,
  reported: false,
  avatar: false,
  sent: '',
  found: false,
}
/** Others may read what he posts; the staff gets his reports. */
const BLOCKED: Outcome = {
  ...NOTHING,
  inbox: 202,
  follow: 'refused',
  stored: true,
  reported: true,
  avatar: true,
  found: true,
}

const TABLE: Readonly<Record<string, { readonly prepare: Prepare; readonly outcome: Outcome }>> = {
  'no block': { prepare: () => Promise.resolve(), outcome: OPEN },
  'a rule that does nothing by itself': { prepare: rule('noop', { obfuscate: true }), outcome: OPEN },
  'a rule against media': { prepare: rule('noop', { media: true }), outcome: { ...OPEN, avatar: false } },
  'a rule against reports': { prepare: rule('noop', { reports: true }), outcome: { ...OPEN, reported: false } },
  'a limited domain': { prepare: rule('silence'), outcome: SILENT },
  'a limited domain without media and reports': {
    prepare: rule('silence', { media: true, reports: true }),
    outcome: { ...SILENT, avatar: false, reported: false },
  },
  'a suspended domain': {
    prepare: rule('suspend'),
    outcome: NOTHING,
  },
  'alice blocks bob': {
    prepare: async scene => scene.alice.post(`/api/v1/accounts/${await known(scene)}/block`),
    outcome: { ...BLOCKED, sent: 'Reject' },
  },
  'alice blocks his domain': {
    prepare: async scene => {
      await known(scene)
      await sql(scene.server, 'insert into account_domain_blocks (account_id, domain) values ($1, $2)', [
        scene.alice.id,
        scene.bob.peer.domain,
      ])
    },
    outcome: { ...BLOCKED, liked: true, boosted: true, sent: 'Like Reject' },
  },
}

/** Bob does all that one may do to somebody else. */
async function act(t: Test, { server, alice, bob }: Scene) {
  const uri = localUri(server, alice.id)
  const status = await alice.postStatus('of alice')
  const own = `${uri}/statuses/${status.id}`
  const [mention, direct, reply] = [
    noteTo(server, alice, bob, 'a mention'),
    noteTo(server, alice, bob, 'in private', { to: [uri], cc: [] }),
    noteTo(server, alice, bob, 'a reply', { inReplyTo: own, tag: [], to: [PUBLIC], cc: [uri] }),
  ]
  const activities = [
    ...[mention, direct, reply].map(note => bob.create(note)),
    bob.activity('Like', own),
    bob.activity('Announce', own, { to: [PUBLIC], cc: [uri] }),
    bob.activity('Flag', [uri, own], { content: 'bad' }),
    bob.activity('Follow', uri),
  ]
  const inbox = new Set<number>()
  for (const activity of activities) inbox.add(await bob.send(server, activity))
  await waitForFederationJobs(t, server)
  return { status, mention, direct, reply, inbox: [...inbox] }
}

const amount = async (server: TestServer, text: string, values: unknown[]): Promise<number> =>
  (await sql(server, text, values)).length

async function followOutcome({ server, alice, bob }: Scene): Promise<Outcome['follow']> {
  const between = `join accounts a on a.id = o.account_id where a.uri = $1 and o.target_account_id = $2`
  if (await amount(server, `select from follows o ${between}`, [bob.uri, alice.id])) return 'followed'
  if (await amount(server, `select from follow_requests o ${between}`, [bob.uri, alice.id])) return 'requested'
  return bob.peer.received.some(({ activity }) => hasType('Reject')(activity)) ? 'refused' : 'ignored'
}

async function observe(t: Test, scene: Scene): Promise<Outcome> {
  const { server, alice, bob } = scene
  const { status, mention, direct, reply, inbox } = await act(t, scene)
  const follow = await followOutcome(scene)
  const isStored = async (uri: string): Promise<boolean> =>
    (await amount(server, 'select from statuses where uri = $1', [uri])) > 0
  const uris = (list: unknown): unknown[] => entities(list).map(one => one['uri'])
  const notified = entities((await alice.get('/api/v1/notifications')).json).filter(one => one['type'] === 'mention')
  const conversations = entities((await alice.get('/api/v1/conversations')).json)
  const context = entity((await alice.get(`/api/v1/statuses/${status.id}/context`)).json)
  const shown = entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)
  const [account] = await sql(server, 'select id::text from accounts where uri = $1', [bob.uri])
  const seen = account && entity((await alice.get(`/api/v1/accounts/${String(account['id'])}`)).json)
  const [note] = await sql(server, 'select id::text from statuses where uri = $1', [mention.id])

  if (account) await alice.post(`/api/v1/accounts/${String(account['id'])}/follow`)
  if (note) {
    await alice.post(`/api/v1/statuses/${String(note['id'])}/favourite`)
    await alice.post('/api/v1/statuses', { status: 'an answer', in_reply_to_id: String(note['id']) })
  }
  await waitForFederationJobs(t, server)
  const other = bob.peer.actor('other')
  const search = await alice.get('/api/v2/search', { q: `@${other.acct}`, resolve: 'true', type: 'accounts' })
  const types = bob.peer.received.map(({ activity }) => String(activity['type']))
  return {
    inbox: inbox.length === 1 ? (inbox[0] ?? 0) : 0,
    follow,
    notified: notified.some(one => entity(one['status'])['uri'] === mention.id),
    stored: await isStored(mention.id),
    direct: conversations.some(one => entity(one['last_status'])['uri'] === direct.id),
    reply: uris(context['descendants']).includes(reply.id),
    liked: shown['favourites_count'] === 1,
    boosted: shown['reblogs_count'] === 1,
    reported: (await amount(server, 'select from reports where target_account_id = $1', [alice.id])) > 0,
    avatar: seen !== undefined && !String(seen['avatar']).endsWith('/missing.png'),
    sent: [...new Set(types)].toSorted().join(' '),
    found: entities(entity(search.json)['accounts']).length > 0,
  }
}

for (const [name, { prepare, outcome }] of Object.entries(TABLE))
  test(`${name}: what arrives and what leaves`, async t => {
    const server = await sharedServer()
    const alice = await person(server, 'alice')
    t.after(() => alice.close())
    const peer = await startPeer(t)
    const bob = peer.actor('bob', { icon: { type: 'Image', url: `${peer.url}/avatar.png` } })
    const scene = { server, alice, bob }
    await alice.patch('/api/v2/notifications/policy', { for_private_mentions: 'accept' })
    await prepare(scene)
    await waitForFederationJobs(t, server)
    peer.received.length = 0
    assert.deepEqual(await observe(t, scene), outcome)
  })
