import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import { Client } from '../support/client.ts'
import { startServer } from '../support/server.ts'

type Answer = { status: number; json: unknown }
const relation = (response: Answer): Record<string, unknown> => {
  assert.equal(response.status, 200, JSON.stringify(response.json))
  return response.json as Record<string, unknown>
}

async function countsOf(client: Client, id: string): Promise<{ followers: unknown; following: unknown }> {
  const account = relation(await client.get(`/api/v1/accounts/${id}`))
  return { followers: account['followers_count'], following: account['following_count'] }
}

test('following an unlocked account changes the relationships and counters of both', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const made = relation(await alice.post(`/api/v1/accounts/${bob.id}/follow`))
  assert.deepEqual(made, {
    id: bob.id,
    following: true,
    showing_reblogs: true,
    notifying: false,
    languages: null,
    followed_by: false,
    blocking: false,
    blocked_by: false,
    muting: false,
    muting_notifications: false,
    muting_expires_at: null,
    requested: false,
    requested_by: false,
    domain_blocking: false,
    endorsed: false,
    note: '',
  })
  const [relationship] = (await bob.get('/api/v1/accounts/relationships', { id: alice.id })).json as Record<
    string,
    unknown
  >[]
  assert.equal(relationship?.['followed_by'], true)
  assert.deepEqual(await countsOf(alice, bob.id), { followers: 1, following: 0 })
  assert.deepEqual(await countsOf(bob, alice.id), { followers: 0, following: 1 })
})

test('each option of a follow or follow request changes by itself', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const locked = await person(server, 'locked', { account: { locked: true } })
  for (const target of [bob, locked]) {
    const path = `/api/v1/accounts/${target.id}/follow`
    await alice.post(path, { reblogs: false })
    assert.equal(relation(await alice.post(path, { notify: true }))['showing_reblogs'], false)
    const reblogs = relation(await alice.post(path, { reblogs: true }))
    assert.equal(reblogs['showing_reblogs'], true)
    assert.equal(reblogs['notifying'], true)
    assert.deepEqual(relation(await alice.post(path, { languages: ['en', 'es'] }))['languages'], ['en', 'es'])
    assert.deepEqual(relation(await alice.post(path))['languages'], ['en', 'es'])
    assert.equal(relation(await alice.post(path, { languages: null }))['languages'], null)
    const wrong = await alice.post(path, { languages: ['xx-none'] })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.json, { error: 'Validation failed: Languages is invalid' })
  }
})

test('a locked account receives follow requests and accepts or rejects them', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const locked = await person(server, 'locked', { account: { locked: true } })
  for (const asker of [alice, bob]) {
    const asked = relation(await asker.post(`/api/v1/accounts/${locked.id}/follow`))
    assert.equal(asked['following'], false)
    assert.equal(asked['requested'], true)
  }
  const requests = (await locked.get('/api/v1/follow_requests')).json as { id: string }[]
  assert.deepEqual(
    requests.map(account => account.id),
    [bob.id, alice.id],
  )
  const accepted = relation(await locked.post(`/api/v1/follow_requests/${alice.id}/authorize`))
  assert.equal(accepted['followed_by'], true)
  assert.equal(accepted['requested_by'], false)
  assert.equal(relation(await locked.post(`/api/v1/follow_requests/${bob.id}/reject`))['followed_by'], false)
  for (const action of ['authorize', 'reject']) {
    const missing = await locked.post(`/api/v1/follow_requests/${bob.id}/${action}`)
    assert.equal(missing.status, 404)
    assert.deepEqual(missing.json, { error: 'Record not found' })
  }
  assert.deepEqual(await countsOf(alice, locked.id), { followers: 1, following: 0 })
  const kinds = await sql(server, 'select type from notifications where account_id = $1 order by id', [locked.id])
  assert.deepEqual(
    kinds.map(row => row['type']),
    ['follow'],
    'the notifications of requests are removed with the requests',
  )
})

test('a follow by a silenced account becomes a request', async t => {
  const { bob, server } = await people(t, 'bob')
  const silenced = await person(server, 'silenced', { account: { silenced_at: new Date() } })
  assert.equal(relation(await silenced.post(`/api/v1/accounts/${bob.id}/follow`))['requested'], true)
})

test('oneself, moved, blocked, blocking and hidden accounts cannot be followed', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const own = await alice.post(`/api/v1/accounts/${alice.id}/follow`)
  assert.equal(own.status, 403)
  assert.deepEqual(own.json, { error: 'Following your own account is not allowed' })
  const moved = await person(server, 'moved', { account: { moved_to_account_id: bob.id } })
  const blocking = await person(server, 'blocking')
  await blocking.post(`/api/v1/accounts/${alice.id}/block`)
  const blocked = await person(server, 'blocked')
  await alice.post(`/api/v1/accounts/${blocked.id}/block`)
  for (const other of [moved, blocking, blocked]) {
    const refused = await alice.post(`/api/v1/accounts/${other.id}/follow`)
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.json, { error: 'This action is not allowed' })
  }
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  const pending = await person(server, 'pending', { user: { confirmed_at: null } })
  const beingDeleted = await person(server, 'going', { account: { deletion_requested_at: new Date() } })
  for (const id of [suspended.id, pending.id, beingDeleted.id, '1', 'x']) {
    const missing = await alice.post(`/api/v1/accounts/${id}/follow`)
    assert.equal(missing.status, 404, id)
    assert.deepEqual(missing.json, { error: 'Record not found' })
  }
})

test('an account follows at most 7500 accounts, unless it has enough followers', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update account_stats set following_count = 7500 where account_id = $1', [alice.id])
  const refused = await alice.post(`/api/v1/accounts/${bob.id}/follow`)
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.json, { error: 'Validation failed: You cannot follow more than 7500 people' })
  await sql(server, 'update account_stats set followers_count = 8000 where account_id = $1', [alice.id])
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/follow`))['following'], true)
})

test('the limit of follows is a setting', async t => {
  const server = await startServer(t, { env: { MAX_FOLLOWS_THRESHOLD: '2', MAX_FOLLOWS_RATIO: '1.5' } })
  const [alice, ...others] = await Promise.all(['alice', 'bob', 'carol', 'dora'].map(name => person(server, name)))
  assert.ok(alice)
  const follows = async (who: Person | undefined) => alice.post(`/api/v1/accounts/${who?.id}/follow`)
  for (const who of others.slice(0, 2)) assert.equal((await follows(who)).status, 200)
  assert.match((await follows(others[2])).text, /You cannot follow more than 2 people/)
  await sql(server, 'update account_stats set followers_count = 2 where account_id = $1', [alice.id])
  assert.equal((await follows(others[2])).status, 200)
})

test('unfollowing removes the follow, the endorsement and the list membership', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  await alice.post(`/api/v1/accounts/${bob.id}/endorse`)
  await sql(
    server,
    `with l as (insert into lists (account_id, title) values ($1, 'a') returning id)
     insert into list_accounts (list_id, account_id, follow_id)
     select l.id, $2, f.id from l, follows f where f.account_id = $1 and f.target_account_id = $2`,
    [alice.id, bob.id],
  )
  const listed = (await alice.get(`/api/v1/accounts/${bob.id}/lists`)).json as { title: string }[]
  assert.equal(listed[0]?.title, 'a')
  const after = relation(await alice.post(`/api/v1/accounts/${bob.id}/unfollow`))
  assert.equal(after['following'], false)
  assert.equal(after['endorsed'], false)
  assert.deepEqual((await alice.get(`/api/v1/accounts/${bob.id}/lists`)).json, [])
  assert.deepEqual(await sql(server, 'select from notifications where from_account_id = $1', [alice.id]), [])
  assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)).status, 200)
  assert.deepEqual(await countsOf(alice, bob.id), { followers: 0, following: 0 })
})

test('a follower can be removed', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/remove_from_followers`))['followed_by'], false)
  assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/remove_from_followers`)).status, 200)
  assert.deepEqual(await countsOf(bob, alice.id), { followers: 0, following: 0 })
})

test('counters stay exact under concurrent follows, unfollows and blocks', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const trio = [alice, bob, carol]
  const act = async (turn: number): Promise<void> => {
    const from = trio[turn % 3]
    const to = trio[(turn + 1 + (turn % 2)) % 3]
    if (!from || !to) return
    const action = turn % 5 < 3 ? 'follow' : turn % 5 === 3 ? 'unfollow' : 'block'
    await from.post(`/api/v1/accounts/${to.id}/${action}`)
    if (action === 'block') await from.post(`/api/v1/accounts/${to.id}/unblock`)
  }
  await Promise.all(Array.from({ length: 90 }, (_, turn) => act(turn)))
  const wrong = await sql(
    server,
    `select s.account_id from account_stats s
     where s.following_count <> (select count(*) from follows f where f.account_id = s.account_id)
       or s.followers_count <> (select count(*) from follows f where f.target_account_id = s.account_id)`,
  )
  assert.deepEqual(
    wrong.filter(row => trio.some(one => one.id === row['account_id'])),
    [],
  )
  const both = await sql(
    server,
    `select from follows f join blocks b on (b.account_id, b.target_account_id) in
       ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id))`,
  )
  assert.deepEqual(both, [], 'nobody is followed and blocked')
})

test('relationship actions need their scope', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const reader = new Client(server, await makeToken(server, alice.userId, ['read']))
  for (const action of ['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute', 'endorse', 'note']) {
    const refused = await reader.post(`/api/v1/accounts/${bob.id}/${action}`)
    assert.equal(refused.status, 403, action)
    assert.deepEqual(refused.json, { error: 'This action is outside the authorized scopes' })
  }
  const follower = new Client(server, await makeToken(server, alice.userId, ['follow']))
  assert.equal((await follower.post(`/api/v1/accounts/${bob.id}/follow`)).status, 200)
})
