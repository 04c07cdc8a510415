import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse, type Client } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'

const relation = (response: ClientResponse): Record<string, unknown> => {
  assert.equal(response.status, 200, response.text)
  return response.json as Record<string, unknown>
}

const idsOf = (response: ClientResponse): string[] => {
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(one => one.id)
}

/** Reads the pages of a list to its end by `next`, then back by `prev`. */
async function walk(client: Client, path: string): Promise<{ forward: string[]; back: string[] }> {
  const forward: string[] = []
  let last: ClientResponse | undefined
  for (let next: string | undefined = path; next !== undefined;) {
    const response: ClientResponse = await client.get(next)
    const ids = idsOf(response)
    if (ids.length > 0) last = response
    forward.push(...ids)
    next = linkOf(response, 'next')
  }
  assert.ok(last)
  const prev = linkOf(last, 'prev')
  assert.ok(prev)
  const back = idsOf(await client.get(prev.replace(/limit=\d+&?/, '')))
  return { forward, back }
}

test('a block removes all relationships between two accounts', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  await bob.follow(alice)
  const lists = `with l as (insert into lists (account_id, title) values ($1, 'l') returning id)
    insert into list_accounts (list_id, account_id, follow_id)
    select l.id, $2, f.id from l, follows f where f.account_id = $1 and f.target_account_id = $2`
  await sql(server, lists, [alice.id, bob.id])
  await sql(server, lists, [bob.id, alice.id])
  await sql(
    server,
    `with c as (insert into conversations default values returning id)
     insert into account_conversations (account_id, conversation_id, participant_account_ids, status_ids)
     select $1, c.id, array[$2::bigint], '{}' from c`,
    [alice.id, bob.id],
  )
  const blocked = relation(await alice.post(`/api/v1/accounts/${bob.id}/block`))
  assert.equal(blocked['blocking'], true)
  assert.equal(blocked['following'], false)
  assert.equal(blocked['followed_by'], false)
  const left = await sql(
    server,
    `select 'follow' from follows where account_id in ($1, $2)
     union all select 'list' from list_accounts where account_id in ($1, $2)
     union all select 'notification' from notifications where account_id = $1
     union all select 'conversation' from account_conversations where account_id = $1`,
    [alice.id, bob.id],
  )
  assert.deepEqual(left, [])
  const events = await sql(
    server,
    `select data ->> 'change' as change from events
     where kind = 'relationship.changed' and actor_id in ($1, $2) order by txid desc, id limit 3`,
    [alice.id, bob.id],
  )
  assert.deepEqual(events.map(row => String(row['change'])).toSorted(), ['block', 'unfollow', 'unfollow'])
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/block`))['blocking'], true)
  assert.equal(relation(await bob.post(`/api/v1/accounts/${alice.id}/unblock`))['blocked_by'], true)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/unblock`))['blocking'], false)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${alice.id}/block`))['blocking'], false)
})

test('a block removes a pending follow request', async t => {
  const { bob, server } = await people(t, 'bob')
  const locked = await person(server, 'locked', { account: { locked: true } })
  await bob.follow(locked)
  await locked.post(`/api/v1/accounts/${bob.id}/block`)
  const [relationship] = (await bob.get('/api/v1/accounts/relationships', { id: locked.id })).json as Record<
    string,
    unknown
  >[]
  assert.equal(relationship?.['requested'], false)
  assert.equal(relationship?.['blocked_by'], true)
})

test('a mute may expire and may exclude notifications', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await alice.follow(bob)
  const path = `/api/v1/accounts/${bob.id}/mute`
  const muted = relation(await alice.post(path))
  assert.equal(muted['muting'], true)
  assert.equal(muted['muting_notifications'], true)
  assert.equal(muted['muting_expires_at'], null)
  assert.equal(muted['following'], true)
  assert.equal(relation(await alice.post(path, { notifications: false }))['muting_notifications'], false)
  const ending = relation(await alice.post(path, { duration: 300 }))
  const end = String(ending['muting_expires_at'])
  assert.match(end, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  assert.ok(Math.abs(Date.parse(end) - Date.now() - 300_000) < 20_000)
  const [listed] = (await alice.get('/api/v1/mutes')).json as Record<string, unknown>[]
  assert.equal(listed?.['id'], bob.id)
  assert.match(String(listed?.['mute_expires_at']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  await sql(server, "update mutes set expires_at = now() - interval '1 second' where account_id = $1", [alice.id])
  const [relationship] = (await alice.get('/api/v1/accounts/relationships', { 'id[]': bob.id })).json as Record<
    string,
    unknown
  >[]
  assert.equal(relationship?.['muting'], false)
  assert.equal(relationship?.['muting_expires_at'], null)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/unmute`))['muting'], false)
  assert.equal(relation(await alice.post(`/api/v1/accounts/${alice.id}/mute`))['muting'], false)
  assert.equal((await alice.post(path, { duration: -1 })).status, 422)
})

test('muting with notifications removes existing notifications', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  await alice.post(`/api/v1/accounts/${bob.id}/mute`, { notifications: false })
  const count = 'select count(*)::integer as n from notifications where account_id = $1'
  assert.deepEqual(await sql(server, count, [alice.id]), [{ n: 1 }])
  await alice.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await sql(server, count, [alice.id]), [{ n: 0 }])
})

test('only followed accounts can be endorsed', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const refused = await alice.post(`/api/v1/accounts/${bob.id}/pin`)
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.json, {
    error: 'Validation failed: You must be already following the person you want to endorse',
  })
  await alice.follow(bob)
  for (const name of ['pin', 'endorse']) {
    assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/${name}`))['endorsed'], true)
  }
  assert.deepEqual(idsOf(await anonymous.get(`/api/v1/accounts/${alice.id}/endorsements`)), [bob.id])
  const all = await alice.get('/api/v1/endorsements', { limit: '0' })
  assert.deepEqual(idsOf(all), [bob.id])
  assert.equal(all.headers.get('link'), null)
  for (const name of ['unpin', 'unendorse']) {
    assert.equal(relation(await alice.post(`/api/v1/accounts/${bob.id}/${name}`))['endorsed'], false)
  }
})

test('a private note is stored, changed and cleared', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const path = `/api/v1/accounts/${bob.id}/note`
  assert.equal(relation(await alice.post(path, { comment: 'met at the mill' }))['note'], 'met at the mill')
  const long = await alice.post(path, { comment: 'x'.repeat(2001) })
  assert.equal(long.status, 422)
  assert.deepEqual(long.json, { error: 'Validation failed: Comment is too long (maximum is 2000 characters)' })
  assert.equal((await alice.post('/api/v1/accounts/1/note', { comment: 'x'.repeat(2001) })).status, 404)
  assert.equal(relation(await alice.post(path, { comment: '🦬'.repeat(2000) }))['note'], '🦬'.repeat(2000))
  const [other] = (await bob.get('/api/v1/accounts/relationships', { id: alice.id })).json as Record<string, unknown>[]
  assert.equal(other?.['note'], '')
  assert.equal(relation(await alice.post(path, { comment: '  ' }))['note'], '')
})

test('lists of relations are paged to the end and back', async t => {
  const { alice, server, anonymous } = await people(t, 'alice')
  const others: Person[] = []
  for (let n = 0; n < 5; n += 1) others.push(await person(server, `other${n}`))
  for (const other of others) {
    await alice.follow(other)
    await other.follow(alice)
    await alice.post(`/api/v1/accounts/${other.id}/mute`)
    await alice.post(`/api/v1/accounts/${other.id}/endorse`)
  }
  const newestFirst = others.map(other => other.id).toReversed()
  const paths = [
    `/api/v1/accounts/${alice.id}/followers`,
    `/api/v1/accounts/${alice.id}/following`,
    `/api/v1/accounts/${alice.id}/endorsements`,
    '/api/v1/endorsements',
    '/api/v1/mutes',
  ]
  for (const path of paths) {
    const { forward, back } = await walk(alice, `${path}?limit=2`)
    assert.deepEqual(forward, newestFirst, path)
    assert.deepEqual(back, newestFirst.slice(0, 4), path)
  }
  const empty = await alice.get(`/api/v1/accounts/${alice.id}/followers`, { limit: '0' })
  assert.deepEqual([empty.json, empty.headers.get('link')], [[], null])
  assert.equal(
    (await anonymous.get(`/api/v1/accounts/${alice.id}/followers`)).headers.get('cache-control')?.includes('public'),
    true,
  )
  for (const other of others) await alice.post(`/api/v1/accounts/${other.id}/block`)
  const { forward } = await walk(alice, '/api/v1/blocks?limit=2')
  assert.deepEqual(forward, newestFirst)
})

test('followers and following omit accounts that the viewer mutes, and all when hidden', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  for (const fan of [bob, carol]) await fan.follow(alice)
  const path = `/api/v1/accounts/${alice.id}/followers`
  assert.deepEqual(idsOf(await anonymous.get(path)), [carol.id, bob.id])
  await bob.post(`/api/v1/accounts/${carol.id}/mute`)
  assert.deepEqual(idsOf(await bob.get(path)), [bob.id])
  await alice.post(`/api/v1/accounts/${carol.id}/mute`)
  assert.deepEqual(idsOf(await alice.get(path)), [carol.id, bob.id], 'the owner sees muted ones')
  const dave = await person(server, 'dave')
  await alice.post(`/api/v1/accounts/${dave.id}/block`)
  assert.deepEqual(idsOf(await dave.get(path)), [])
  await alice.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  assert.deepEqual(idsOf(await bob.get(path)), [])
  assert.deepEqual(idsOf(await alice.get(path)), [carol.id, bob.id])
})

test('familiar followers are the newest 80 of each account, and of 80 accounts at most', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const followed = await sql(
    server,
    `with made as (
       insert into accounts (username) select 'familiar_' || n from generate_series(1, 81) n returning id
     ), counted as (
       insert into account_stats (account_id) select made.id from made
     ), own as (
       insert into follows (account_id, target_account_id) select $1, made.id from made order by made.id
     )
     insert into follows (account_id, target_account_id) select made.id, $2 from made order by made.id
     returning account_id::text as id`,
    [alice.id, carol.id],
  )
  const path = '/api/v1/accounts/familiar_followers'
  const others = Array.from({ length: 80 }, (_, index) => String(index + 1))
  const [found] = (await alice.get(path, { 'id[]': [carol.id, ...others.slice(1)] })).json as {
    accounts: { id: string }[]
  }[]
  const newest = followed.map(row => String(row['id'])).toReversed()
  assert.deepEqual(
    found?.accounts.map(({ id }) => id),
    newest.slice(0, 80),
  )
  const refused = await alice.get(path, { 'id[]': [carol.id, ...others] })
  assert.deepEqual([refused.status, refused.json], [422, { error: 'Mastodon::ValidationError' }])
})

test('familiar followers are the followers that the viewer follows', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await bob.follow(carol)
  const response = await alice.get('/api/v1/accounts/familiar_followers', { 'id[]': [carol.id, carol.id, '99'] })
  const [found, ...more] = response.json as { id: string; accounts: { id: string }[] }[]
  assert.equal(more.length, 0)
  assert.equal(found?.id, carol.id)
  assert.deepEqual(
    found.accounts.map(account => account.id),
    [bob.id],
  )
  await sql(server, 'update accounts set hide_collections = true where id = $1', [carol.id])
  const hidden = await alice.get('/api/v1/accounts/familiar_followers', { id: carol.id })
  assert.deepEqual(hidden.json, [{ id: carol.id, accounts: [] }])
  assert.deepEqual((await alice.get('/api/v1/accounts/familiar_followers')).json, [])
})

test('relationships have the order of the requested ids and omit suspended accounts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  const pending = await person(server, 'pending', { user: { approved: false } })
  const query = { 'id[]': [carol.id, suspended.id, bob.id, carol.id, pending.id, 'x'] }
  assert.deepEqual(idsOf(await alice.get('/api/v1/accounts/relationships', query)), [carol.id, bob.id])
  const all = await alice.get('/api/v1/accounts/relationships', { ...query, with_suspended: 'true' })
  assert.deepEqual(idsOf(all), [carol.id, suspended.id, bob.id])
})
