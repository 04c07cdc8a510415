import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, waitForEventLog, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

const PATH = '/api/v1/domain_blocks'

async function remote(server: TestServer, username: string, domain: string): Promise<string> {
  const [made] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ($1, $2, 'https://' || $2 || '/' || $1) returning id::text`,
    [username, domain],
  )
  return String(made?.['id'])
}

const follow = (server: TestServer, from: string, to: string): Promise<unknown> =>
  sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [from, to])

const counts = async (who: Person): Promise<unknown[]> => {
  const { followers_count, following_count } = (await who.get(`/api/v1/accounts/${who.id}`)).json as Record<
    string,
    unknown
  >
  return [followers_count, following_count]
}

test('a domain can be blocked once, in any spelling, and unblocked', async t => {
  const { alice } = await people(t, 'alice')
  const block = (domain?: string): Promise<unknown[]> =>
    alice.post(PATH, domain === undefined ? {} : { domain }).then(({ status, json }) => [status, json])
  assert.deepEqual(await block(' Bücher.Example/ '), [200, {}])
  assert.deepEqual((await alice.get(PATH)).json, ['xn--bcher-kva.example'])
  assert.deepEqual(await block('xn--bcher-kva.example'), [200, {}])
  const fault = (text: string): unknown[] => [422, { error: `Validation failed: Domain ${text}` }]
  assert.deepEqual(await block('bücher.example'), fault('has already been taken'))
  assert.deepEqual(await block(), fault("can't be blank"))
  assert.deepEqual(await block('  '), fault("can't be blank"))
  for (const wrong of ['not a domain', 'a..example', 'https://a.example', '-'])
    assert.deepEqual(await block(wrong), fault('is not a valid domain name'))
  assert.deepEqual((await alice.delete(`${PATH}?domain=BÜCHER.example`)).json, {})
  assert.deepEqual((await alice.get(PATH)).json, [])
  assert.equal((await alice.delete(PATH, { domain: 'bücher.example' })).status, 200)
  const nameless = await alice.delete(PATH)
  assert.deepEqual([nameless.status, nameless.json], [200, {}])
})

test('a domain block removes relationships and notifications and notifies the user of them', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const domain = `${alice.id}.example`
  const [friend, fan, asking] = [
    await remote(server, 'friend', domain),
    await remote(server, 'fan', domain),
    await remote(server, 'asking', domain),
  ]
  const elsewhere = await remote(server, 'friend', `other-${domain}`)
  for (const other of [friend, elsewhere]) await follow(server, alice.id, other)
  for (const other of [friend, fan, elsewhere, bob.id]) await follow(server, other, alice.id)
  const request = 'insert into follow_requests (account_id, target_account_id) values ($1, $2)'
  await sql(server, request, [asking, alice.id])
  await sql(server, request, [alice.id, fan])
  const status = await alice.postStatus('hello')
  for (const other of [fan, elsewhere])
    await sql(server, `select notify($1, $2, 'favourite', $3, $2)`, [alice.id, other, status.id])
  const preview = await alice.get(`${PATH}/preview`, { domain })
  assert.deepEqual(preview.json, { following_count: 1, followers_count: 2 })
  await waitForEventLog(alice)
  const stream = await alice.stream('user:notification')
  await alice.post(PATH, { domain })
  const { payload } = await stream.next('notification')
  const notification = payload as Record<string, unknown> & { id: string; event: Record<string, unknown> }
  assert.deepEqual(Object.keys(notification), ['id', 'type', 'group_key', 'created_at', 'account', 'event'])
  assert.equal((notification['account'] as { id: string }).id, alice.id)
  assert.deepEqual(notification.event, {
    id: notification.event['id'],
    type: 'user_domain_block',
    purged: false,
    target_name: domain,
    followers_count: 2,
    following_count: 1,
    created_at: notification.event['created_at'],
  })
  assert.deepEqual(await counts(alice), [2, 1])
  const listed = (await alice.get('/api/v1/notifications')).json as { type: string; account: { id: string } }[]
  assert.deepEqual(
    listed.map(one => [one.type, one.account.id]),
    [
      ['severed_relationships', alice.id],
      ['favourite', elsewhere],
    ],
  )
  const { notification_groups: groups } = (await alice.get('/api/v2/notifications')).json as {
    notification_groups: { type: string; event?: unknown }[]
  }
  assert.deepEqual(groups[0]?.event, notification.event)
  assert.deepEqual(
    await sql(server, 'select from follow_requests where $1::bigint in (account_id, target_account_id)', [alice.id]),
    [],
  )
})

test('a domain block that severs no relationships creates no notification', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const domain = `${alice.id}.example`
  const fan = await remote(server, 'fan', domain)
  await follow(server, fan, bob.id)
  const stream = await bob.stream('user:notification')
  await alice.post(PATH, { domain })
  // The block of bob is processed after that of alice.
  await bob.post(PATH, { domain })
  await stream.next('notification')
  assert.deepEqual((await alice.get('/api/v1/notifications')).json, [])
})
