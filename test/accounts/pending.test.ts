import assert from 'node:assert/strict'
import { test } from 'tap'
import { collect } from './collections/collection_fixtures.ts'
import { people, person, sql, waitForEventLog } from '../support/people.ts'

const STATES = {
  unconfirmed: { confirmed_at: null },
  unapproved: { approved: false },
} as const

const READ = [
  '',
  '/statuses',
  '/followers',
  '/following',
  '/lists',
  '/featured_tags',
  '/endorsements',
  '/collections',
  '/in_collections',
]
const ACTIONS = [
  'follow',
  'unfollow',
  'remove_from_followers',
  'block',
  'unblock',
  'mute',
  'unmute',
  'pin',
  'unpin',
  'endorse',
  'unendorse',
  'note',
]
const MISSING = [404, { error: 'Record not found' }]

for (const [state, user] of Object.entries(STATES)) {
  test(`an ${state} account is not found by any request of others`, async t => {
    const { alice, anonymous, server } = await people(t, 'alice')
    const account = { discoverable: true, note: 'waiting' }
    const waiting = await person(server, state, { account, user })
    const answers = async (method: string, path: string, body?: unknown): Promise<void> => {
      const { status, json } = await alice.request(method, path, { body })
      assert.deepEqual([status, json], MISSING, `${method} ${path}`)
    }
    const at = `/api/v1/accounts/${waiting.id}`
    for (const path of READ) await answers('GET', `${at}${path}`)
    for (const action of ACTIONS) await answers('POST', `${at}/${action}`, {})
    await answers('GET', `/api/v1/accounts/lookup?acct=${waiting.username}`)
    await answers('POST', '/api/v1/reports', { account_id: waiting.id })
    for (const action of ['authorize', 'reject'])
      await answers('POST', `/api/v1/follow_requests/${waiting.id}/${action}`)
    const { id: list } = (await alice.post('/api/v1/lists', { title: 'l' })).json as { id: string }
    await answers('POST', `/api/v1/lists/${list}/accounts`, { account_ids: [waiting.id] })
    const { id: collection } = await collect(alice, [])
    await answers('POST', `/api/v1/collections/${collection}/items`, { account_id: waiting.id })

    for (const [path, query] of [
      ['/api/v1/accounts', { 'id[]': waiting.id }],
      ['/api/v1/accounts/relationships', { id: waiting.id, with_suspended: 'true' }],
      ['/api/v1/accounts/familiar_followers', { id: waiting.id }],
      ['/api/v1/accounts/search', { q: waiting.username }],
      ['/api/v1/accounts/search', { q: `${server.config.publicUrl}/@${waiting.username}` }],
      ['/api/v2/search', { q: waiting.username }],
      ['/api/v1/directory', { limit: '80' }],
      ['/api/v1/directory', { limit: '80', order: 'new', local: 'true' }],
      ['/api/v2/suggestions', {}],
    ] as const) {
      const response = await alice.get(path, query)
      assert.equal(response.status, 200, path)
      assert.ok(!response.text.includes(waiting.id), `${path}: ${response.text}`)
    }
    const status = await alice.postStatus(`@${waiting.username} hello`)
    assert.deepEqual(
      [status['mentions'], await sql(server, 'select from notifications where account_id = $1', [waiting.id])],
      [[], []],
    )
    const text = state === 'unconfirmed' ? 'missing a confirmed e-mail address' : 'currently pending approval'
    for (const path of ['/api/v1/accounts/verify_credentials', '/api/v1/preferences', '/api/v1/timelines/home']) {
      const refused = await waiting.get(path)
      assert.deepEqual([refused.status, refused.json], [403, { error: `Your login is ${text}` }], path)
    }
    assert.equal((await anonymous.get(at)).status, 404)
    const moderator = await person(server, 'moderator', { roleId: 1 })
    assert.equal((await moderator.get(at)).status, 200, 'moderators decide about it')

    await sql(
      server,
      `with u as (update users set confirmed_at = now(), approved = true where account_id = $1 returning account_id)
       insert into events (kind, account_id, data) select 'user.changed', u.account_id, '{"change": "operator"}' from u`,
      [waiting.id],
    )
    await waitForEventLog(alice)
    assert.equal((await anonymous.get(at)).status, 200)
    assert.equal((await alice.post(`${at}/follow`)).status, 200)
  })
}

test('a moderator who acts on an account that waits sees the relationship', async t => {
  const { alice, server } = await people(t, 'alice')
  const waiting = await person(server, 'waiting', { user: { approved: false } })
  const moderator = await person(server, 'moderator', { roleId: 1 })
  const at = `/api/v1/accounts/${waiting.id}`
  const changes: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ['mute', {}, { muting: true, muting_notifications: true }],
    ['unmute', {}, { muting: false }],
    ['note', { comment: 'who is it' }, { note: 'who is it' }],
    ['block', {}, { blocking: true, note: 'who is it' }],
    ['unblock', {}, { blocking: false }],
  ]
  for (const [action, body, expected] of changes) {
    const response = await moderator.post(`${at}/${action}`, body)
    assert.equal(response.status, 200, `${action}: ${response.text}`)
    const shown = response.json as Record<string, unknown>
    for (const [member, value] of Object.entries(expected)) assert.equal(shown[member], value, `${action}: ${member}`)
    const listed = await moderator.get('/api/v1/accounts/relationships', { id: waiting.id })
    assert.deepEqual(listed.json, [shown], action)
    assert.equal((await alice.post(`${at}/${action}`, body)).status, 404, action)
  }
  // Nobody follows an account that nobody else sees.
  assert.equal((await moderator.post(`${at}/follow`)).status, 404)
  const rows = await sql(server, 'select from follows f where f.target_account_id = $1', [waiting.id])
  assert.deepEqual(rows, [])
})
