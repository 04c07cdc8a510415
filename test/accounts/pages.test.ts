import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'

const idsOf = (response: ClientResponse): string[] => {
  assert.equal(response.status, 200, response.text)
  return (response.json as ({ id: string } | string)[]).map(one => (typeof one === 'string' ? one : one.id))
}

const cursorIn = (response: ClientResponse, rel: 'next' | 'prev', name: string): string | undefined =>
  new URL(linkOf(response, rel) ?? '/', 'http://x').searchParams.get(name) ?? undefined

interface List {
  readonly path: string
  /** Adds an account to the list. */
  readonly add: (owner: Person, other: Person) => Promise<unknown>
  /** Scopes that may read the list. */
  readonly scopes: readonly string[]
  readonly domains?: true
}

const follow = (from: Person, to: Person): Promise<void> => from.follow(to)
const accept = async (owner: Person, other: Person): Promise<void> => {
  await other.follow(owner)
  await owner.post(`/api/v1/follow_requests/${other.id}/authorize`)
}
const act =
  (action: string) =>
  (owner: Person, other: Person): Promise<ClientResponse> =>
    owner.post(`/api/v1/accounts/${other.id}/${action}`)

const LISTS: readonly List[] = [
  { path: '/api/v1/accounts/:id/following', add: follow, scopes: ['read', 'read:accounts'] },
  { path: '/api/v1/accounts/:id/followers', add: accept, scopes: ['read', 'read:accounts'] },
  { path: '/api/v1/follow_requests', add: (owner, other) => follow(other, owner), scopes: ['follow', 'read:follows'] },
  { path: '/api/v1/mutes', add: act('mute'), scopes: ['follow', 'read:mutes'] },
  { path: '/api/v1/blocks', add: act('block'), scopes: ['follow', 'read:blocks'] },
  {
    path: '/api/v1/domain_blocks',
    add: (owner, other) => owner.post('/api/v1/domain_blocks', { domain: `${other.id}.example` }),
    scopes: ['follow', 'read:blocks'],
    domains: true,
  },
]

for (const { path: pattern, add, scopes, domains } of LISTS) {
  test(`${pattern} is ordered by relation, newest first, and paged by the ids of relations`, async t => {
    const { server } = await people(t)
    const owner = await person(server, 'owner', { account: { locked: true } })
    const path = pattern.replace(':id', owner.id)
    const others: Person[] = []
    for (const name of ['one', 'two', 'three']) others.push(await person(server, name))
    const expected: string[] = []
    // The order of the relations differs from that of the account ids.
    for (const at of [1, 0, 2]) {
      const other = others[at]
      assert.ok(other)
      await add(owner, other)
      expected.unshift(domains ? `${other.id}.example` : other.id)
    }
    assert.deepEqual(idsOf(await owner.get(path)), expected)
    const first = await owner.get(path, { limit: '2' })
    assert.deepEqual(idsOf(first), expected.slice(0, 2))
    assert.match(
      first.headers.get('link') ?? '',
      /limit=2&max_id=\d+>; rel="next", <.*limit=2&since_id=\d+>; rel="prev"$/,
    )
    const [newest, second] = [cursorIn(first, 'prev', 'since_id'), cursorIn(first, 'next', 'max_id')]
    assert.ok(newest && second)
    assert.deepEqual(idsOf(await owner.get(path, { max_id: second })), expected.slice(2))
    assert.deepEqual(idsOf(await owner.get(path, { since_id: second })), expected.slice(0, 1))
    assert.deepEqual(idsOf(await owner.get(path, { max_id: newest, since_id: '0' })), expected.slice(1))
    assert.deepEqual(idsOf(await owner.get(path, { min_id: newest })), expected, 'min_id is not honoured')
    const one = await owner.get(path, { limit: '-1' })
    const cursors = [cursorIn(one, 'next', 'max_id'), cursorIn(one, 'prev', 'since_id')]
    assert.deepEqual([idsOf(one).length, cursors], [1, [newest, newest]])
    const none = await owner.get(path, { limit: '0' })
    assert.deepEqual([idsOf(none), none.headers.get('link')], [[], null])
    const past = await owner.get(path, { since_id: newest })
    assert.deepEqual([idsOf(past), past.headers.get('link')], [[], null])
    for (const scope of scopes) {
      const reader = new Client(server, await makeToken(server, owner.userId, [scope]))
      assert.equal((await reader.get(path)).status, 200, scope)
    }
    const writer = new Client(server, await makeToken(server, owner.userId, ['write']))
    assert.equal((await writer.get(path)).status, 403)
  })
}

test('endorsements are ordered and paged by account id, for the owner and for others', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const others = [await person(server, 'one'), await person(server, 'two'), await person(server, 'three')]
  for (const other of others.toReversed()) {
    await alice.follow(other)
    for (const _ of [1, 2]) {
      const response = await alice.post(`/api/v1/accounts/${other.id}/endorse`)
      assert.deepEqual([response.status, (response.json as { endorsed: boolean }).endorsed], [200, true])
    }
  }
  const expected = others.map(other => other.id).toReversed()
  for (const [who, path] of [
    [alice, '/api/v1/endorsements'],
    [anonymous, `/api/v1/accounts/${alice.id}/endorsements`],
  ] as const) {
    assert.deepEqual(idsOf(await who.get(path)), expected)
    const first = await who.get(path, { limit: '2' })
    assert.deepEqual([cursorIn(first, 'prev', 'since_id'), cursorIn(first, 'next', 'max_id')], expected.slice(0, 2))
    assert.deepEqual(idsOf(await who.get(path, { max_id: expected[1] ?? '' })), expected.slice(2))
    assert.deepEqual(idsOf(await who.get(path, { since_id: expected[1] ?? '' })), expected.slice(0, 1))
  }
  const all = await alice.get('/api/v1/endorsements', { limit: '0' })
  assert.deepEqual([idsOf(all), all.headers.get('link')], [expected, null])
  assert.deepEqual(idsOf(await anonymous.get(`/api/v1/accounts/${alice.id}/endorsements`, { limit: '0' })), [])
  // More than any page has.
  const many = `
    with a as (insert into accounts (username) select 'endorsed_' || n from generate_series(1, 81) n returning id)
    insert into endorsements (account_id, target_account_id) select $1, a.id from a`
  await sql(server, many, [alice.id])
  assert.equal(idsOf(await alice.get('/api/v1/endorsements', { limit: '0' })).length, 84)
  assert.equal(idsOf(await alice.get('/api/v1/endorsements')).length, 40)
})
