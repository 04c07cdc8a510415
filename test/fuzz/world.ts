import { Client } from '../support/client.ts'
import { Browser } from '../support/browser.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { makeToken, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import type { KnownIds } from './known_ids.ts'
import type { Caller } from './requests.ts'

/** Whom requests come from, and what they may refer to. */
export interface FuzzWorld {
  readonly server: TestServer
  readonly callers: Readonly<Record<Caller, Client>>
  readonly sessions: Readonly<Partial<Record<Caller, Session>>>
  readonly ids: KnownIds
}

/** What a browser sends with the requests of somebody who is signed in. */
export interface Session {
  readonly cookie: string
  /** The token of all forms of the session. */
  readonly authenticityToken: string
}

async function openSession(server: TestServer, email: string): Promise<Session> {
  const browser = new Browser(server)
  await browser.signIn(email, PASSWORD)
  const [form] = (await browser.get('/settings/profile')).forms
  const authenticityToken = form?.fields['authenticity_token']
  if (authenticityToken === undefined) throw new Error(`${email} could not sign in`)
  return { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '), authenticityToken }
}

async function must(client: Person, method: string, path: string, body?: unknown): Promise<void> {
  const { status, text } = await client.request(method, path, { body })
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`)
}

/** People who know each other, and one thing of many kinds, all made through the API. */
export async function createFuzzWorld(server: TestServer, ids: KnownIds): Promise<FuzzWorld> {
  const [alice, bob] = [await personWithPassword(server, 'alice'), await personWithPassword(server, 'bob')]
  const owner = await personWithPassword(server, 'owner', { roleId: 3 })
  await alice.follow(bob)
  await bob.follow(alice)
  const poll = { options: ['a', 'b', 'c'], expires_in: 3600, multiple: true }
  const { id } = await alice.postStatus(`@${bob.username} a #quiet morning`, { poll })
  await must(bob, 'POST', `/api/v1/statuses/${id}/favourite`)
  await must(bob, 'POST', `/api/v1/statuses/${id}/reblog`)
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct', in_reply_to_id: id })
  await must(alice, 'POST', '/api/v1/lists', { title: 'choir' })
  await must(alice, 'POST', '/api/v2/filters', {
    title: 'f',
    context: ['home'],
    keywords_attributes: [{ keyword: 'x' }],
  })
  await must(bob, 'POST', '/api/v1/reports', { account_id: alice.id, status_ids: [id] })
  for (const one of [alice, bob, owner]) ids.add('accounts', one.id)
  for (const path of [
    '/api/v1/timelines/home',
    '/api/v1/notifications',
    '/api/v1/lists',
    '/api/v2/filters',
    '/api/v1/conversations',
  ])
    ids.learn(path.slice(path.lastIndexOf('/') + 1).replace('home', 'statuses'), (await alice.get(path)).json)
  const readOnly = new Client(server, await makeToken(server, alice.userId, ['read']))
  return {
    server,
    ids,
    sessions: {
      alice: await openSession(server, alice.email),
      bob: await openSession(server, bob.email),
      owner: await openSession(server, owner.email),
    },
    callers: {
      alice,
      bob,
      owner,
      application: new Client(server, await makeToken(server, null)),
      readOnly,
      anonymous: new Client(server),
      unknown: new Client(server, 'unknown'),
    },
  }
}
