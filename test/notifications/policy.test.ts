import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { notified } from './notified.ts'

const V2 = '/api/v2/notifications/policy'
const V1 = '/api/v1/notifications/policy'

const DEFAULTS = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}
const EVERYTHING = Object.fromEntries(Object.keys(DEFAULTS).map(category => [category, 'accept']))
const NOTHING_HELD = { pending_requests_count: 0, pending_notifications_count: 0 }

test('a policy has defaults, and only sent values change', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const fresh = await alice.get(V2)
  assert.deepEqual(Object.entries(fresh.json as object), [...Object.entries(DEFAULTS), ['summary', NOTHING_HELD]])
  assert.equal(fresh.headers.get('cache-control'), 'private, no-store')
  const changed = await alice.patch(V2, { for_bots: 'drop', for_private_mentions: 'accept' })
  const expected = { ...DEFAULTS, for_bots: 'drop', for_private_mentions: 'accept', summary: NOTHING_HELD }
  assert.deepEqual([changed.status, changed.json], [200, expected])
  const again = await alice.put(V2, new URLSearchParams({ for_new_accounts: 'filter' }))
  assert.deepEqual(again.json, { ...expected, for_new_accounts: 'filter' })
  assert.deepEqual((await alice.get(V2)).json, again.json)
  assert.deepEqual((await bob.get(V2)).json, fresh.json)
})

test('an invalid value is refused and changes nothing', async t => {
  const { alice } = await people(t, 'alice')
  for (const value of ['reject', 'ACCEPT', '', 1]) {
    for (const method of ['PATCH', 'PUT']) {
      const response = await alice.request(method, V2, { body: { for_bots: 'drop', for_not_following: value } })
      assert.deepEqual([response.status, response.json], [422, { error: 'Validation failed' }], method)
    }
  }
  assert.deepEqual((await alice.get(V2)).json, { ...DEFAULTS, summary: NOTHING_HELD })
})

test('version 1 of a policy shows a flag for everything not accepted, and accepts booleans as text', async t => {
  const { alice } = await people(t, 'alice')
  const flags = {
    filter_not_following: false,
    filter_not_followers: false,
    filter_new_accounts: false,
    filter_private_mentions: true,
    filter_bots: false,
  }
  assert.deepEqual((await alice.get(V1)).json, { ...flags, summary: NOTHING_HELD })
  await alice.patch(V2, { for_not_followers: 'drop', for_limited_accounts: 'accept' })
  const response = await alice.put(V1, new URLSearchParams({ filter_private_mentions: 'false', filter_bots: 'true' }))
  const expected = { ...flags, filter_not_followers: true, filter_private_mentions: false, filter_bots: true }
  assert.deepEqual(response.json, { ...expected, summary: NOTHING_HELD })
  assert.deepEqual((await alice.patch(V1, { filter_not_followers: false })).json, {
    ...expected,
    filter_not_followers: false,
    summary: NOTHING_HELD,
  })
  assert.deepEqual((await alice.get(V2)).json, {
    ...EVERYTHING,
    for_bots: 'filter',
    summary: NOTHING_HELD,
  })
})

interface Case {
  category: string
  what: string
  /** Columns of the sender's account; a sender is older than 30 days unless it says otherwise. */
  account?: Record<string, unknown>
  prepare?: (recipient: Person, sender: Person, server: TestServer) => Promise<unknown>
  act?: (recipient: Person, sender: Person) => Promise<unknown>
  matches: boolean
}

const OLD = new Date(Date.now() - 31 * 86_400_000)
const follows = (recipient: Person, sender: Person): Promise<unknown> => recipient.follow(sender)
const followedFor =
  (interval: string): NonNullable<Case['prepare']> =>
  (recipient, sender, server) =>
    sql(
      server,
      `insert into follows (account_id, target_account_id, created_at) values ($1, $2, now() - $3::interval)`,
      [sender.id, recipient.id, interval],
    )
const whisper = (recipient: Person, sender: Person): Promise<unknown> =>
  sender.postStatus(`@${recipient.username} psst`, { visibility: 'direct' })

const answerWhisper = async (recipient: Person, sender: Person): Promise<unknown> => {
  const question = await recipient.postStatus(`@${sender.username} well?`, { visibility: 'direct' })
  const own = await sender.postStatus('hm', { visibility: 'direct', in_reply_to_id: question.id })
  return sender.postStatus(`@${recipient.username} well`, { visibility: 'direct', in_reply_to_id: own.id })
}

const CASES: Case[] = [
  { category: 'for_not_following', what: 'a stranger', matches: true },
  { category: 'for_not_following', what: 'a followed account', prepare: follows, matches: false },
  { category: 'for_not_followers', what: 'an account that does not follow', matches: true },
  { category: 'for_not_followers', what: 'a follower for two days', prepare: followedFor('2 days'), matches: true },
  { category: 'for_not_followers', what: 'a follower for four days', prepare: followedFor('4 days'), matches: false },
  { category: 'for_new_accounts', what: 'a new account', account: { created_at: new Date() }, matches: true },
  { category: 'for_new_accounts', what: 'an old account', matches: false },
  {
    category: 'for_new_accounts',
    what: 'a new account that is followed',
    account: { created_at: new Date() },
    prepare: follows,
    matches: false,
  },
  { category: 'for_limited_accounts', what: 'a limited account', account: { silenced_at: OLD }, matches: true },
  {
    category: 'for_limited_accounts',
    what: 'a limited account that is followed',
    account: { silenced_at: OLD },
    prepare: follows,
    matches: false,
  },
  { category: 'for_bots', what: 'a bot', account: { actor_type: 'Service' }, matches: true },
  { category: 'for_bots', what: 'a person', matches: false },
  { category: 'for_private_mentions', what: 'a private mention', act: whisper, matches: true },
  { category: 'for_private_mentions', what: 'a public mention', matches: false },
  {
    category: 'for_private_mentions',
    what: 'a private mention by a followed account',
    prepare: follows,
    act: whisper,
    matches: false,
  },
  { category: 'for_private_mentions', what: 'an answer to a private mention', act: answerWhisper, matches: false },
]

test('each category matches the right senders under every policy', async t => {
  const { server } = await people(t)
  for (const { category, what, account, prepare, act, matches } of CASES) {
    for (const verdict of ['accept', 'filter', 'drop']) {
      const recipient = await person(server, 'recipient')
      const sender = await person(server, 'sender', { account: { created_at: OLD, ...account } })
      await prepare?.(recipient, sender, server)
      await recipient.patch(V2, { ...EVERYTHING, [category]: verdict })
      await (act ? act(recipient, sender) : sender.postStatus(`@${recipient.username} hello`))
      const all = await notified(recipient, { include_filtered: 'true', 'types[]': 'mention' })
      const listed = await notified(recipient, { 'types[]': 'mention' })
      const found = all.length === 0 ? 'drop' : listed.length === 0 ? 'filter' : 'accept'
      assert.equal(found, matches ? verdict : 'accept', `${category}: ${what}, ${verdict}`)
    }
  }
})

test('pending notifications are counted up to 101 a request, without suspended accounts', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  for (const one of [bob, bob, carol]) await whisper(alice, one)
  const summary = async (): Promise<unknown> => ((await alice.get(V2)).json as { summary: unknown }).summary
  assert.deepEqual(await summary(), { pending_requests_count: 2, pending_notifications_count: 3 })
  await sql(server, 'update notification_requests set notifications_count = 150 where from_account_id = $1', [bob.id])
  assert.deepEqual(await summary(), { pending_requests_count: 2, pending_notifications_count: 101 })
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [bob.id])
  assert.deepEqual(await summary(), { pending_requests_count: 1, pending_notifications_count: 1 })
})
