import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForEvent } from '../waiting.ts'
import { fakeTimers } from '../../support/fake_timers.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

interface Suggestion {
  source: string | null
  sources: string[]
  account: { id: string }
}

const someone = (server: TestServer, name: string, account: Record<string, unknown> = {}): Promise<Person> =>
  person(server, name, { account: { discoverable: true, ...account } })

async function sourcesOf(viewer: Person): Promise<Map<string, readonly [string | null, string[]]>> {
  const suggestions = (await viewer.get('/api/v2/suggestions')).json as Suggestion[]
  return new Map(suggestions.map(({ account, source, sources }) => [account.id, [source, sources] as const]))
}

test('accounts followed by friends are suggested until the viewer has a relationship with them', async t => {
  const server = await startServer(t)
  const alice = await someone(server, 'alice')
  const friend = await someone(server, 'friend')
  const secretive = await someone(server, 'secretive', { hide_collections: true })
  const names = ['carol', 'blocked', 'muted', 'blocking', 'requested', 'dismissed', 'suspended'] as const
  const made = await Promise.all(names.map(name => someone(server, name, name === 'requested' ? { locked: true } : {})))
  const [carol, blocked, muted, blocking, requested, dismissed, suspended] = made
  assert.ok(carol && blocked && muted && blocking && requested && dismissed && suspended)
  const hidden = await someone(server, 'hidden', { discoverable: false })
  const limited = await someone(server, 'limited', { silenced_at: new Date() })
  const elsewhere = await someone(server, 'elsewhere')
  const far = await someone(server, 'far', { domain: 'far.example' })
  await sql(server, 'insert into follows (account_id, target_account_id) select $1, id from unnest($2::bigint[]) id', [
    friend.id,
    [...made, far, hidden, limited, alice].map(({ id }) => id),
  ])
  await secretive.follow(elsewhere)
  assert.deepEqual(await sourcesOf(alice), new Map())
  await alice.follow(friend)
  await alice.follow(secretive)
  assert.deepEqual(
    [...(await sourcesOf(alice)).keys()].sort(),
    [...made, far].map(({ id }) => id).sort(),
    'a new follow has an immediate effect',
  )
  await alice.post(`/api/v1/accounts/${blocked.id}/block`)
  await alice.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocking.post(`/api/v1/accounts/${alice.id}/block`)
  await alice.post(`/api/v1/accounts/${requested.id}/follow`)
  await alice.delete(`/api/v1/suggestions/${dismissed.id}`)
  assert.equal((await alice.post('/api/v1/domain_blocks', { domain: 'far.example' })).status, 200)
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [suspended.id])
  assert.deepEqual(
    await sourcesOf(alice),
    new Map([[carol.id, ['past_interactions', ['friends_of_friends']] as const]]),
  )
  const accounts = (await alice.get('/api/v1/suggestions')).json as { id: string }[]
  assert.deepEqual(
    accounts.map(({ id }) => id),
    [carol.id],
  )
  await alice.follow(carol)
  assert.deepEqual(await sourcesOf(alice), new Map())
})

test('an account is similar to a followed one when at least two accounts follow both', async t => {
  const server = await startServer(t)
  const [alice, star, similar, other] = await Promise.all(
    ['alice', 'star', 'similar', 'other'].map(name => someone(server, name)),
  )
  const fans = await Promise.all(['one', 'two'].map(name => someone(server, name)))
  const [first] = fans
  assert.ok(alice && star && similar && other && first)
  for (const fan of fans) {
    await fan.follow(star)
    await fan.follow(similar)
  }
  await first.follow(other)
  await alice.follow(star)
  const expected = new Map([[similar.id, ['past_interactions', ['similar_to_recently_followed']] as const]])
  assert.deepEqual(await sourcesOf(alice), expected)
})

test('accounts popular in the language of the viewer are suggested after the daily ranking', async t => {
  const server = await startServer(t)
  const fans = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(name => person(server, name)))
  const famous = await someone(server, 'famous')
  const liked = await someone(server, 'liked')
  const german = await someone(server, 'german')
  await famous.postStatus('hello', { language: 'en' })
  await german.postStatus('hallo', { language: 'de' })
  const { id } = await liked.postStatus('look', { language: 'en' })
  for (const fan of fans) {
    await fan.follow(famous)
    await fan.follow(german)
    await fan.post(`/api/v1/statuses/${id}/favourite`)
  }
  const alice = await person(server, 'alice')
  const reader = await person(server, 'reader', { user: { chosen_languages: ['de', 'fr'] } })
  await sql(server, `select graphile_worker.add_job('suggestions.rank')`)
  await waitForEvent(server, `e.kind = 'suggestions.ranked'`)
  const found = await sourcesOf(alice)
  assert.deepEqual(found.get(famous.id), ['global', ['most_followed']])
  assert.deepEqual(found.get(liked.id), ['global', ['most_interactions']])
  assert.equal(found.size, 2)
  assert.deepEqual([...(await sourcesOf(reader)).keys()], [german.id])
})

test('each viewer has another order by chance, kept for fifteen minutes', async t => {
  const server = await startServer(t, { oneProcess: 'the clock of one process is moved' })
  const [alice, bob, friend] = [
    await someone(server, 'alice'),
    await someone(server, 'bob'),
    await someone(server, 'friend'),
  ]
  const names = Array.from({ length: 12 }, (_, index) => `one${index}`)
  for (const one of await Promise.all(names.map(name => someone(server, name)))) await friend.follow(one)
  for (const viewer of [alice, bob]) await viewer.follow(friend)
  const late = await someone(server, 'late')
  const timers = fakeTimers(t)
  const window = 15 * 60_000
  const start = Math.ceil(Date.now() / window) * window
  timers.enable({ apis: ['Date'], now: start + 1000 })
  const order = async (viewer = alice): Promise<string[]> => [...(await sourcesOf(viewer)).keys()]
  const first = await order()
  const ofBob = await order(bob)
  const common = (ids: string[]): string[] => ids.filter(id => id !== alice.id && id !== bob.id)
  assert.deepEqual(common(ofBob).toSorted(), common(first).toSorted())
  assert.notDeepEqual(common(ofBob), common(first))
  // Without an event, so that only the time shows it.
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [friend.id, late.id])
  timers.setTime(start + window - 1000)
  assert.deepEqual(await order(), first)
  timers.setTime(start + window + 1000)
  assert.ok((await order()).includes(late.id))
})
