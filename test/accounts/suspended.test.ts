import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { collect } from './collections/collection_fixtures.ts'
import { commandLine } from '../moderation/moderation_fixtures.ts'
import type { ClientResponse, Client } from '../support/client.ts'
import { people, person, sql, waitForEventLog, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

/** Repeats a request until its response is as wanted, at most 200 times; returns the last one. */
async function eventually(
  ask: () => Promise<ClientResponse>,
  wanted: (response: ClientResponse) => boolean,
): Promise<ClientResponse> {
  let response = await ask()
  for (let tries = 0; tries < 200 && !wanted(response); tries += 1) response = await ask()
  return response
}

const ok = async (asked: Promise<ClientResponse>): Promise<{ id: string }> => {
  const response = await asked
  assert.equal(response.status, 200, response.text)
  return response.json as { id: string }
}

/** Alice, who is suspended, the people related to her, and what she created. */
interface World {
  readonly server: TestServer
  readonly anonymous: Client
  readonly alice: Person
  readonly bob: Person
  /** Follows nobody but bob. */
  readonly carol: Person
  readonly ids: Record<'post' | 'answer' | 'poll' | 'own' | 'list' | 'collection' | 'hers' | 'quote' | 'secret', string>
}

/** Relates accounts in every way that a list can show. */
async function entangle(t: Test): Promise<World> {
  const { alice, bob, carol, server, anonymous } = await people(t, 'alice', 'bob', 'carol')
  const tag = `mill${alice.id}`
  await ok(alice.patch('/api/v1/accounts/update_credentials', { discoverable: true, note: 'grain', indexable: true }))
  await ok(bob.patch('/api/v1/accounts/update_credentials', { discoverable: true }))
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
    [carol, bob],
  ] as const)
    await one.follow(other)
  const own = await bob.postStatus('mine')
  const post = await alice.postStatus(`hers #${tag}`)
  await ok(alice.post('/api/v1/featured_tags', { name: tag }))
  const response = await alice.postStatus(`@${bob.username} an answer`, { in_reply_to_id: own.id })
  const secret = await alice.postStatus(`@${bob.username} psst`, { visibility: 'direct' })
  const asked = (await alice.postStatus('?', { poll: { options: ['a', 'b'], expires_in: 3600 } })) as {
    id: string
    poll?: { id: string }
  }
  const quote = await bob.postStatus('look', { quoted_status_id: post.id })
  await alice.postStatus('look at his', { quoted_status_id: own.id })
  for (const act of ['favourite', 'reblog']) {
    await ok(alice.post(`/api/v1/statuses/${own.id}/${act}`))
    await ok(bob.post(`/api/v1/statuses/${post.id}/${act}`))
  }
  await ok(bob.post(`/api/v1/statuses/${post.id}/bookmark`))
  await ok(alice.post(`/api/v1/statuses/${post.id}/pin`))
  await ok(alice.post(`/api/v1/accounts/${bob.id}/endorse`))
  await ok(bob.post(`/api/v1/accounts/${alice.id}/endorse`))
  const list = await ok(bob.post('/api/v1/lists', { title: 'l' }))
  await ok(bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.id] }))
  const { id: collection } = await collect(bob, [alice])
  const { id: hers } = await collect(alice, [bob])
  const ids = { post: post.id, answer: response.id, poll: asked.poll?.id ?? '', own: own.id, list: list.id }
  return { server, anonymous, alice, bob, carol, ids: { ...ids, collection, hers, quote: quote.id, secret: secret.id } }
}

type Row = [who: Client, path: string, query: Record<string, string>, named: string]

/** Lists that contain alice or her statuses, except while she is suspended. */
function listsOf({ anonymous, alice, bob, carol, ids }: World): Row[] {
  const relations: Row[] = [
    [bob, '/api/v1/endorsements', {}, alice.id],
    [anonymous, `/api/v1/accounts/${bob.id}/endorsements`, {}, alice.id],
    [bob, `/api/v1/lists/${ids.list}/accounts`, {}, alice.id],
    [bob, '/api/v1/accounts/relationships', { id: alice.id }, alice.id],
    [bob, '/api/v1/accounts/familiar_followers', { 'id[]': alice.id }, alice.id],
    [carol, '/api/v1/accounts/familiar_followers', { 'id[]': alice.id }, bob.id],
    [bob, '/api/v1/accounts/search', { q: alice.username }, alice.id],
    [bob, '/api/v1/accounts/search', { q: alice.username, following: 'true' }, alice.id],
    [bob, '/api/v2/search', { q: alice.username, type: 'accounts' }, alice.id],
    [bob, '/api/v2/search', { q: `from:${alice.username} hers`, type: 'statuses' }, ids.post],
    [anonymous, '/api/v1/directory', { limit: '80' }, alice.id],
    [carol, '/api/v2/suggestions', {}, alice.id],
    [carol, '/api/v1/suggestions', {}, alice.id],
    [anonymous, `/api/v1/collections/${ids.collection}`, {}, alice.id],
  ]
  const statuses: Row[] = [
    [anonymous, `/api/v1/statuses/${ids.own}/favourited_by`, {}, alice.id],
    [anonymous, `/api/v1/statuses/${ids.own}/reblogged_by`, {}, alice.id],
    [anonymous, `/api/v1/statuses/${ids.own}/context`, {}, ids.answer],
    [anonymous, '/api/v1/timelines/public', {}, ids.post],
    [anonymous, `/api/v1/timelines/tag/mill${alice.id}`, {}, ids.post],
    [bob, '/api/v1/timelines/home', {}, ids.post],
    [bob, `/api/v1/timelines/list/${ids.list}`, {}, ids.post],
    [anonymous, '/api/v1/statuses', { 'id[]': ids.post }, ids.post],
    [bob, '/api/v1/bookmarks', {}, ids.post],
    [bob, '/api/v1/favourites', {}, ids.post],
    [anonymous, `/api/v1/accounts/${bob.id}/statuses`, {}, ids.post],
    [bob, `/api/v1/statuses/${ids.own}/quotes`, {}, alice.id],
    [anonymous, `/api/v1/statuses/${ids.quote}`, {}, ids.post],
    [bob, '/api/v1/conversations', {}, ids.secret],
    [bob, '/api/v1/notifications', {}, alice.id],
    [bob, '/api/v2/notifications', {}, alice.id],
  ]
  return [...relations, ...statuses]
}

/** Lists of alice, which are empty while she is suspended. */
const ownLists = ({ alice, bob, anonymous, ids }: World): Row[] => [
  [anonymous, `/api/v1/accounts/${alice.id}/statuses`, {}, ids.post],
  [anonymous, `/api/v1/accounts/${alice.id}/statuses`, { pinned: 'true' }, ids.post],
  [bob, `/api/v1/accounts/${alice.id}/statuses`, { tagged: `mill${alice.id}` }, ids.post],
  [anonymous, `/api/v1/accounts/${alice.id}/followers`, {}, bob.id],
  [bob, `/api/v1/accounts/${alice.id}/following`, {}, bob.id],
  [anonymous, `/api/v1/accounts/${alice.id}/featured_tags`, {}, `mill${alice.id}`],
  [anonymous, `/api/v1/accounts/${alice.id}/endorsements`, {}, bob.id],
  [bob, `/api/v1/accounts/${alice.id}/lists`, {}, ids.list],
  [anonymous, `/api/v1/accounts/${alice.id}/collections`, {}, ids.hers],
]

/** Items of alice that are not found while she is suspended. */
const itemsOf = ({ bob, anonymous, ids }: World): Row[] => [
  ...['', '/context', '/favourited_by', '/reblogged_by', '/history'].map((below): Row => [
    anonymous,
    `/api/v1/statuses/${ids.post}${below}`,
    {},
    '',
  ]),
  [bob, `/api/v1/statuses/${ids.post}/quotes`, {}, ''],
  [anonymous, `/api/v1/polls/${ids.poll}`, {}, ids.poll],
  [anonymous, `/api/v1/collections/${ids.hers}`, {}, ids.hers],
]

/** Lists and items that still show alice while she is suspended, without her texts. */
const remainingOf = ({ alice, bob, anonymous }: World): Row[] => [
  [anonymous, `/api/v1/accounts/${bob.id}/followers`, {}, alice.id],
  [bob, `/api/v1/accounts/${bob.id}/following`, {}, alice.id],
  [bob, '/api/v1/conversations', {}, alice.id],
  [anonymous, '/api/v1/accounts', { 'id[]': alice.id }, alice.id],
  [anonymous, `/api/v1/accounts/${alice.id}`, {}, alice.id],
  [anonymous, '/api/v1/accounts/lookup', { acct: alice.username }, alice.id],
  [bob, '/api/v1/accounts/relationships', { id: alice.id, with_suspended: 'true' }, alice.id],
]

const nameOf = (who: Client, path: string, query: Record<string, string>): string =>
  `${who.token === undefined ? 'anonymous' : 'signed in'}: ${path} ${JSON.stringify(query)}`

async function assertThere(rows: readonly Row[], when: string): Promise<void> {
  for (const [who, path, query, named] of rows) {
    const isThere = ({ status, text }: ClientResponse): boolean => status === 200 && text.includes(`"${named}`)
    const response = await eventually(() => who.get(path, query), isThere)
    assert.ok(isThere(response), `${when}: ${nameOf(who, path, query)}: ${response.status} ${response.text}`)
  }
}

test('a suspended account is in no list and its own lists are empty, until it is unsuspended', async t => {
  const world = await entangle(t)
  const { alice, bob, server } = world
  const ctl = await commandLine(t, server)
  const every = [...listsOf(world), ...ownLists(world), ...remainingOf(world), ...itemsOf(world)]
  await assertThere(every, 'before')

  await ctl('moderation', 'act', alice.username, 'suspend', '--no-notify')
  await waitForEventLog(bob)
  for (const [who, path, query, named] of listsOf(world)) {
    const response = await who.get(path, query)
    assert.equal(response.status, 200, nameOf(who, path, query))
    assert.ok(!response.text.includes(`"${named}"`), `${nameOf(who, path, query)}: ${response.text}`)
  }
  for (const [who, path, query] of ownLists(world)) {
    const empty = path.endsWith('/collections') ? { collections: [] } : []
    const response = await who.get(path, query)
    assert.deepEqual([response.status, response.json], [200, empty], nameOf(who, path, query))
  }
  for (const [who, path, query] of itemsOf(world)) {
    assert.equal((await who.get(path, query)).status, 404, nameOf(who, path, query))
  }
  await assertThere(remainingOf(world), 'suspended')
  for (const [who, path, query] of remainingOf(world)) {
    const { text } = await who.get(path, query)
    assert.ok(path.endsWith('/relationships') || text.includes('"suspended":true'), nameOf(who, path, query))
    assert.ok(!text.includes('grain'), nameOf(who, path, query))
  }

  await ctl('moderation', 'undo', alice.username, 'unsuspend')
  await waitForEventLog(bob)
  await assertThere(every, 'afterwards')
})

test('an account being deleted is hidden everywhere at once', async t => {
  const world = await entangle(t)
  const { alice, bob, server } = world
  const stream = await alice.stream('user')
  await sql(
    server,
    `with hidden as (update accounts set deletion_requested_at = now() where id = $1 returning id)
     insert into events (kind, account_id, data) select 'account.changed', hidden.id, '{"change": "deletion"}' from hidden`,
    [alice.id],
  )
  await waitForEventLog(bob)
  await stream.closed
  // A conversation is removed with its statuses, in the background.
  const remaining = remainingOf(world).filter(([, path]) => !path.endsWith('/conversations'))
  for (const [who, path, query, named] of [...listsOf(world), ...remaining]) {
    const response = await who.get(path, query)
    assert.ok(!response.text.includes(`"${named}"`), `${nameOf(who, path, query)}: ${response.text}`)
  }
  for (const [who, path, query] of [...ownLists(world), ...itemsOf(world)]) {
    assert.equal((await who.get(path, query)).status, 404, nameOf(who, path, query))
  }
  for (const action of ['follow', 'block', 'mute', 'note', 'endorse', 'unfollow']) {
    assert.equal((await bob.post(`/api/v1/accounts/${alice.id}/${action}`)).status, 404, action)
  }
  const refused = await alice.get('/api/v1/preferences')
  assert.deepEqual([refused.status, refused.json], [403, { error: 'Your login is currently disabled' }])
})

test('a suspended account is in no list of mutes, blocks, follow requests and notification requests', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const locked = await person(server, 'locked', { account: { locked: true } })
  const strict = await person(server, 'strict')
  await ok(strict.patch('/api/v2/notifications/policy', { for_not_following: 'filter' }))
  await ok(bob.post(`/api/v1/accounts/${alice.id}/mute`, { notifications: false }))
  await ok(carol.post(`/api/v1/accounts/${alice.id}/block`))
  await alice.follow(locked)
  await alice.postStatus(`@${strict.username} hello`)
  const rows: Row[] = [
    [bob, '/api/v1/mutes', {}, alice.id],
    [carol, '/api/v1/blocks', {}, alice.id],
    [locked, '/api/v1/follow_requests', {}, alice.id],
    [locked, '/api/v1/notifications', {}, alice.id],
    [strict, '/api/v1/notifications/requests', {}, alice.id],
  ]
  await assertThere(rows, 'before')
  const stream = await alice.stream('user')
  const ctl = await commandLine(t, server)
  await ctl('moderation', 'act', alice.username, 'suspend', '--no-notify')
  await waitForEventLog(bob)
  await stream.closed
  for (const [who, path] of rows) assert.deepEqual((await who.get(path)).json, [], path)
  const own = (await locked.get('/api/v1/accounts/verify_credentials')).json as {
    source: { follow_requests_count: number }
  }
  assert.equal(own.source.follow_requests_count, 0)
  for (const [action, status] of [
    ['follow', 404],
    ['block', 200],
    ['unblock', 200],
    ['mute', 200],
    ['unmute', 200],
    ['unfollow', 200],
    ['remove_from_followers', 200],
  ] as const) {
    const response = await bob.post(`/api/v1/accounts/${alice.id}/${action}`)
    assert.equal(response.status, status, `${action}: ${response.text}`)
  }
  for (const path of ['/api/v1/preferences', `/api/v1/accounts/${bob.id}`, '/api/v1/custom_emojis']) {
    const refused = await alice.get(path)
    assert.deepEqual([refused.status, refused.json], [403, { error: 'Your login is currently disabled' }], path)
  }
})
