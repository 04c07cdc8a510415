import { Browser } from '../support/browser.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import type { PeerActor } from '../support/federation/peer.ts'
import { makeToken, person, sql, type Person } from '../support/person.ts'
import type { ServerAddress } from '../support/server.ts'
import { addApplication } from './furnish/applications.ts'
import { addPeople } from './furnish/people.ts'
import { addPosts } from './furnish/posts.ts'
import { addPeer } from './furnish/servers.ts'
import { addSite } from './furnish/site.ts'
import type { KnownIds } from './known_ids.ts'
import type { Outside } from './outside.ts'
import { PIXEL } from './pixel.ts'
import type { Caller } from './requests.ts'

/** The role that cannot be deleted. */
const OWNER = 3

/** Whom requests come from, and what they may refer to. */
export interface FuzzWorld {
  /** None for callers without one. */
  readonly tokens: Readonly<Partial<Record<Caller, string | undefined>>>
  readonly sessions: Readonly<Partial<Record<Caller, Session | undefined>>>
  readonly ids: KnownIds
  readonly serverUrl: string
  /** Somebody on another server. */
  readonly peer: PeerActor
  /** The ids of the people's accounts. */
  readonly accounts: readonly string[]
}

/** What a browser sends with the requests of somebody who is signed in. */
export interface Session {
  readonly cookie: string
  /** The token of all forms of the session. */
  readonly authenticityToken: string
}

/** Undefined for somebody whom another world's owner has disabled in the meantime. */
async function openSession(server: ServerAddress, email: string): Promise<Session | undefined> {
  const browser = new Browser(server)
  await browser.signIn(email, PASSWORD)
  const [form] = (await browser.get('/settings/profile')).forms
  const authenticityToken = form?.fields['authenticity_token']
  if (authenticityToken === undefined) return undefined
  return { cookie: cookieOf(browser), authenticityToken }
}

/** Somebody who has given the password, and whose security key is asked for next. */
async function openPending(server: ServerAddress): Promise<Session> {
  const { email, userId } = await personWithPassword(server, 'pending')
  await sql(
    server,
    `with key as (
       insert into security_keys (user_id, external_id, public_key, sign_count, nickname, transports)
       values ($1::bigint, 'key' || $1::bigint, '\\x00', 0, 'blue', '{}')
     )
     update users set otp_secret = 'JBSWY3DPEHPK3PXP', otp_enabled_at = now() where id = $1::bigint`,
    [userId],
  )
  const browser = new Browser(server)
  await browser.signIn(email, PASSWORD)
  return { cookie: cookieOf(browser), authenticityToken: '' }
}

const cookieOf = ({ cookies }: Browser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Somebody who has signed up with the token's application, and has not confirmed the address. */
async function signUp(server: ServerAddress): Promise<Person> {
  const newcomer = await person(server, 'newcomer', { user: { confirmed_at: null } })
  await sql(
    server,
    `update users set created_by_application_id = t.application_id
     from oauth_tokens t where t.user_id = users.id and users.id = $1`,
    [newcomer.userId],
  )
  return newcomer
}

/** People who know each other, and one thing of many kinds. */
export async function createFuzzWorld(server: ServerAddress, outside: Outside, ids: KnownIds): Promise<FuzzWorld> {
  await addSite({ server, ids })
  const [alice, bob] = [await personWithPassword(server, 'alice'), await personWithPassword(server, 'bob')]
  const owner = await personWithPassword(server, 'owner', { roleId: OWNER })
  // Another world's owner may have deleted the role of moderators.
  const [role] = await sql(server, 'select id from roles where id > 0 and id <> $1 order by id limit 1', [OWNER])
  const moderator = await person(server, 'moderator', role ? { roleId: Number(role['id']) } : {})
  await alice.follow(bob)
  await bob.follow(alice)
  const poll = { options: ['a', 'b', 'c'], expires_in: 3600, multiple: true }
  const { id } = await alice.postStatus(`@${bob.username} a quiet morning`, { poll })
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct', in_reply_to_id: id })
  // Another world's owner may have forbidden the hashtag.
  await alice.post('/api/v1/statuses', { status: 'a #quiet evening' })
  await bob.post(`/api/v1/statuses/${id}/favourite`)
  await bob.post(`/api/v1/statuses/${id}/reblog`)
  await alice.post('/api/v1/lists', { title: 'choir' })
  const file = new FormData()
  file.append('file', new Blob([PIXEL], { type: 'image/png' }), 'a.png')
  await alice.post('/api/v2/media', file)
  await alice.post('/api/v2/filters', { title: 'f', context: ['home'], keywords_attributes: [{ keyword: 'x' }] })
  await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [id] })
  const people = [alice, bob, owner, moderator]
  for (const one of people) {
    ids.add('accounts', one.id)
    ids.add('names', `@${one.username}`)
  }
  for (const path of [
    '/api/v1/timelines/home',
    '/api/v1/notifications',
    '/api/v1/lists',
    '/api/v2/filters',
    '/api/v1/conversations',
  ])
    ids.learn(path.slice(path.lastIndexOf('/') + 1).replace('home', 'statuses'), (await alice.get(path)).json)
  const newcomer = await signUp(server)
  const ground = { server, outside, ids, alice, bob, owner }
  await addPeople(ground)
  await addPosts(ground)
  await addApplication(ground)
  return {
    ids,
    serverUrl: server.url,
    peer: await addPeer(ground),
    accounts: people.map(({ id: account }) => account),
    sessions: {
      alice: await openSession(server, alice.email),
      bob: await openSession(server, bob.email),
      owner: await openSession(server, owner.email),
      pending: await openPending(server),
    },
    tokens: {
      alice: alice.token,
      bob: bob.token,
      owner: owner.token,
      moderator: moderator.token,
      unconfirmed: newcomer.token,
      application: await makeToken(server, null),
      readOnly: await makeToken(server, alice.userId, ['read']),
      unknown: 'unknown',
    },
  }
}

/**
 * Takes the roles from the people of a world: each report is mailed to all staff, of whom there
 * would be more and more.
 */
export async function endFuzzWorld(server: ServerAddress, { accounts }: FuzzWorld): Promise<void> {
  await sql(server, 'update users set role_id = null where account_id = any ($1::bigint[])', [accounts])
}
