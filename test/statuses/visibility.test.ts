import assert from 'node:assert/strict'
import { test } from 'tap'
import type { Client } from '../support/client.ts'
import { people, person, sql, uncachedAnonymous, waitForEventLog } from '../support/people.ts'
import { entities, entity, relate, tell } from './status_fixtures.ts'

const VIEWERS = ['author', 'follower', 'mentioned', 'stranger', 'blocked', 'anonymous'] as const
type Seen = Record<(typeof VIEWERS)[number], boolean>

const row = (
  author: number,
  follower: number,
  mentioned: number,
  stranger: number,
  blocked: number,
  anonymous: number,
): Seen => ({
  author: author === 1,
  follower: follower === 1,
  mentioned: mentioned === 1,
  stranger: stranger === 1,
  blocked: blocked === 1,
  anonymous: anonymous === 1,
})

/** Who may see a status that mentions one account, by its visibility. */
const TABLE: Record<string, Seen> = {
  public: row(1, 1, 1, 1, 0, 1),
  unlisted: row(1, 1, 1, 1, 0, 1),
  private: row(1, 1, 1, 0, 0, 0),
  direct: row(1, 0, 1, 0, 0, 0),
  limited: row(1, 0, 1, 0, 0, 0),
}

test('every read and every action follows the visibility of a status', async t => {
  const { author, follower, mentioned, stranger, blocked, anonymous, server } = await people(
    t,
    'author',
    'follower',
    'mentioned',
    'stranger',
    'blocked',
  )
  await relate(server, 'follows', follower, author)
  await relate(server, 'blocks', author, blocked)
  const viewers: Record<keyof Seen, Client> = { author, follower, mentioned, stranger, blocked, anonymous }
  for (const [visibility, seenBy] of Object.entries(TABLE)) {
    const root = await author.postStatus('root')
    const asked = visibility === 'limited' ? 'direct' : visibility
    const status = await author.postStatus(`for @${mentioned.username}`, { visibility: asked, in_reply_to_id: root.id })
    if (visibility === 'limited')
      await tell(server, `update statuses set visibility = 'limited' where id = $1`, [status.id])
    for (const name of VIEWERS) {
      const viewer = viewers[name]
      const seen = seenBy[name]
      const about = `${visibility} by ${name}`
      const path = `/api/v1/statuses/${status.id}`
      for (const part of [
        '',
        '/context',
        '/favourited_by',
        '/reblogged_by',
        '/history',
        ...(name === 'anonymous' ? [] : ['/source']),
      ]) {
        const response = await viewer.get(path + part)
        assert.equal(response.status, seen ? 200 : 404, `${about}: GET ${part} ${response.text}`)
        if (!seen) assert.equal(entity(response.json)['error'], 'Not Found')
      }
      const listed = entities((await viewer.get('/api/v1/statuses', { 'id[]': status.id })).json)
      assert.equal(listed.length, seen ? 1 : 0, `${about}: list`)
      const thread = await viewer.get(`/api/v1/statuses/${root.id}/context`)
      if (name !== 'blocked') {
        assert.equal(entities(entity(thread.json)['descendants']).length, seen ? 1 : 0, `${about}: thread`)
      }
      if (name === 'anonymous') continue
      for (const action of ['favourite', 'bookmark', 'mute', 'unfavourite', 'unbookmark', 'unmute', 'unpin']) {
        const response = await viewer.post(`${path}/${action}`)
        assert.equal(response.status, seen ? 200 : 404, `${about}: ${action} ${response.text}`)
      }
      const boosted = await viewer.post(`${path}/reblog`)
      const open = visibility === 'public' || visibility === 'unlisted'
      const may = open || (visibility === 'private' && name === 'author')
      assert.equal(boosted.status, seen ? (may ? 200 : 403) : 404, `${about}: reblog ${boosted.text}`)
      const undone = await viewer.post(`${path}/unreblog`)
      assert.equal(undone.status, seen ? 200 : 404, `${about}: unreblog`)
    }
  }
})

for (const [state, change] of [
  ['suspended', 'suspended_at = now()'],
  ['not approved', 'pending = true'],
  ['going', 'deletion_requested_at = now()'],
] as const) {
  test(`nobody sees statuses of an author who is ${state}`, async t => {
    const { alice, bob, server } = await people(t, 'alice', 'bob')
    const anonymous = uncachedAnonymous(server)
    const status = await alice.postStatus('hello')
    const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json)
    await bob.post(`/api/v1/statuses/${status.id}/favourite`)
    await bob.post(`/api/v1/statuses/${status.id}/bookmark`)
    assert.equal((await anonymous.get(`/api/v1/statuses/${boost.id}`)).status, 200)
    await tell(
      server,
      `with changed as (update accounts set ${change} where id = $1 returning id)
       insert into events (kind, account_id) select 'account.changed', changed.id from changed`,
      [alice.id],
    )
    await waitForEventLog(bob)
    for (const viewer of [bob, anonymous]) {
      assert.equal((await viewer.get(`/api/v1/statuses/${status.id}`)).status, 404)
      assert.equal((await viewer.get(`/api/v1/statuses/${boost.id}`)).status, 404, 'what it boosts is not visible')
    }
    for (const kept of ['favourites', 'bookmarks']) assert.deepEqual((await bob.get(`/api/v1/${kept}`)).json, [])
  })
}

test('a list of ids leaves out excluded accounts, a single read does not', async t => {
  const { alice, bob, carol, dave, anonymous, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const own = await alice.postStatus('mine')
  const byBob = await bob.postStatus('blocked')
  const byCarol = await carol.postStatus('muted')
  const byDave = await dave.postStatus('limited')
  await relate(server, 'blocks', alice, bob)
  await relate(server, 'mutes', alice, carol)
  await tell(server, 'update accounts set silenced_at = now() where id = any ($1)', [[dave.id, alice.id]])
  const far = await person(server, 'far')
  const byFar = await far.postStatus('of a blocked domain')
  await tell(server, `update accounts set domain = 'far.example', uri = 'https://far.example/' || id where id = $1`, [
    far.id,
  ])
  await alice.post('/api/v1/domain_blocks', { domain: 'far.example' })
  const ids = [own.id, byBob.id, byCarol.id, byDave.id, byFar.id]
  const list = async (viewer: Client): Promise<string[]> =>
    entities((await viewer.get('/api/v1/statuses', { 'id[]': [...ids, '1', 'abc'] })).json).map(one => one.id)
  assert.deepEqual(await list(alice), [own.id])
  assert.deepEqual(await list(bob), [byFar.id, byCarol.id, byBob.id], 'newest first')
  assert.deepEqual(await list(anonymous), [byFar.id, byCarol.id, byBob.id])
  await relate(server, 'follows', alice, dave)
  assert.deepEqual(await list(alice), [byDave.id, own.id])
  for (const id of ids) assert.equal((await alice.get(`/api/v1/statuses/${id}`)).status, 200)
  const many = Array.from({ length: 21 }, (_, index) => String(index + 1))
  const response = await alice.get('/api/v1/statuses', { 'id[]': many })
  assert.deepEqual([response.status, response.json], [422, { error: 'Mastodon::ValidationError' }])
  const same = entities(
    (await alice.get('/api/v1/statuses', { 'id[]': Array.from({ length: 25 }, () => own.id) })).json,
  )
  assert.deepEqual(
    same.map(one => one.id),
    [own.id],
    'what is named often counts once',
  )
  assert.deepEqual((await alice.get('/api/v1/statuses')).json, [])
})

test('a marked account makes its statuses sensitive for others', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await tell(server, 'update accounts set sensitized_at = now() where id = $1', [alice.id])
  const status = await alice.postStatus('hm')
  assert.equal(status['sensitive'], false)
  assert.equal(entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)['sensitive'], true)
})

test('users who can no longer see a status can still undo their actions', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('hello')
  const path = `/api/v1/statuses/${status.id}`
  for (const action of ['favourite', 'bookmark', 'reblog'])
    assert.equal((await bob.post(`${path}/${action}`)).status, 200)
  await relate(server, 'blocks', alice, bob)
  for (const action of ['unfavourite', 'unbookmark', 'unreblog']) {
    const response = await bob.post(`${path}/${action}`)
    assert.equal(response.status, 200, response.text)
    const seen = entity(response.json)
    assert.deepEqual(
      [seen.id, seen['favourited'], seen['bookmarked'], seen['reblogged']],
      [status.id, false, false, false],
    )
    assert.equal((await bob.post(`${path}/${action}`)).status, 404, `${action} again`)
  }
  const [left] = await sql(server, `select favourites_count, reblogs_count from status_stats where status_id = $1`, [
    status.id,
  ])
  assert.deepEqual(left, { favourites_count: 0, reblogs_count: 0 })
})

test('a message can be read and reported after its author has blocked the recipient', async t => {
  const { author, victim, stranger, server } = await people(t, 'author', 'victim', 'stranger')
  await victim.follow(author)
  const messages: Record<string, string> = {}
  for (const visibility of ['direct', 'private', 'public'])
    messages[visibility] = (await author.postStatus(`@${victim.username} a threat`, { visibility })).id
  await author.post(`/api/v1/accounts/${victim.id}/block`)
  await waitForEventLog(victim)
  const statusesOf = async (reader: Client): Promise<number[]> =>
    Promise.all(Object.values(messages).map(async id => (await reader.get(`/api/v1/statuses/${id}`)).status))
  assert.deepEqual(await statusesOf(victim), [200, 200, 404])
  assert.deepEqual(await statusesOf(stranger), [404, 404, 200])
  const { direct = '', private: closed = '', public: open = '' } = messages
  for (const action of ['favourite', 'bookmark', 'reblog'])
    assert.equal((await victim.post(`/api/v1/statuses/${open}/${action}`)).status, 404, action)
  assert.equal((await victim.get(`/api/v1/statuses/${open}/history`)).status, 404)
  assert.equal((await victim.post(`/api/v1/statuses/${direct}/bookmark`)).status, 200)
  const listed = entities((await victim.get('/api/v1/statuses', { 'id[]': direct })).json)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [direct],
  )
  const notified = entities((await victim.get('/api/v1/notifications', { types: 'mention' })).json)
  assert.deepEqual(
    notified.map(one => entity(one['status'])['id']),
    [closed, direct],
  )
  const [conversation] = entities((await victim.get('/api/v1/conversations')).json)
  assert.equal(entity(conversation?.['last_status'])['id'], direct)
  const profile = await victim.get(`/api/v1/accounts/${author.id}/statuses`)
  assert.deepEqual(profile.json, [])
  const report = { account_id: author.id, status_ids: [direct, closed] }
  const reported = await victim.post('/api/v1/reports', report)
  assert.deepEqual([reported.status, entity(reported.json)['status_ids']], [200, [direct, closed]])
  assert.equal((await sql(server, 'select from mentions where status_id = $1', [direct])).length, 1)
})
