import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import type { Client } from '../../support/client.ts'
import { people, person, sql } from '../../support/people.ts'

interface Found {
  accounts: { id: string }[]
  statuses: { id: string }[]
  hashtags: { id: string; name: string; history: unknown[]; following?: boolean }[]
  collections: unknown[]
}

async function find(client: Client, query: Record<string, string>): Promise<Found> {
  const response = await client.get('/api/v2/search', query)
  assert.equal(response.status, 200, response.text)
  return response.json as Found
}

const NOTHING = { accounts: [], statuses: [], hashtags: [], collections: [] }

test('accounts are found by name, by anybody; an anonymous short text finds only the exact name', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  for (const client of [bob, anonymous])
    for (const q of [alice.username, `@${alice.username}`, alice.username.slice(0, -1)])
      assert.deepEqual(
        (await find(client, { q })).accounts.map(({ id }) => id),
        [alice.id],
      )
  assert.deepEqual((await find(anonymous, { q: alice.username.slice(0, 2) })).accounts, [])
  assert.deepEqual((await find(bob, { q: alice.username, following: 'true' })).accounts, [])
  for (const q of [bob.username, bob.username.slice(0, -1)])
    assert.deepEqual(
      (await find(bob, { q, following: 'true' })).accounts.map(({ id }) => id),
      [bob.id],
    )
  await bob.follow(alice)
  assert.equal((await find(bob, { q: alice.username, following: 'true' })).accounts.length, 1)
  assert.deepEqual(await find(bob, { q: alice.username, type: 'hashtags' }), NOTHING)
  assert.deepEqual(await find(bob, { q: alice.username, type: 'unheard-of' }), NOTHING)
  assert.deepEqual(await find(bob, { q: alice.username, limit: '0' }), NOTHING)
})

test('hashtags are found by their prefix: the exact one, then the shortest', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const stem = `t${randomBytes(4).toString('hex')}`
  const endings = ['zzz', '', 'b', 'a', 'hidden']
  await alice.postStatus(endings.map(ending => `#${stem}${ending}`).join(' '))
  await sql(server, `update tags set listable = false where name = $1`, [`${stem}hidden`])
  await sql(server, `update tags set trendable = true where name = $1`, [`${stem}b`])
  const names = async (query: Record<string, string>): Promise<string[]> =>
    (await find(alice, query)).hashtags.map(({ name }) => name.slice(stem.length))
  const [start, end] = [stem.slice(0, 4), stem.slice(4)]
  for (const q of [stem, `#${stem}`, stem.toUpperCase(), `${start} ${end}`, `#${start}  #${end}`, `${start}-${end}\t!`])
    assert.deepEqual(await names({ q }), ['', 'a', 'b', 'zzz'])
  assert.deepEqual(await names({ q: stem, exclude_unreviewed: 'true' }), ['', 'b'])
  assert.deepEqual(await names({ q: stem, type: 'hashtags', limit: '2', offset: '1' }), ['a', 'b'])
  assert.deepEqual(await names({ q: stem, limit: '2', offset: '1' }), ['', 'a'])
  for (const type of ['hashtags', 'accounts', 'statuses'])
    assert.deepEqual(await find(alice, { q: stem, type, offset: '2147483640' }), NOTHING, type)
  const page = await alice.get('/api/v2/search', { q: stem, type: 'hashtags', limit: '1' })
  assert.equal(page.headers.get('link'), null)
  const [own] = (await find(alice, { q: stem })).hashtags
  assert.deepEqual([own?.history.length, own?.following], [7, false])
  assert.equal((await find(anonymous, { q: stem })).hashtags[0]?.following, undefined)
})

test('a URL of this server is resolved for users, alone and under its type', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const open = await alice.postStatus('open')
  const closed = await alice.postStatus('closed', { visibility: 'private' })
  const profile = `${server.url}/@${alice.username}`
  const page = `${profile}/${open.id}`
  assert.deepEqual((await find(bob, { q: page, resolve: 'true' })).statuses, [
    (await bob.get(`/api/v1/statuses/${open.id}`)).json,
  ])
  assert.deepEqual(await find(bob, { q: `${profile}/${closed.id}`, resolve: 'true' }), NOTHING)
  assert.deepEqual(await find(bob, { q: page, resolve: 'true', type: 'accounts' }), NOTHING)
  assert.deepEqual(await find(bob, { q: page, resolve: 'true', type: 'statuses', offset: '1' }), NOTHING)
  assert.equal((await find(bob, { q: profile, resolve: 'true' })).accounts[0]?.id, alice.id)
  assert.deepEqual(await find(bob, { q: 'https://other.example/@x', resolve: 'true' }), NOTHING)
})

test('invalid searches are refused', async t => {
  const { alice, anonymous } = await people(t, 'alice')
  const refused = async (client: Client, query: Record<string, string>): Promise<unknown[]> => {
    const response = await client.get('/api/v2/search', query)
    return [response.status, (response.json as { error: string }).error]
  }
  const missing = [400, 'param is missing or the value is empty or invalid: q']
  const negative = [400, 'Pagination values for `offset` and `limit` must be positive']
  assert.deepEqual(await refused(alice, {}), missing)
  assert.deepEqual(await refused(alice, { q: ' ' }), missing)
  assert.deepEqual(await refused(alice, { q: 'x', limit: '-1' }), negative)
  assert.deepEqual(await refused(alice, { q: 'x', offset: '-1' }), negative)
  assert.deepEqual(await refused(alice, { q: 'x', account_id: '12345' }), [404, 'Not Found'])
  assert.deepEqual(await refused(anonymous, { q: 'x', offset: '1' }), [
    401,
    'Search queries pagination is not supported without authentication',
  ])
  assert.deepEqual(await refused(anonymous, { q: 'x', resolve: 'true' }), [
    401,
    'Search queries that resolve remote resources are not supported without authentication',
  ])
})

test('the exact handle comes first, then followed accounts, then those with many followers', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const stem = `s${randomBytes(4).toString('hex')}`
  const named = (username: string, account = {}) => person(server, 'x', { account: { username, ...account } })
  const [plain, famous, followed, exact] = [
    await named(`${stem}_plain`),
    await named(`${stem}_famous`),
    await named(`${stem}_followed`),
    await named(stem),
  ]
  await named(`${stem}_gone`, { suspended_at: new Date() })
  const shown = await named(`x${stem}`, { display_name: `${stem} shown` })
  for (const fan of [bob, plain, followed]) await fan.follow(famous)
  await alice.follow(followed)
  const found = async (query: Record<string, string>, who: Client = alice): Promise<string[]> =>
    (await find(who, { type: 'accounts', ...query })).accounts.map(({ id }) => id)
  const q = `${stem}@${server.config.localDomain}`
  assert.equal((await found({ q }))[0], exact.id)
  assert.deepEqual((await found({ q: stem })).slice(0, 3), [exact.id, followed.id, famous.id])
  assert.deepEqual((await found({ q: stem })).slice(3).toSorted(), [plain.id, shown.id].toSorted())
  assert.ok(!(await found({ q: stem, offset: '1' })).includes(exact.id), 'the exact one is only at the beginning')
  assert.deepEqual((await found({ q: stem }, anonymous))[0], exact.id)
})
