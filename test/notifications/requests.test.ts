import assert from 'node:assert/strict'
import pg from 'pg'
import { test, type Test } from 'tap'
import { linkOf } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { notificationsOf, notified } from './notified.ts'

const REQUESTS = '/api/v1/notifications/requests'

interface Request {
  id: string
  notifications_count: string
  account: { id: string }
  last_status: { id: string } | null
}

const requests = async (who: Person, query: Record<string, string> = {}): Promise<Request[]> =>
  (await who.get(REQUESTS, query)).json as Request[]

const whisper = (from: Person, to: Person, text = 'psst'): Promise<{ id: string }> =>
  from.postStatus(`@${to.username} ${text}`, { visibility: 'direct' })

const conversations = async (who: Person): Promise<{ unread: boolean; last_status: { id: string } }[]> =>
  (await who.get('/api/v1/conversations')).json as { unread: boolean; last_status: { id: string } }[]

const allNotifications = (who: Person): Promise<unknown[]> => notified(who, { include_filtered: 'true' })

/** Inserts filtered private mentions, faster than by posting them. */
const insertFiltered = (server: TestServer, from: Person, to: Person, amount: number): Promise<unknown> =>
  sql(
    server,
    `with opened as (
       insert into conversations (created_at) values (now()) returning id
     ), posted as (
       insert into statuses (account_id, text, content, visibility, conversation_id)
       select $1::bigint, 'psst', '<p>psst</p>', 'direct', opened.id from opened cross join generate_series(1, $3::integer)
       returning id
     )
     insert into mentions (status_id, account_id) select posted.id, $2::bigint from posted`,
    [from.id, to.id, amount],
  ).then(() =>
    sql(
      server,
      `select count(notify($2, $1, 'mention', m.status_id, m.id))
       from mentions m join statuses s on s.id = m.status_id
       where m.account_id = $2 and s.account_id = $1`,
      [from.id, to.id],
    ),
  )

/** Waits for deletions of notifications until the condition holds. */
async function removal(t: Test, server: TestServer, holds: () => Promise<boolean>): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  await client.query(`
    create or replace function notify_removal() returns trigger language plpgsql as
    $$ begin perform pg_notify('removed', ''); return null; end $$;
    create or replace trigger notify_removal after delete on notifications for each statement execute function notify_removal();
    listen removed`)
  for (;;) {
    const notification = new Promise<void>(resolve => client.once('notification', () => resolve()))
    if (await holds()) return
    await notification
  }
}

test('private mentions by an unknown account form a request that only the recipient sees', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const first = await whisper(bob, alice)
  const [one] = await requests(alice)
  assert.deepEqual(Object.keys(one ?? {}), [
    'id',
    'created_at',
    'updated_at',
    'notifications_count',
    'account',
    'last_status',
  ])
  assert.deepEqual([one?.notifications_count, one?.account.id, one?.last_status?.id], ['1', bob.id, first.id])
  const second = await whisper(bob, alice)
  const [grown] = await requests(alice)
  assert.deepEqual([grown?.id, grown?.notifications_count, grown?.last_status?.id], [one?.id, '2', second.id])
  assert.deepEqual((await alice.get(`${REQUESTS}/${String(one?.id)}`)).json, grown)
  assert.deepEqual(await conversations(alice), [])
  for (const [who, path] of [
    [bob, `${REQUESTS}/${String(one?.id)}`],
    [alice, `${REQUESTS}/1`],
    [alice, `${REQUESTS}/x`],
  ] as const)
    assert.deepEqual([(await who.get(path)).status, (await who.get(path)).json], [404, { error: 'Record not found' }])
  for (const what of ['accept', 'dismiss'])
    assert.equal((await bob.post(`${REQUESTS}/${String(one?.id)}/${what}`)).status, 404)
  assert.equal((await requests(alice)).length, 1)
})

test('requests are paged, and those of suspended accounts are hidden', async t => {
  const { alice, server } = await people(t, 'alice')
  const senders = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(name => person(server, name)))
  for (const sender of senders) await whisper(sender, alice)
  const all = (await requests(alice)).map(one => one.id)
  assert.deepEqual(
    (await requests(alice)).map(one => one.account.id),
    senders.map(one => one.id).reverse(),
  )
  const first = await alice.get(REQUESTS, { limit: '2' })
  const second = await alice.get(String(linkOf(first, 'next')))
  const third = await alice.get(String(linkOf(second, 'next')))
  const seen = [first, second, third].flatMap(({ json }) => (json as Request[]).map(one => one.id))
  assert.deepEqual(seen, all)
  assert.equal(linkOf(third, 'next'), undefined)
  assert.equal(linkOf(second, 'prev'), `${REQUESTS}?limit=2&min_id=${String(all[2])}`)
  assert.deepEqual(
    (await requests(alice, { min_id: String(all[4]), limit: '2' })).map(one => one.id),
    all.slice(2, 4),
  )
  assert.deepEqual(
    (await requests(alice, { since_id: String(all[2]) })).map(one => one.id),
    all.slice(0, 2),
  )
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [senders[4]?.id])
  assert.deepEqual(
    (await requests(alice)).map(one => one.id),
    all.slice(1),
  )
})

test('accepting a request lists its notifications and conversations, and later mentions are not filtered', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const stream = await alice.stream('user:notification')
  const user = await alice.stream('user')
  const first = await whisper(bob, alice)
  const second = await bob.postStatus(`@${alice.username} more`, { visibility: 'direct', in_reply_to_id: first.id })
  const [one] = await requests(alice)
  const accepted = await alice.post(`${REQUESTS}/${String(one?.id)}/accept`)
  assert.deepEqual([accepted.status, accepted.json], [200, {}])
  assert.deepEqual(await requests(alice), [])
  for (const socket of [stream, user]) {
    const messages = await socket.upTo('notifications_merged')
    assert.deepEqual(
      messages.filter(({ event }) => event === 'notification'),
      [],
    )
  }
  assert.deepEqual((await alice.get(`${REQUESTS}/merged`)).json, { merged: true })
  assert.deepEqual(
    (await notified(alice)).map(({ status, filtered }) => [status?.id, filtered]),
    [
      [second.id, undefined],
      [first.id, undefined],
    ],
  )
  assert.deepEqual(
    (await conversations(alice)).map(({ unread, last_status }) => [unread, last_status.id]),
    [[true, second.id]],
  )
  const third = await whisper(bob, alice)
  const message = await stream.next('notification')
  assert.equal((message.payload as { status: { id: string } }).status.id, third.id)
  assert.deepEqual(await requests(alice), [])
  assert.equal((await alice.post(`${REQUESTS}/${String(one?.id)}/accept`)).status, 404)
})

test('dismissing a request removes its notifications, and a later mention creates a new request', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  await whisper(bob, alice)
  await whisper(bob, alice)
  const [one] = await requests(alice)
  const dismissed = await alice.post(`${REQUESTS}/${String(one?.id)}/dismiss`)
  assert.deepEqual([dismissed.status, dismissed.json], [200, {}])
  assert.deepEqual([await requests(alice), await allNotifications(alice)], [[], []])
  await whisper(bob, alice)
  const [fresh, ...more] = await requests(alice)
  assert.deepEqual([fresh?.notifications_count, more.length], ['1', 0])
  assert.notEqual(fresh?.id, one?.id)
})

test('several requests are accepted or dismissed at once, and ids of others are ignored', async t => {
  const { alice, bob, carol, dora, eve } = await people(t, 'alice', 'bob', 'carol', 'dora', 'eve')
  for (const sender of [bob, carol, dora]) await whisper(sender, alice)
  await whisper(bob, eve)
  const [dorasId, carolsId, bobsId] = (await requests(alice)).map(one => one.id)
  const [evesId] = (await requests(eve)).map(one => one.id)
  const dismissed = await alice.post(`${REQUESTS}/dismiss`, { id: [dorasId, evesId, '1', 'x'] })
  assert.deepEqual([dismissed.status, dismissed.json], [200, {}])
  assert.equal((await allNotifications(alice)).length, 2)
  assert.equal((await requests(eve)).length, 1)
  const stream = await alice.stream('user')
  const accepted = await alice.post(`${REQUESTS}/accept`, { id: [bobsId, carolsId, evesId] })
  assert.deepEqual([accepted.status, accepted.json], [200, {}])
  await stream.next('notifications_merged')
  assert.deepEqual(await notificationsOf(alice), ['mention by carol', 'mention by bob'])
  assert.deepEqual(await requests(alice), [])
  assert.equal((await requests(eve)).length, 1)
  for (const what of ['accept', 'dismiss']) {
    for (const body of [undefined, { id: [] }, { id: ['', 'x'] }]) {
      const none = await alice.post(`${REQUESTS}/${what}`, body)
      assert.deepEqual([none.status, none.json], [200, {}], `${what} ${JSON.stringify(body)}`)
    }
  }
})

test('many notifications are restored or removed in batches', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  for (const sender of [bob, carol]) await whisper(sender, alice)
  await insertFiltered(server, bob, alice, 450)
  await insertFiltered(server, carol, alice, 1500)
  const [carols, bobs] = await requests(alice)
  assert.deepEqual([carols?.notifications_count, bobs?.notifications_count], ['100', '100'])
  const stream = await alice.stream('user')
  await alice.post(`${REQUESTS}/${String(bobs?.id)}/accept`)
  await stream.next('notifications_merged')
  assert.deepEqual((await alice.get(`${REQUESTS}/merged`)).json, { merged: true })
  const count = (from: Person, filtered: boolean): Promise<Record<string, unknown>[]> =>
    sql(
      server,
      'select count(*)::integer as count from notifications where account_id = $1 and from_account_id = $2 and filtered = $3',
      [alice.id, from.id, filtered],
    )
  assert.deepEqual([await count(bob, true), await count(bob, false)], [[{ count: 0 }], [{ count: 451 }]])
  const removed = removal(t, server, () => count(carol, true).then(rows => Number(rows[0]?.['count']) <= 1))
  await alice.post(`${REQUESTS}/${String(carols?.id)}/dismiss`)
  const fresh = await whisper(carol, alice)
  const [request] = await requests(alice)
  assert.deepEqual([request?.notifications_count, request?.last_status?.id], ['1', fresh.id])
  await removed
  assert.deepEqual(await count(carol, true), [{ count: 1 }])
  assert.deepEqual((await requests(alice))[0]?.notifications_count, '1')
})

test('a block or a domain block ends the permission of an accepted sender', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await whisper(bob, alice)
  const [one] = await requests(alice)
  await alice.post(`${REQUESTS}/${String(one?.id)}/accept`)
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  await alice.post(`/api/v1/accounts/${bob.id}/unblock`)
  await whisper(bob, alice)
  assert.deepEqual(await notificationsOf(alice), [])
  assert.equal((await requests(alice)).length, 1)
  const [remote] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/' || $1) returning id::text`,
    [alice.id],
  )
  const pair = [alice.id, remote?.['id']]
  await sql(server, 'insert into notification_permissions (account_id, from_account_id) values ($1, $2)', pair)
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'far.example')`, [alice.id])
  assert.deepEqual(
    await sql(server, 'select from notification_permissions where account_id = $1 and from_account_id = $2', pair),
    [],
  )
})

test('requests count as merged unless notifications are being restored', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const merged = async (): Promise<unknown> => (await alice.get(`${REQUESTS}/merged`)).json
  assert.deepEqual(await merged(), { merged: true })
  await sql(server, 'insert into notification_merges values ($1, $2)', [alice.id, bob.id])
  assert.deepEqual(await merged(), { merged: false })
  await sql(server, 'delete from notification_merges where account_id = $1', [alice.id])
  assert.deepEqual(await merged(), { merged: true })
})
