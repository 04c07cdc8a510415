import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'

const relation = (response: ClientResponse): Record<string, unknown> => {
  assert.equal(response.status, 200, response.text)
  return response.json as Record<string, unknown>
}

test('an accepted request keeps its options, ignores the follow limit, and both accounts see it', async t => {
  const { alice, server } = await people(t, 'alice')
  const locked = await person(server, 'locked', { account: { locked: true } })
  t.after(() => locked.close())
  const options = { reblogs: false, notify: true, languages: ['de'] }
  const requested = relation(await alice.post(`/api/v1/accounts/${locked.id}/follow`, options))
  const shown = ({
    following,
    requested,
    showing_reblogs,
    notifying,
    languages,
  }: Record<string, unknown>): unknown[] => [following, requested, showing_reblogs, notifying, languages]
  assert.deepEqual(shown(requested), [false, true, false, true, ['de']])
  const [relationship] = (await locked.get('/api/v1/accounts/relationships', { id: alice.id })).json as Record<
    string,
    unknown
  >[]
  assert.deepEqual([relationship?.['requested_by'], relationship?.['followed_by']], [true, false])
  await sql(server, 'update account_stats set following_count = 7500 where account_id = $1', [alice.id])
  const stream = await locked.stream('user:notification')
  const accepted = relation(await locked.post(`/api/v1/follow_requests/${alice.id}/authorize`))
  assert.deepEqual([accepted['id'], accepted['followed_by'], accepted['requested_by']], [alice.id, true, false])
  assert.equal(((await stream.next('notification')).payload as { type: string }).type, 'follow')
  const [now] = (await alice.get('/api/v1/accounts/relationships', { id: locked.id })).json as Record<string, unknown>[]
  assert.deepEqual(shown(now ?? {}), [true, false, false, true, ['de']])
  assert.deepEqual((await locked.get('/api/v1/follow_requests')).json, [])
})

test('a withdrawn request or one of a suspended account cannot be accepted', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const locked = await person(server, 'locked', { account: { locked: true } })
  for (const asker of [alice, bob]) await asker.follow(locked)
  const withdrawn = relation(await alice.post(`/api/v1/accounts/${locked.id}/unfollow`))
  assert.deepEqual([withdrawn['requested'], withdrawn['following']], [false, false])
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [bob.id])
  for (const id of [alice.id, bob.id, '1', 'x']) {
    const response = await locked.post(`/api/v1/follow_requests/${id}/authorize`)
    assert.deepEqual([response.status, response.json], [404, { error: 'Record not found' }], id)
  }
  const reader = new Client(server, await makeToken(server, locked.userId, ['read', 'write:mutes']))
  for (const action of ['authorize', 'reject']) {
    assert.equal((await reader.post(`/api/v1/follow_requests/${bob.id}/${action}`)).status, 403, action)
  }
})

test('an account can follow somebody who muted it', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.post(`/api/v1/accounts/${alice.id}/mute`)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/follow`))['following'], true)
})

test('the follow limit grows with the number of followers', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const follow = async (following: number, followers: number): Promise<unknown> => {
    await sql(server, 'update account_stats set following_count = $2, followers_count = $3 where account_id = $1', [
      alice.id,
      following,
      followers,
    ])
    const { status, json } = await alice.post(`/api/v1/accounts/${bob.id}/follow`)
    await sql(server, 'delete from follows where account_id = $1', [alice.id])
    return status === 200 ? status : (json as { error: string }).error
  }
  const refused = (limit: number): string => `Validation failed: You cannot follow more than ${limit} people`
  for (const [following, followers, expected] of [
    [7499, 0, 200],
    [7500, 0, refused(7500)],
    [7500, 6818, refused(7500)],
    [7500, 10_000, 200],
    [10_999, 10_000, 200],
    [11_000, 10_000, refused(11_000)],
  ] as const) {
    assert.equal(await follow(following, followers), expected, `${following} of ${followers}`)
  }
  await sql(server, 'update account_stats set following_count = 9000, followers_count = 0 where account_id = $1', [
    alice.id,
  ])
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [alice.id, bob.id])
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true }))['notifying'], true)
})

test('the scope profile reads the own profile and account, and any token reads the directory', async t => {
  const { alice, server } = await people(t, 'alice')
  const profile = new Client(server, await makeToken(server, alice.userId, ['profile']))
  for (const path of ['/api/v1/profile', '/api/v1/accounts/verify_credentials']) {
    assert.equal((await profile.get(path)).status, 200, path)
  }
  assert.equal((await profile.get('/api/v1/preferences')).status, 403)
  const waiting = await person(server, 'waiting', { user: { confirmed_at: null } })
  for (const client of [profile, waiting]) assert.equal((await client.get('/api/v1/directory')).status, 200)
})

test('in limited federation mode only accounts of allowed domains can be followed', async t => {
  const first = await startServer(t)
  await sql(first, `insert into settings (key, value) values ('limited_federation_mode', 'true')`)
  await sql(first, `insert into domain_allows (domain) values ('near.example')`)
  const server = await startServer(t, { databaseUrl: first.databaseUrl })
  const alice = await person(server, 'alice')
  const follow = async (domain: string): Promise<ClientResponse> => {
    const other = await person(server, 'other', { account: { domain, uri: `https://${domain}/other` } })
    return alice.post(`/api/v1/accounts/${other.id}/follow`)
  }
  assert.equal(relation(await follow('near.example'))['requested'], true)
  const refused = await follow('far.example')
  assert.deepEqual([refused.status, refused.json], [403, { error: 'This action is not allowed' }])
  assert.equal(
    relation(await alice.post(`/api/v1/accounts/${(await person(server, 'bob')).id}/follow`))['following'],
    true,
  )
})
