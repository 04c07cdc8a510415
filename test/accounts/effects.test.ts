import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'

/** Counts what is stored for `owner` about `other`, through the API where it shows that. */
async function storedFor(owner: Person, other: Person): Promise<Record<string, number>> {
  const amount = async (path: string): Promise<number> =>
    ((await owner.get(path)).json as { account: { id: string } }[]).filter(({ account }) => account.id === other.id)
      .length
  const [permissions] = await sql(
    owner.server,
    'select count(*)::integer as n from notification_permissions where account_id = $1 and from_account_id = $2',
    [owner.id, other.id],
  )
  return {
    notifications: await amount('/api/v1/notifications'),
    requests: await amount('/api/v1/notifications/requests'),
    conversations: ((await owner.get('/api/v1/conversations')).json as { accounts: { id: string }[] }[]).filter(
      ({ accounts }) => accounts.some(({ id }) => id === other.id),
    ).length,
    permissions: Number(permissions?.['n']),
  }
}

/** Has `other` write to `owner`, be accepted, and have another notification request. */
async function writeTo(owner: Person, other: Person): Promise<void> {
  await owner.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })
  await other.postStatus(`@${owner.username} psst`, { visibility: 'direct' })
  const [request] = (await owner.get('/api/v1/notifications/requests')).json as { id: string }[]
  assert.ok(request)
  await owner.post(`/api/v1/notifications/requests/${request.id}/accept`)
  await sql(
    owner.server,
    `with s as (select id from statuses where account_id = $2 limit 1)
     insert into notification_requests (account_id, from_account_id, last_status_id, notifications_count)
     select $1, $2, s.id, 1 from s`,
    [owner.id, other.id],
  )
  assert.deepEqual(await storedFor(owner, other), { notifications: 1, requests: 1, conversations: 1, permissions: 1 })
}

for (const [action, body, left] of [
  ['mute', { notifications: false }, { notifications: 1, requests: 1, conversations: 1, permissions: 1 }],
  ['mute', {}, { notifications: 0, requests: 0, conversations: 0, permissions: 1 }],
  ['block', {}, { notifications: 0, requests: 0, conversations: 0, permissions: 0 }],
] as const) {
  test(`${action} ${JSON.stringify(body)} removes the right notifications, requests, conversations and permissions`, async t => {
    const { alice, bob } = await people(t, 'alice', 'bob')
    await writeTo(alice, bob)
    assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/${action}`, body)).status, 200)
    assert.deepEqual(await storedFor(alice, bob), left)
    assert.equal(
      (await bob.get('/api/v1/conversations')).text.includes(alice.id),
      true,
      'the conversation of the other account stays',
    )
  })
}

test('muting again replaces the mute, and a mute without a duration does not expire', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const mute = async (body: object): Promise<unknown[]> => {
    const { status, json } = await alice.post(`/api/v1/accounts/${bob.id}/mute`, body)
    const relation = json as Record<string, unknown>
    return [status, relation['muting'], relation['muting_notifications'], relation['muting_expires_at'] !== null]
  }
  assert.deepEqual(await mute({ duration: 3600, notifications: 'false' }), [200, true, false, true])
  assert.deepEqual(await mute({ notifications: '' }), [200, true, true, false])
  assert.deepEqual(await mute({ duration: '60', notifications: '0' }), [200, true, false, true])
  assert.equal((await alice.get('/api/v1/mutes')).text.includes('"mute_expires_at":"'), true)
  assert.deepEqual(await mute({ duration: 0 }), [200, true, true, false])
  for (const duration of [-1, '99999999999']) assert.equal((await mute({ duration }))[0], 422)
  assert.deepEqual(await mute({ duration: 2_147_483_647 }), [200, true, true, true])
})

test('familiar followers omit accounts that hide their follows or were removed', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const hidden = await person(server, 'hidden')
  for (const friend of [bob, hidden]) {
    await alice.follow(friend)
    await friend.follow(carol)
  }
  const familiar = async (): Promise<unknown[]> => {
    const [found] = (await alice.get('/api/v1/accounts/familiar_followers', { id: carol.id })).json as {
      accounts: { id: string }[]
    }[]
    return (found?.accounts ?? []).map(({ id }) => id)
  }
  assert.deepEqual(await familiar(), [hidden.id, bob.id])
  await hidden.patch('/api/v1/profile', { hide_collections: true })
  assert.deepEqual(await familiar(), [bob.id], 'an account that hides its follows is not listed')
  assert.deepEqual((await alice.get(`/api/v1/accounts/${hidden.id}/following`)).json, [])
  assert.equal((await hidden.get(`/api/v1/accounts/${hidden.id}/following`)).text.includes(carol.id), true)
  await carol.post(`/api/v1/accounts/${bob.id}/remove_from_followers`)
  assert.deepEqual(await familiar(), [])
  const [relation] = (await bob.get('/api/v1/accounts/relationships', { id: carol.id })).json as {
    following: boolean
  }[]
  assert.equal(relation?.following, false)
})

test('cached lists of relations are never older than the last change', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const at = `/api/v1/accounts/${alice.id}`
  const shown = async (): Promise<string> => {
    const lists: string[] = []
    for (const list of ['followers', 'following', 'endorsements']) {
      const { json, headers } = await anonymous.get(`${at}/${list}`)
      assert.match(headers.get('cache-control') ?? '', /^max-age=15, public/)
      if ((json as { id: string }[]).some(({ id }) => id === bob.id)) lists.push(list)
    }
    return lists.join(' ')
  }
  const follows = (one: Person, other: Person, action = 'follow') => one.post(`/api/v1/accounts/${other.id}/${action}`)
  assert.equal(await shown(), '')
  await follows(bob, alice)
  assert.equal(await shown(), 'followers')
  await follows(alice, bob)
  assert.equal(await shown(), 'followers following')
  await follows(alice, bob, 'endorse')
  assert.equal(await shown(), 'followers following endorsements')
  await alice.patch('/api/v1/profile', { hide_collections: true })
  assert.equal(await shown(), 'endorsements')
  await alice.patch('/api/v1/profile', { hide_collections: false })
  assert.equal(await shown(), 'followers following endorsements')
  await follows(alice, bob, 'unfollow')
  assert.equal(await shown(), 'followers')
  await follows(alice, bob, 'block')
  assert.equal(await shown(), '')
})
