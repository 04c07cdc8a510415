import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { becomes } from '../platform/settings/pair.ts'
import { localUri, startPeer, type Document, type Peer } from '../support/federation/peer.ts'
import { person, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'

/* Who gets what: every kind of activity about a post, by visibility, at servers that record it. */

const typed =
  (type: string) =>
  (activity: Document): boolean =>
    activity['type'] === type

/** Stores an account of a new server, as after its first activity. */
async function know(t: Test, server: TestServer, name: string): Promise<{ peer: Peer; id: string; handle: string }> {
  const peer = await startPeer(t)
  const actor = peer.actor(name)
  const domain = `${name}.example`
  const [row] = await sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri, inbox_url, shared_inbox_url, followers_url)
       values ($1, $2, $3, $4, $5, $6) returning id
     ), s as (insert into account_stats (account_id) select a.id from a)
     select a.id::text from a`,
    [actor.username, domain, actor.uri, `${actor.uri}/inbox`, `${peer.url}/inbox`, actor.followers],
  )
  return { peer, id: String(row?.['id']), handle: `@${actor.username}@${domain}` }
}

const follow = (server: TestServer, follower: string, { id }: Person): Promise<unknown> =>
  sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [follower, id])

const OPEN = ['follower', 'mentioned'] as const
/** Whom each kind of post reaches. */
const REACHED = { public: OPEN, unlisted: OPEN, private: OPEN, direct: ['mentioned'] } as const

test('each activity about a post reaches its audience, and nobody else', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const others = {
    follower: await know(t, server, 'follower'),
    mentioned: await know(t, server, 'mentioned'),
    // Known here, but neither follows alice nor is named.
    stranger: await know(t, server, 'stranger'),
    // Followed alice, until she blocked them; named all the same.
    blocked: await know(t, server, 'blocked'),
    // Of a server that alice blocks.
    shunned: await know(t, server, 'shunned'),
  }
  for (const name of ['follower', 'blocked', 'shunned'] as const) await follow(server, others[name].id, alice)
  await alice.post(`/api/v1/accounts/${others.blocked.id}/block`)
  await others.blocked.peer.next(typed('Block'))
  await others.blocked.peer.next(typed('Reject'))
  await alice.post('/api/v1/domain_blocks', { domain: 'shunned.example' })
  await others.shunned.peer.next(typed('Reject'))

  for (const [visibility, reached] of Object.entries(REACHED)) {
    const arrives = async (type: string, names: readonly (keyof typeof others)[] = reached): Promise<void> => {
      for (const name of names) await others[name].peer.next(typed(type))
      for (const [name, { peer }] of Object.entries(others))
        assert.deepEqual(peer.received, [], `${type} of a ${visibility} post at ${name}`)
    }
    const text = `${others.mentioned.handle} ${others.blocked.handle} ${others.shunned.handle} hello`
    const status = await alice.postStatus(text, { visibility })
    await arrives('Create')
    await alice.put(`/api/v1/statuses/${status.id}`, { status: `${text} again` })
    await arrives('Update')
    if (visibility !== 'direct') {
      await alice.post(`/api/v1/statuses/${status.id}/reblog`)
      await arrives('Announce', ['follower'])
      await alice.post(`/api/v1/statuses/${status.id}/unreblog`)
      await arrives('Undo', ['follower'])
    }
    await alice.post(`/api/v1/statuses/${status.id}/favourite`)
    await alice.post(`/api/v1/statuses/${status.id}/bookmark`)
    await alice.delete(`/api/v1/statuses/${status.id}`)
    await arrives('Delete')
  }
})

test('in authorized fetch mode only deletions contain a signature for forwarding', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const { peer, id } = await know(t, server, 'follower')
  await follow(server, id, alice)
  const status = await alice.postStatus('open')
  assert.equal((await peer.next(typed('Create'))).activity['signature'], undefined)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  const { signature } = (await peer.next(typed('Delete'))).activity as { signature: Document }
  assert.equal(signature['creator'], `${localUri(server, alice.id)}#main-key`)
})

test('in limited federation mode nothing is exchanged with servers that are not allowed', async t => {
  const server = await startServer(t, { settings: { limited_federation_mode: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [allowed, other] = [await know(t, server, 'allowed'), await startPeer(t)]
  const stranger = other.actor('stranger')
  const known = allowed.peer.actor('known')
  await sql(server, 'insert into domain_allows (domain) values ($1)', [allowed.peer.domain])
  await follow(server, allowed.id, alice)
  const activity = (actor: typeof stranger): Document => actor.activity('Follow', localUri(server, alice.id))
  assert.equal(await stranger.send(server, activity(stranger)), 403)
  assert.equal(await known.send(server, activity(known)), 202)
  await allowed.peer.next(typed('Accept'))
  const find = async (q: string): Promise<unknown> =>
    ((await alice.get('/api/v2/search', { q, resolve: 'true', type: 'accounts' })).json as Document)['accounts']
  assert.deepEqual(await find(`@${stranger.acct}`), [])
  assert.deepEqual(await find(stranger.uri), [])
  assert.deepEqual(await sql(server, 'select from accounts where uri = $1', [stranger.uri]), [], 'nothing was fetched')
  const follower = await know(t, server, 'unlisted')
  await follow(server, follower.id, alice)
  await alice.postStatus('for those who are allowed')
  await allowed.peer.next(typed('Create'))
  assert.deepEqual([other.received, follower.peer.received], [[], []])
})

test('a delivery whose draft-cavage signature is refused is repeated at once with RFC 9421', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const { peer, id } = await know(t, server, 'follower')
  await follow(server, id, alice)
  for (const status of [400, 401]) {
    peer.refuses = status
    await alice.postStatus('hello')
    const [first, second] = [await peer.next(typed('Create')), await peer.next(typed('Create'))]
    assert.equal(first.headers['signature-input'], undefined)
    assert.match(
      String(second.headers['signature-input']),
      /^sig1=\("@method" "@target-uri" "content-digest"\);created=\d+;keyid="[^"]+"/,
    )
    assert.equal(second.body, first.body)
  }
})

test('a delivery that is refused is not retried when the server fails at its repetition with RFC 9421', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const { peer, id } = await know(t, server, 'follower')
  await follow(server, id, alice)
  peer.refuses = 400
  peer.refusesRfc9421 = 500
  await alice.postStatus('hello')
  for (let count = 0; count < 2; count += 1) await peer.next(typed('Create'))
  const waiting = `select from graphile_worker.jobs where task_identifier = 'federation.deliver'`
  await becomes(async () => (await sql(server, waiting)).length, 0, 'nothing is retried')
  assert.deepEqual(await sql(server, 'select from delivery_hosts where host = $1', [peer.domain]), [])
})

test('a deletion reaches every server that may have a copy', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const others = {
    liking: await know(t, server, 'liking'),
    blocked: await know(t, server, 'blocked'),
    stranger: await know(t, server, 'stranger'),
  }
  const status = await alice.postStatus(`${others.blocked.handle} hello`, { visibility: 'private' })
  await others.blocked.peer.next(typed('Create'))
  // A follower at that time, who is none any more.
  await sql(server, 'insert into favourites (account_id, status_id) values ($1, $2)', [others.liking.id, status.id])
  await alice.post(`/api/v1/accounts/${others.blocked.id}/block`)
  await others.blocked.peer.next(typed('Block'))
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'changed' })
  await alice.delete(`/api/v1/statuses/${status.id}`)
  for (const name of ['liking', 'blocked'] as const) await others[name].peer.next(typed('Delete'))
  for (const { peer } of Object.values(others)) assert.deepEqual(peer.received, [])
})

test("a limited author's mention reaches followers only", async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice', { account: { silenced_at: new Date() } })
  t.after(() => alice.close())
  const [follower, other] = [await know(t, server, 'follower'), await know(t, server, 'other')]
  await follow(server, follower.id, alice)
  await alice.postStatus(`${other.handle} only for you`, { visibility: 'direct' })
  await alice.postStatus(`${other.handle} ${follower.handle} for both`, { visibility: 'direct' })
  const { activity } = await follower.peer.next(typed('Create'))
  assert.deepEqual((activity['to'] as unknown[]).length, 1)
  await waitForJobs(t, server, 'federation.send_status')
  await waitForJobs(t, server, 'federation.deliver')
  assert.deepEqual(other.peer.received, [])
})
