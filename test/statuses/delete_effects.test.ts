import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity as made, picture, until, upload } from '../media/attachments/media_fixtures.ts'
import { ask } from './polls/poll_fixtures.ts'
import { quote } from './quotes/quote_fixtures.ts'
import { Browser } from '../support/browser.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { people, sql, waitForEventLog, type Person } from '../support/people.ts'
import { entities, entity, relate, tell } from './status_fixtures.ts'

const notificationsOf = async (who: Person): Promise<string[]> =>
  entities((await who.get('/api/v1/notifications')).json).map(one => String(one['type']))

test('all notifications about a status are deleted with it', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await dave.follow(alice, { notify: true })
  const { status, poll } = await ask(alice, ['a', 'b'])
  const path = `/api/v1/statuses/${status.id}`
  const mention = await alice.postStatus(`@${carol.username}`)
  await bob.post(`${path}/favourite`)
  await bob.post(`${path}/reblog`)
  await carol.post(`${path}/reblog`)
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
  const quoting = await quote(bob, status.id)
  await alice.put(path, { status: 'edited', poll: { options: ['a', 'b'], expires_in: 3600 } })
  const types = async (): Promise<Record<string, string[]>> => ({
    alice: (await notificationsOf(alice)).toSorted(),
    bob: (await notificationsOf(bob)).toSorted(),
    carol: (await notificationsOf(carol)).toSorted(),
    dave: (await notificationsOf(dave)).toSorted(),
  })
  await until(types, found => (found['bob']?.length ?? 0) > 1, 'those of the edit')
  assert.deepEqual(await types(), {
    alice: ['favourite', 'follow', 'quote', 'reblog', 'reblog'],
    bob: ['quoted_update', 'update'],
    carol: ['mention', 'update'],
    dave: ['status', 'status'],
  })
  await bob.delete(`/api/v1/statuses/${quoting.id}`)
  assert.deepEqual((await types())['alice'], ['favourite', 'follow', 'reblog', 'reblog'])
  await alice.delete(path)
  await alice.delete(`/api/v1/statuses/${mention.id}`)
  assert.deepEqual(await types(), { alice: ['follow'], bob: [], carol: [], dave: [] })
  for (const who of [alice, bob, carol, dave]) {
    const groups = entities(entity((await who.get('/api/v2/notifications')).json)['notification_groups'])
    assert.equal(groups.length, who === alice ? 1 : 0)
    assert.deepEqual((await who.get('/api/v1/notifications/unread_count')).json, { count: who === alice ? 1 : 0 })
  }
  assert.equal((await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).status, 404)
  assert.deepEqual(await sql(server, 'select id from notifications where status_id = $1', [status.id]), [])
})

test('every stream that had a status sends its delete, and for a boost those streams that had the boost', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await bob.follow(alice)
  await carol.follow(bob)
  const list = entity((await bob.post('/api/v1/lists', { title: 'list' })).json)
  await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.id] })
  const file = await upload(alice, 'v2', await picture(8, 8).png().toBuffer())
  const streams = await Promise.all([
    alice.stream('user'),
    bob.stream('user'),
    bob.stream('list', { list: list.id }),
    carol.stream('public'),
    carol.stream('public:local'),
    carol.stream('public:local:media'),
    carol.stream('hashtag', { tag: 'gone' }),
  ])
  const home = await carol.stream('user')
  const status = await alice.postStatus('soon #gone', { media_ids: [made(file).id] })
  for (const stream of streams) assert.equal(entity((await stream.next('update')).payload).id, status.id)
  const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json)
  assert.equal(entity((await home.next('update')).payload).id, boost.id)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  for (const stream of streams)
    assert.equal((await stream.next('delete', ({ payload }) => payload === status.id)).payload, status.id)
  assert.equal((await home.next('delete')).payload, boost.id)
})

test('conversations and notification requests show the previous status again, and disappear with the last', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  await bob.follow(alice)
  const direct = (status: string, more = {}) => alice.postStatus(status, { visibility: 'direct', ...more })
  const first = await direct(`@${bob.username} one`)
  const second = await direct(`@${bob.username} two`, { in_reply_to_id: first.id })
  const lastOf = async (who: Person): Promise<unknown[]> =>
    entities((await who.get('/api/v1/conversations')).json).map(one => entity(one['last_status']).id)
  for (const [gone, left] of [
    [undefined, second.id],
    [second.id, first.id],
  ] as const) {
    if (gone) await alice.delete(`/api/v1/statuses/${gone}`)
    for (const who of [alice, bob]) assert.deepEqual(await lastOf(who), [left])
  }
  await alice.delete(`/api/v1/statuses/${first.id}`)
  for (const who of [alice, bob]) assert.deepEqual(await lastOf(who), [])
  // A direct status of a stranger waits for the recipient's consent.
  const unasked = await direct(`@${carol.username} psst`)
  const request = async (): Promise<Record<string, unknown>[]> =>
    entities((await carol.get('/api/v1/notifications/requests')).json)
  assert.equal(entity((await request())[0]?.['last_status']).id, unasked.id)
  await alice.delete(`/api/v1/statuses/${unasked.id}`)
  const response = await carol.get('/api/v1/notifications/requests')
  assert.equal(response.status, 200, response.text)
  for (const one of entities(response.json)) assert.equal(one['last_status'], null)
})

test('an own boost can be deleted though the boosted status is no longer visible', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const [one, other] = [await alice.postStatus('one'), await carol.postStatus('other')]
  const boosts: string[] = []
  for (const { id } of [one, other]) boosts.push(entity((await bob.post(`/api/v1/statuses/${id}/reblog`)).json).id)
  await relate(server, 'blocks', alice, bob)
  await tell(
    server,
    `with gone as (update accounts set suspended_at = now() where id = $1 returning id)
     insert into events (kind, account_id) select 'account.changed', gone.id from gone`,
    [carol.id],
  )
  await waitForEventLog(bob)
  for (const id of boosts) {
    const response = await bob.delete(`/api/v1/statuses/${id}`)
    assert.equal(response.status, 200, response.text)
    assert.equal(entity(response.json).id, id)
    assert.equal((await bob.delete(`/api/v1/statuses/${id}`)).status, 404)
  }
  assert.equal(entity((await alice.get(`/api/v1/statuses/${one.id}`)).json)['reblogs_count'], 0)
})

test('files of a reported status are kept for moderators until the report is settled', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const moderator = new Browser(server)
  await moderator.signIn((await personWithPassword(server, 'moderator', { user: { role_id: 1 } })).email, PASSWORD)
  const isThere = async (url: unknown): Promise<boolean> =>
    (await moderator.get(new URL(String(url)).pathname)).status === 200
  const file = async () => made(await upload(alice, 'v2', await picture(40, 30).png().toBuffer()))
  const [kept, freed, plain] = [await file(), await file(), await file()]
  const [bad, worse, fine] = [
    await alice.postStatus('bad', { media_ids: [kept.id] }),
    await alice.postStatus('worse', { media_ids: [freed.id] }),
    await alice.postStatus('fine', { media_ids: [plain.id] }),
  ]
  const status_ids = [bad.id, worse.id]
  assert.equal((await bob.post('/api/v1/reports', { account_id: alice.id, status_ids })).status, 200)
  await alice.delete(`/api/v1/statuses/${bad.id}?delete_media=true`)
  await alice.delete(`/api/v1/statuses/${worse.id}`)
  await alice.delete(`/api/v1/statuses/${fine.id}?delete_media=true`)
  const gone = (url: unknown): Promise<boolean> =>
    until(
      () => isThere(url),
      there => !there,
      'a file to go',
    )
  await gone(plain['url'])
  const attached = (): Promise<Record<string, unknown>[]> =>
    sql(server, 'select status_id::text from media_attachments where account_id = $1 order by id', [alice.id])
  // Files are removed before their rows.
  const left = await until(attached, rows => rows.length === 2, 'the row of the removed file')
  assert.deepEqual(
    left.map(row => row['status_id']),
    [bad.id, worse.id],
  )
  for (const { url } of [kept, freed]) assert.equal(await isThere(url), true)
  // The report is settled, and two days pass.
  await tell(server, 'update reports set action_taken_at = now() where target_account_id = $1', [alice.id])
  await tell(server, `update statuses set deleted_at = now() - interval '2 days' where id = any ($1)`, [status_ids])
  await tell(server, `update media_attachments set created_at = now() - interval '2 days' where account_id = $1`, [
    alice.id,
  ])
  await tell(server, `select graphile_worker.add_job('statuses.purge', '{}')`)
  await until(
    () => sql(server, 'select id from statuses where id = any ($1)', [status_ids]),
    rows => rows.length === 0,
    'the purge',
  )
  await tell(server, `select graphile_worker.add_job('media.expire', '{}')`)
  for (const { url, preview_url: preview } of [kept, freed]) {
    await gone(url)
    await gone(preview)
  }
  assert.deepEqual(await attached(), [])
})
