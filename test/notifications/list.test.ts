import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf } from '../support/client.ts'
import { makeToken, people, sql, type Person } from '../support/people.ts'
import { notificationsOf, notified } from './notified.ts'

/** Follows, a favourite and a boost by bob, and ten mentions by carol. */
async function fill(alice: Person, bob: Person, carol: Person): Promise<void> {
  await bob.follow(alice)
  const status = await alice.postStatus('hello')
  await bob.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.post(`/api/v1/statuses/${status.id}/reblog`)
  for (let number = 1; number <= 10; number++) await carol.postStatus(`@${alice.username} ${number}`)
}

test('types, excluded types and accounts select notifications', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await fill(alice, bob, carol)
  assert.deepEqual(await notificationsOf(alice, { 'types[]': ['favourite', 'follow'] }), [
    'favourite by bob',
    'follow by bob',
  ])
  assert.deepEqual(await notificationsOf(alice, { 'exclude_types[]': ['mention', 'reblog'] }), [
    'favourite by bob',
    'follow by bob',
  ])
  assert.deepEqual(await notificationsOf(alice, { 'types[]': ['reblog', 'follow'], 'exclude_types[]': ['follow'] }), [
    'reblog by bob',
  ])
  assert.deepEqual(await notificationsOf(alice, { 'types[]': ['unheard-of', 'reblog'] }), ['reblog by bob'])
  assert.deepEqual(await notificationsOf(alice, { 'types[]': ['unheard-of'] }), [])
  assert.deepEqual(await notificationsOf(alice, { account_id: bob.id, 'types[]': ['reblog', 'mention'] }), [
    'reblog by bob',
  ])
  assert.equal((await notificationsOf(alice, { account_id: carol.id })).length, 10)
  assert.deepEqual(await notificationsOf(alice, { account_id: 'x' }), [])
})

test('pages have no gaps in either direction, and links repeat the selection', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await fill(alice, bob, carol)
  for (const choice of [{}, { 'types[]': ['mention', 'reblog'] }, { account_id: carol.id }]) {
    const all = (await notified(alice, choice)).map(one => one.id)
    const seen: string[] = []
    const start = new URLSearchParams({ limit: '4' })
    for (const [name, value] of Object.entries(choice)) for (const one of [value].flat()) start.append(name, one)
    let next: string | undefined = `/api/v1/notifications?${start.toString()}`
    while (next !== undefined) {
      const response = await alice.get(next)
      seen.push(...(response.json as { id: string }[]).map(one => one.id))
      next = linkOf(response, 'next')
      if (next !== undefined)
        for (const name of Object.keys(choice)) assert.ok(new URL(next, 'http://x').searchParams.has(name))
    }
    assert.deepEqual(seen, all)
    const upwards = await notified(alice, { ...choice, min_id: String(all.at(-1)), limit: '3' })
    assert.deepEqual(
      upwards.map(one => one.id),
      all.slice(-4, -1),
    )
    const since = await notified(alice, { ...choice, since_id: String(all.at(-1)), limit: '3' })
    assert.deepEqual(
      since.map(one => one.id),
      all.slice(0, 3),
    )
    const between = await notified(alice, { ...choice, min_id: String(all[5]), max_id: String(all[3]) })
    assert.deepEqual(
      between.map(one => one.id),
      [all[4]],
    )
  }
})

test('each page with notifications has links in both directions, which carry the query', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await fill(alice, bob, carol)
  const ids = (await notified(alice)).map(one => one.id)
  const [newest = '', oldest = ''] = [ids[0], ids.at(-1)]
  const query = {
    'types[]': ['mention', 'follow'],
    'exclude_types[]': ['poll'],
    'supported_types[]': ['mention'],
    include_filtered: 'true',
    limit: '80',
  }
  for (const choice of [query, { ...query, account_id: carol.id }]) {
    const response = await alice.get('/api/v1/notifications', choice)
    const shown = (response.json as { id: string }[]).map(one => one.id)
    for (const [rel, cursor, id] of [
      ['next', 'max_id', shown.at(-1)],
      ['prev', 'min_id', newest],
    ] as const) {
      const { searchParams } = new URL(linkOf(response, rel) ?? '', 'http://x')
      assert.equal(searchParams.get(cursor), id, rel)
      searchParams.delete(cursor)
      const carried = Object.entries(choice).flatMap(([name, value]) => [value].flat().map(one => `${name}=${one}`))
      assert.deepEqual([...searchParams].map(pair => pair.join('=')).toSorted(), carried.toSorted(), rel)
    }
  }
  assert.equal((await alice.get('/api/v1/notifications', { max_id: oldest })).headers.get('link'), null)
})

test('the limit is clamped, and 0 means an empty list without a Link header', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await fill(alice, bob, carol)
  assert.equal((await notified(alice, { limit: '-2' })).length, 2)
  assert.equal((await notified(alice, { limit: '1000' })).length, 13)
  const none = await alice.get('/api/v1/notifications', { limit: '0' })
  assert.equal(none.text, '[]')
  assert.equal(none.headers.get('link'), null)
  assert.equal(none.headers.get('cache-control'), 'private, no-store')
})

test('only the recipient can read a notification', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const [one] = await notified(alice)
  assert.deepEqual((await alice.get(`/api/v1/notifications/${String(one?.id)}`)).json, one)
  for (const [caller, id] of [
    [bob, one?.id],
    [alice, '1234567890'],
    [alice, 'x'],
  ] as const) {
    const response = await caller.get(`/api/v1/notifications/${String(id)}`)
    assert.equal(response.status, 404)
    assert.deepEqual(response.json, { error: 'Record not found' })
  }
})

test('unread notifications are counted above the marker, up to the limit', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await fill(alice, bob, carol)
  const count = async (query: Record<string, string | string[]> = {}): Promise<unknown> =>
    (await alice.get('/api/v1/notifications/unread_count', query)).json
  assert.deepEqual(await count(), { count: 13 })
  assert.deepEqual(await count({ limit: '5' }), { count: 5 })
  assert.deepEqual(await count({ 'types[]': 'mention' }), { count: 10 })
  const ids = (await notified(alice)).map(one => one.id)
  await sql(server, `insert into markers (account_id, timeline, last_read_id) values ($1, 'notifications', $2)`, [
    alice.id,
    ids[2],
  ])
  assert.deepEqual(await count(), { count: 2 })
  assert.deepEqual(await count({ 'exclude_types[]': 'mention' }), { count: 0 })
})

test('one notification is dismissed or all are cleared, without effect on other users', async t => {
  const { alice, bob, carol, dora } = await people(t, 'alice', 'bob', 'carol', 'dora')
  await fill(alice, bob, carol)
  await dora.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  await alice.follow(bob)
  const [newest] = await notified(alice)
  assert.equal((await bob.post(`/api/v1/notifications/${String(newest?.id)}/dismiss`)).status, 404)
  const dismissed = await alice.post(`/api/v1/notifications/${String(newest?.id)}/dismiss`)
  assert.deepEqual([dismissed.status, dismissed.json], [200, {}])
  assert.equal((await alice.post(`/api/v1/notifications/${String(newest?.id)}/dismiss`)).status, 404)
  assert.equal((await notified(alice)).length, 12)
  assert.equal((await alice.post('/api/v1/notifications/dismiss', { id: '1' })).status, 404)
  const cleared = await alice.post('/api/v1/notifications/clear')
  assert.deepEqual([cleared.status, cleared.json], [200, {}])
  assert.deepEqual(await notified(alice, { include_filtered: 'true' }), [])
  assert.deepEqual(await notificationsOf(bob), ['follow by alice'])
})

test('notifications need a user and the scope', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  assert.equal((await anonymous.get('/api/v1/notifications')).status, 401)
  const app = new Client(server, await makeToken(server, null))
  assert.deepEqual((await app.get('/api/v1/notifications')).json, {
    error: 'This method requires an authenticated user',
  })
  const narrow = new Client(server, await makeToken(server, alice.userId, ['read:statuses', 'read:notifications']))
  assert.equal((await narrow.get('/api/v1/notifications')).status, 200)
  assert.equal((await narrow.post('/api/v1/notifications/clear')).status, 403)
})
