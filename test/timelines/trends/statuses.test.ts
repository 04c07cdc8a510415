import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf, type ClientResponse } from '../../support/client.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { crowd, openPlace, type Place } from './trend_fixtures.ts'

const ids = (response: ClientResponse): string[] => (response.json as { id: string }[]).map(({ id }) => id)
const TRENDS = '/api/v1/trends/statuses'

/** All of these boost or favourite it, in turns. */
async function like(status: string, by: readonly Person[]): Promise<void> {
  await Promise.all(
    by.map(async (one, index) => {
      const response = await one.post(`/api/v1/statuses/${status}/${index % 2 === 0 ? 'favourite' : 'reblog'}`)
      assert.equal(response.status, 200, response.text)
    }),
  )
}

async function liked(author: Person, by: readonly Person[], text: string, more = {}): Promise<string> {
  const { id } = await author.postStatus(text, more)
  await like(id, by)
  return id
}

const makeOlder = ({ server }: Place, status: string, hours: number): Promise<unknown> =>
  sql(server, 'update statuses set created_at = created_at - make_interval(hours => $2) where id = $1', [status, hours])

test('statuses trend by boosts and favourites and sink with their age, one of each author', async t => {
  const place = await openPlace(t, { trendable_by_default: true })
  const { server, ctl } = place
  const people = await crowd(server, 8)
  const [alice, bob, carol] = people
  assert.ok(alice && bob && carol)
  const seven = await liked(alice, people.slice(1), 'seven')
  const second = await liked(alice, people.slice(2), 'six of the same author')
  const five = await liked(bob, people.slice(3), 'five')
  await liked(carol, people.slice(4), 'four are not enough')
  await ctl('trends', 'refresh')
  const reader = new Client(server)
  assert.deepEqual(ids(await reader.get(TRENDS)), [seven, five])
  const [score] = await sql(
    server,
    'select round(score::numeric, 1)::float as score from status_trends where status_id = $1',
    [seven],
  )
  assert.ok(Number(score?.['score']) > 35.5 && Number(score?.['score']) <= 36)
  const first = await reader.get(TRENDS, { limit: '1' })
  assert.equal(linkOf(first, 'next'), `${TRENDS}?limit=1&offset=1`)
  assert.deepEqual(ids(await reader.get(linkOf(first, 'next') ?? '')), [five])
  await makeOlder(place, seven, 2)
  await makeOlder(place, second, 7)
  await ctl('trends', 'refresh')
  assert.deepEqual(ids(await alice.get(TRENDS)), [five, seven])
  await bob.delete(`/api/v1/statuses/${five}`)
  assert.deepEqual(ids(await alice.get(TRENDS)), [seven])
  assert.deepEqual(ids(await reader.get(TRENDS)), [seven], 'nor is it in memory')
  await alice.post(`/api/v1/statuses/${seven}/favourite`)
  await makeOlder(place, seven, 8)
  await ctl('trends', 'refresh')
  assert.deepEqual(ids(await alice.get(TRENDS)), [])
})

test('only statuses that may be shown to everybody trend', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 5)
  const discoverable = (more = {}): Promise<Person> =>
    person(server, 'author', { account: { discoverable: true, ...more } })
  const author = await discoverable()
  const original = await (await discoverable()).postStatus('the original')
  const hidden = await (await person(server, 'shy')).postStatus('by somebody who is not to be found')
  const good = await liked(await discoverable(), people, 'good')
  const quotes = await liked(await discoverable(), people, 'quotes', { quoted_status_id: original.id })
  await liked(await person(server, 'shy'), people, 'not discoverable')
  await liked(await discoverable({ silenced_at: new Date() }), people, 'limited')
  await liked(await discoverable({ sensitized_at: new Date() }), people, 'sensitized')
  await liked(author, people, 'warned', { spoiler_text: 'careful' })
  await liked(author, people, 'sensitive', { sensitive: true })
  await liked(author, people, 'an answer', { in_reply_to_id: original.id })
  await liked(author, people, 'unlisted', { visibility: 'unlisted' })
  await liked(author, people, 'quotes what may not trend', { quoted_status_id: hidden.id })
  const speechless = await liked(author, people, 'no language')
  await sql(server, 'update statuses set language = null where id = $1', [speechless])
  await ctl('trends', 'refresh')
  assert.deepEqual(ids(await new Client(server).get(TRENDS)).sort(), [good, quotes].sort())
})

test('accounts that the caller excludes are left out, and accounts that exclude the caller', async t => {
  const { server, ctl } = await openPlace(t, { trendable_by_default: true })
  const people = await crowd(server, 5)
  const [blocked, muted, blocking, wanted] = await crowd(server, 4)
  assert.ok(blocked && muted && blocking && wanted)
  for (const author of [blocked, muted, blocking]) await liked(author, people, 'hello')
  const shown = await liked(wanted, people, 'hello')
  await ctl('trends', 'refresh')
  const reader = await person(server, 'reader')
  assert.equal(ids(await reader.get(TRENDS)).length, 4)
  await reader.post(`/api/v1/accounts/${blocked.id}/block`)
  await reader.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocking.post(`/api/v1/accounts/${reader.id}/block`)
  assert.deepEqual(ids(await reader.get(TRENDS)), [shown])
})

test('a status follows its author until a moderator decides about it; languages come first', async t => {
  const { server, ctl } = await openPlace(t)
  const people = await crowd(server, 5)
  const [alice, bob] = await crowd(server, 2)
  assert.ok(alice && bob)
  const english = await liked(alice, people, 'good morning', { language: 'en' })
  const german = await liked(bob, people, 'guten Morgen', { language: 'de' })
  await ctl('trends', 'refresh')
  const trends = async (lang: string): Promise<string[]> => ids(await alice.get(TRENDS, { lang }))
  assert.deepEqual(await trends('de'), [])
  await ctl('trends', 'approve', 'account', alice.username)
  assert.deepEqual(await trends('de'), [english])
  await ctl('trends', 'approve', 'status', german)
  await ctl('trends', 'reject', 'account', bob.username)
  assert.deepEqual(
    [await trends('de'), await trends('en')],
    [
      [german, english],
      [english, german],
    ],
  )
  await ctl('trends', 'reject', 'status', english)
  assert.deepEqual(await trends('de'), [german])
})

test('only anonymous responses are cacheable', async t => {
  const { server } = await openPlace(t)
  const [alice] = await crowd(server, 1)
  for (const kind of ['', '/tags', '/statuses', '/links']) {
    const path = `/api/v1/trends${kind}`
    const open = await new Client(server).get(path)
    const cache = 'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400'
    assert.deepEqual([open.text, open.headers.get('cache-control')], ['[]', cache])
    assert.match(open.headers.get('vary') ?? '', /^Authorization, Accept-Language/)
    const etag = open.headers.get('etag') ?? ''
    assert.equal((await new Client(server).get(path, {}, { 'if-none-match': etag })).status, 304)
    assert.equal((await alice?.get(path))?.headers.get('cache-control'), 'private, no-store')
  }
})
