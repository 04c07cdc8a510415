import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import { notified, suspend } from './notified.ts'

const V2 = '/api/v2/notifications'

interface Group {
  group_key: string
  notifications_count: number
  type: string
  most_recent_notification_id: number
  page_min_id?: string
  page_max_id?: string
  latest_page_notification_at?: string
  sample_account_ids: string[]
  status_id?: string
  fallback?: object
}

interface Grouped {
  accounts: { id: string }[]
  partial_accounts?: { id: string }[]
  statuses: { id: string }[]
  notification_groups: Group[]
}

type Query = Record<string, string | string[]>

async function grouped(who: Person, query: Query = {}): Promise<Grouped> {
  const response = await who.get(V2, query)
  assert.equal(response.status, 200, response.text)
  return response.json as Grouped
}

const groupsOf = async (who: Person, query: Query = {}): Promise<Group[]> =>
  (await grouped(who, query)).notification_groups

const favourite = (who: Person, status: { id: string }): Promise<unknown> =>
  who.post(`/api/v1/statuses/${status.id}/favourite`)

test('favourites of five accounts within an hour form one group with five sample accounts', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('hello')
  const fans = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(name => person(server, name)))
  for (const fan of fans) await favourite(fan, status)
  const newestFirst = fans.map(({ id }) => id).reverse()
  const single = await notified(alice)
  const response = await grouped(alice)
  assert.deepEqual(Object.keys(response), ['accounts', 'statuses', 'notification_groups'])
  const [group, ...more] = response.notification_groups
  assert.equal(more.length, 0)
  assert.deepEqual(Object.keys(group ?? {}), [
    'group_key',
    'notifications_count',
    'type',
    'most_recent_notification_id',
    'page_min_id',
    'page_max_id',
    'latest_page_notification_at',
    'sample_account_ids',
    'status_id',
  ])
  assert.deepEqual(group, {
    group_key: single[0]?.group_key,
    notifications_count: 5,
    type: 'favourite',
    most_recent_notification_id: Number(single[0]?.id),
    page_min_id: single[4]?.id,
    page_max_id: single[0]?.id,
    latest_page_notification_at: group?.latest_page_notification_at,
    sample_account_ids: newestFirst,
    status_id: status.id,
  })
  assert.deepEqual(
    response.accounts.map(({ id }) => id),
    newestFirst,
  )
  assert.deepEqual(response.accounts[0], (await alice.get(`/api/v1/accounts/${String(newestFirst[0])}`)).json)
  assert.deepEqual(response.statuses, [(await alice.get(`/api/v1/statuses/${status.id}`)).json])
})

test('without notifications and with a limit of 0 the response is empty', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const nothing = { accounts: [], statuses: [], notification_groups: [] }
  assert.deepEqual(await grouped(alice), nothing)
  await bob.follow(alice)
  const none = await alice.get(V2, { limit: '0' })
  assert.deepEqual(none.json, nothing)
  assert.equal(none.headers.get('link'), null)
  assert.deepEqual(await grouped(alice, { 'types[]': 'unheard-of' }), nothing)
})

test('with partial avatars only the newest account of each group is complete', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol, dora]) await favourite(fan, status)
  await bob.follow(alice)
  const response = await grouped(alice, { expand_accounts: 'partial_avatars' })
  assert.deepEqual(Object.keys(response), ['accounts', 'partial_accounts', 'statuses', 'notification_groups'])
  assert.deepEqual(response.accounts.map(({ id }) => id).sort(), [bob.id, dora.id].sort())
  const full = (await alice.get(`/api/v1/accounts/${carol.id}`)).json as Record<string, unknown>
  const keys = ['id', 'acct', 'url', 'avatar', 'avatar_static', 'avatar_description', 'locked', 'bot']
  assert.deepEqual(response.partial_accounts, [Object.fromEntries(keys.map(key => [key, full[key]]))])
  const wrong = await alice.get(V2, { expand_accounts: 'x' })
  assert.deepEqual(
    [wrong.status, wrong.json],
    [400, { error: "Invalid value for 'expand_accounts': 'x', allowed values are 'full' and 'partial_avatars'" }],
  )
})

test('types that are not grouped are listed one by one', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol]) await favourite(fan, status)
  for (const fan of [bob, carol]) await fan.follow(alice)
  const ids = (await notified(alice)).map(one => one.id)
  const keys = (groups: Group[]): string[] => groups.map(one => one.group_key.replace(/-\d{6}$/, ''))
  assert.deepEqual(keys(await groupsOf(alice)), ['follow', `favourite-${status.id}`])
  assert.deepEqual(keys(await groupsOf(alice, { 'grouped_types[]': ['favourite', 'mention'] })), [
    `ungrouped-${String(ids[0])}`,
    `ungrouped-${String(ids[1])}`,
    `favourite-${status.id}`,
  ])
  assert.deepEqual(
    (await groupsOf(alice, { 'grouped_types[]': '' })).map(one => [one.group_key, one.notifications_count]),
    ids.map(id => [`ungrouped-${id}`, 1]),
  )
  const count = async (query: Query): Promise<unknown> => (await alice.get(`${V2}/unread_count`, query)).json
  assert.deepEqual(await count({}), { count: 2 })
  assert.deepEqual(await count({ 'grouped_types[]': 'follow' }), { count: 3 })
  assert.deepEqual(await count({ limit: '1' }), { count: 1 })
  assert.deepEqual(await count({ 'types[]': 'follow' }), { count: 1 })
})

test('a group is unread when a member is above the marker', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  await favourite(bob, status)
  await bob.follow(alice)
  const count = async (): Promise<unknown> => (await alice.get(`${V2}/unread_count`)).json
  assert.deepEqual(await count(), { count: 2 })
  const [newest] = await notified(alice)
  await sql(server, `insert into markers (account_id, timeline, last_read_id) values ($1, 'notifications', $2)`, [
    alice.id,
    newest?.id,
  ])
  assert.deepEqual(await count(), { count: 0 })
  await favourite(carol, status)
  assert.deepEqual(await count(), { count: 1 })
})

test('types, accounts and filtered notifications select groups, and links repeat the selection', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol]) await favourite(fan, status)
  await carol.follow(alice)
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const types = async (query: Query): Promise<string[]> => (await groupsOf(alice, query)).map(one => one.type)
  assert.deepEqual(await types({ 'types[]': ['follow', 'mention'] }), ['follow'])
  assert.deepEqual(await types({ 'exclude_types[]': 'follow' }), ['favourite'])
  assert.deepEqual(await types({ include_filtered: 'true' }), ['mention', 'follow', 'favourite'])
  assert.deepEqual(await types({ account_id: carol.id }), ['follow', 'favourite'])
  assert.deepEqual(await types({ account_id: bob.id, 'types[]': 'favourite' }), ['favourite'])
  assert.deepEqual(await types({ account_id: alice.id }), [])
  const first = await alice.get(V2, { limit: '1', 'exclude_types[]': 'mention', 'grouped_types[]': 'favourite' })
  const next = String(linkOf(first, 'next'))
  const all = await alice.get(V2, {
    'types[]': ['follow', 'favourite'],
    'exclude_types[]': 'poll',
    'grouped_types[]': 'favourite',
    'supported_types[]': 'mention',
    include_filtered: 'true',
    account_id: carol.id,
    expand_accounts: 'partial_avatars',
    limit: '40',
  })
  const ids = (all.json as Grouped).notification_groups.map(one => String(one.most_recent_notification_id))
  for (const [rel, cursor] of [
    ['next', `max_id=${ids.at(-1)}`],
    ['prev', `min_id=${ids[0]}`],
  ] as const) {
    const { searchParams } = new URL(linkOf(all, rel) ?? '', 'http://x')
    const pairs = [...searchParams].map(pair => pair.join('='))
    const carried = ['types[]=follow', 'types[]=favourite', 'exclude_types[]=poll', 'grouped_types[]=favourite']
    const rest = ['supported_types[]=mention', 'include_filtered=true', 'limit=40', cursor]
    assert.deepEqual(pairs.toSorted(), [...carried, ...rest].toSorted(), rel)
  }
  for (const part of ['exclude_types%5B%5D=mention', 'grouped_types%5B%5D=favourite', 'limit=1', 'max_id='])
    assert.ok(next.includes(part), next)
  assert.deepEqual(
    ((await alice.get(next)).json as Grouped).notification_groups.map(one => one.type),
    ['favourite'],
  )
})

test('a group is shown, its accounts are paged, and it is dismissed', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  const fans = await Promise.all(Array.from({ length: 11 }, (_, index) => person(server, `fan${index}`)))
  for (const fan of fans) await favourite(fan, status)
  await bob.follow(alice)
  const [follow, group] = await groupsOf(alice)
  const key = String(group?.group_key)
  const newestFirst = fans.map(({ id }) => id).reverse()
  assert.deepEqual([group?.notifications_count, group?.sample_account_ids], [11, newestFirst.slice(0, 8)])
  const one = (await alice.get(`${V2}/${key}`)).json as Grouped
  assert.deepEqual(one.notification_groups, [
    {
      group_key: key,
      notifications_count: 11,
      type: 'favourite',
      most_recent_notification_id: group?.most_recent_notification_id,
      sample_account_ids: newestFirst.slice(0, 8),
      status_id: status.id,
    },
  ])
  assert.equal(one.accounts.length, 8)
  const first = await alice.get(`${V2}/${key}/accounts`, { limit: '6' })
  const second = await alice.get(String(linkOf(first, 'next')))
  const seen = [first, second].flatMap(({ json }) => (json as { id: string }[]).map(({ id }) => id))
  assert.deepEqual(seen, newestFirst)
  assert.equal(linkOf(second, 'next'), undefined)
  const notifications = (await notified(alice, { 'types[]': 'favourite' })).map(({ id }) => id)
  const ending = (response: ClientResponse, rel: 'next' | 'prev') => linkOf(response, rel)?.split('?')[1]
  assert.equal(ending(first, 'next'), `limit=6&max_id=${notifications[5]}`)
  assert.equal(ending(first, 'prev'), `limit=6&min_id=${notifications[0]}`)
  const reader = async (scope: string): Promise<number> =>
    (await new Client(server, await makeToken(server, alice.userId, [scope])).get(`${V2}/${key}/accounts`)).status
  assert.deepEqual([await reader('read:notifications'), await reader('write:notifications')], [200, 403])
  assert.deepEqual((await alice.get(`${V2}/favourite-1-2/accounts`)).json, [])
  const alone = `ungrouped-${String(follow?.most_recent_notification_id)}`
  assert.equal(((await alice.get(`${V2}/${alone}`)).json as Grouped).notification_groups[0]?.group_key, alone)
  assert.deepEqual((await alice.get(`${V2}/${alone}/accounts`)).json, [])
  for (const [who, path] of [
    [bob, key],
    [bob, alone],
    [alice, 'favourite-1-2'],
    [alice, 'ungrouped-x'],
  ] as const) {
    const missing = await who.get(`${V2}/${path}`)
    assert.deepEqual([missing.status, missing.json], [404, { error: 'Record not found' }])
    assert.deepEqual((await who.post(`${V2}/${path}/dismiss`)).json, {})
  }
  assert.equal((await groupsOf(alice)).length, 2)
  const dismissed = await alice.post(`${V2}/${key}/dismiss`)
  assert.deepEqual([dismissed.status, dismissed.json], [200, {}])
  assert.deepEqual(
    (await notified(alice)).map(({ type }) => type),
    ['follow'],
  )
  await alice.post(`${V2}/${alone}/dismiss`)
  assert.deepEqual(await groupsOf(alice), [])
  await favourite(bob, status)
  assert.deepEqual((await alice.post(`${V2}/clear`)).json, {})
  assert.deepEqual(await groupsOf(alice), [])
  assert.deepEqual(await sql(server, 'select from notification_groups where account_id = $1', [alice.id]), [])
})

test('undoing the newest favourite moves the group back, and undoing the last removes it', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  await favourite(bob, status)
  await bob.follow(alice)
  await favourite(carol, status)
  const types = async (): Promise<unknown[]> =>
    (await groupsOf(alice)).map(one => [one.type, one.notifications_count, one.sample_account_ids])
  assert.deepEqual(await types(), [
    ['favourite', 2, [carol.id, bob.id]],
    ['follow', 1, [bob.id]],
  ])
  await carol.post(`/api/v1/statuses/${status.id}/unfavourite`)
  assert.deepEqual(await types(), [
    ['follow', 1, [bob.id]],
    ['favourite', 1, [bob.id]],
  ])
  await bob.post(`/api/v1/statuses/${status.id}/unfavourite`)
  assert.deepEqual(await types(), [['follow', 1, [bob.id]]])
})

test('a group omits members of suspended accounts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol]) await favourite(fan, status)
  await suspend(server, carol.id, alice)
  const [group] = await groupsOf(alice)
  assert.deepEqual([group?.notifications_count, group?.sample_account_ids], [1, [bob.id]])
  const accounts = (await alice.get(`${V2}/${group?.group_key}/accounts`)).json as { id: string }[]
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [bob.id],
  )
  await suspend(server, bob.id, alice)
  assert.deepEqual(await groupsOf(alice), [])
})

test('simultaneous favourites and undoings leave the favourites that were not undone', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('hello')
  const fans = await Promise.all(Array.from({ length: 12 }, (_, index) => person(server, `fan${index}`)))
  const [staying, leaving] = [fans.slice(0, 6), fans.slice(6)]
  await Promise.all(leaving.map(fan => favourite(fan, status)))
  const answers = await Promise.all([
    ...staying.map(fan => fan.post(`/api/v1/statuses/${status.id}/favourite`)),
    ...leaving.map(fan => fan.post(`/api/v1/statuses/${status.id}/unfavourite`)),
  ])
  assert.deepEqual(new Set(answers.map(response => response.status)), new Set([200]))
  const [group] = await groupsOf(alice)
  assert.equal(group?.notifications_count, 6)
  const [stored] = await sql(
    server,
    `select g.members::integer, g.newest_id = max(n.id) as right
     from notification_groups g join notifications n using (account_id, group_key)
     where g.account_id = $1 group by g.account_id, g.group_key`,
    [alice.id],
  )
  assert.deepEqual(stored, { members: 6, right: true })
})
