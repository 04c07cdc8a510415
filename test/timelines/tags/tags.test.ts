import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, linkOf } from '../../support/client.ts'
import { makeToken, people, sql, type Person } from '../../support/people.ts'

interface Tag {
  id: string
  name: string
  url: string
  history: { day: string; accounts: string; uses: string }[]
  following?: boolean
  featuring?: boolean
}

let number = 0
/** A hashtag of this test alone. */
const fresh = (): string => `Topic${process.pid}x${(number += 1)}`

const post = async (person: Person, path: string): Promise<Tag> => (await person.post(path)).json as Tag

test('a hashtag has a history of seven days, today first', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const name = fresh()
  const unknown = await anonymous.get(`/api/v1/tags/${name}`)
  assert.equal(
    unknown.headers.get('cache-control'),
    'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
  )
  const blank = unknown.json as Tag
  const today = String(Math.floor(Date.now() / 86_400_000) * 86_400)
  assert.deepEqual(Object.keys(blank), ['id', 'name', 'url', 'history'])
  assert.deepEqual([blank.id, blank.name, blank.url], ['', name, `${server.url}/tags/${name.toLowerCase()}`])
  assert.equal(blank.history.length, 7)
  assert.deepEqual(blank.history[0], { day: today, accounts: '0', uses: '0' })
  assert.deepEqual(await sql(server, 'select from tags where name = $1', [name.toLowerCase()]), [])
  await alice.postStatus(`#${name}`)
  const again = await alice.postStatus(`#${name} again`)
  const last = await bob.postStatus(`#${name.toUpperCase()}`)
  await bob.postStatus(`#${name}`, { visibility: 'unlisted' })
  const used = (await bob.get(`/api/v1/tags/${name.toLowerCase()}`)).json as Tag
  assert.equal(used.name, name)
  assert.notEqual(used.id, '')
  assert.deepEqual(used.history[0], { day: today, accounts: '2', uses: '3' })
  assert.deepEqual([used.following, used.featuring], [false, false])
  await bob.delete(`/api/v1/statuses/${last.id}`)
  const uses = async (): Promise<unknown> =>
    ((await anonymous.get(`/api/v1/tags/${name}`)).json as Tag).history[0]?.uses
  assert.equal(await uses(), '2')
  await alice.put(`/api/v1/statuses/${again.id}`, { status: 'without a hashtag' })
  assert.equal(await uses(), '1')
  for (const wrong of ['tag-name', '123', '%23x']) {
    const response = await anonymous.get(`/api/v1/tags/${wrong}`)
    assert.deepEqual([response.status, response.json], [404, { error: 'Not Found' }], wrong)
  }
})

test('a hashtag is followed and unfollowed, also an unused one, with one event for each change', async t => {
  const { alice, server } = await people(t, 'alice')
  const name = fresh()
  assert.equal((await post(alice, `/api/v1/tags/${name}/follow`)).following, true)
  assert.equal((await post(alice, `/api/v1/tags/${name.toUpperCase()}/follow`)).name, name)
  assert.equal((await post(alice, `/api/v1/tags/${name}/unfollow`)).following, false)
  assert.equal((await alice.post(`/api/v1/tags/${name}/unfollow`)).status, 200)
  const events = await sql(
    server,
    `select data from events where kind = 'tag_follow.changed' and account_id = $1 order by id`,
    [alice.id],
  )
  assert.deepEqual(
    events.map(event => event['data']),
    [true, false].map(following => ({ name: name.toLowerCase(), following })),
  )
  assert.equal((await alice.post('/api/v1/tags/tag-name/follow')).status, 404)
})

test('followed hashtags are listed, the latest first, in pages', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const names = [fresh(), fresh(), fresh()]
  await bob.post(`/api/v1/tags/${fresh()}/follow`)
  for (const name of names) await alice.post(`/api/v1/tags/${name}/follow`)
  const { id: status } = await bob.postStatus(`about #${names[0]}`)
  const home = (await alice.get('/api/v1/timelines/home')).json as { id: string }[]
  assert.deepEqual(
    home.map(({ id }) => id),
    [status],
  )
  const all = await alice.get('/api/v1/followed_tags')
  assert.deepEqual(
    (all.json as Tag[]).map(tag => [tag.name, tag.following]),
    [...names].reverse().map(name => [name, true]),
  )
  const first = await alice.get('/api/v1/followed_tags', { limit: '1' })
  const [next, prev] = [linkOf(first, 'next'), linkOf(first, 'prev')]
  assert.match(String(next), /^\/api\/v1\/followed_tags\?limit=1&max_id=\d+$/)
  assert.match(String(prev), /^\/api\/v1\/followed_tags\?limit=1&since_id=\d+$/)
  assert.equal(/\d+$/.exec(String(next))?.[0], /\d+$/.exec(String(prev))?.[0])
  assert.deepEqual((await alice.get(String(prev))).json, [], 'nothing is newer than the newest')
  const second = await alice.get(String(next))
  assert.deepEqual(
    (second.json as Tag[]).map(tag => tag.name),
    [names[1]],
  )
  const below = /max_id=(\d+)/.exec(linkOf(await alice.get(String(linkOf(second, 'next'))), 'next') ?? '')?.[1]
  const upwards = await alice.get('/api/v1/followed_tags', { limit: '1', min_id: String(below) })
  assert.deepEqual(
    (upwards.json as Tag[]).map(tag => tag.name),
    [names[1]],
  )
})

test('hashtags are featured by name and by form, at most ten', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const name = fresh()
  await alice.postStatus(`#${name}`)
  const featured = await alice.post('/api/v1/featured_tags', { name: ` #${name} ` })
  assert.equal(featured.status, 200, featured.text)
  const entity = featured.json as { id: string }
  assert.deepEqual(entity, {
    id: entity.id,
    name,
    url: `${server.url}/@${alice.username}/tagged/${name.toLowerCase()}`,
    statuses_count: '1',
    last_status_at: new Date().toISOString().slice(0, 10),
  })
  assert.deepEqual((await alice.post('/api/v1/featured_tags', { name })).json, entity)
  for (const [wrong, status, error] of [
    [name.toLowerCase(), 422, 'Validation failed: Tag has already been taken'],
    ['asj&*!', 422, 'Validation failed: Name is invalid'],
    [' ', 400, 'param is missing or the value is empty or invalid: name'],
  ] as const) {
    const response = await alice.post('/api/v1/featured_tags', { name: wrong })
    assert.deepEqual([response.status, response.json], [status, { error }])
  }
  assert.deepEqual((await alice.get('/api/v1/featured_tags')).json, [entity])
  const others = await Promise.all(Array.from({ length: 11 }, () => alice.post(`/api/v1/tags/${fresh()}/feature`)))
  assert.equal(others.filter(response => response.status === 200).length, 9)
  assert.deepEqual(others.find(response => response.status !== 200)?.json, {
    error: 'Validation failed: You have already featured the maximum number of hashtags',
  })
  assert.equal((await post(alice, `/api/v1/tags/${name}/feature`)).featuring, true)
  for (const _ of [1, 2]) {
    const removed = await alice.post(`/api/v1/tags/${name}/unfeature`)
    assert.deepEqual([removed.status, (removed.json as Tag).featuring], [200, false])
  }
  const [left] = (await alice.get('/api/v1/featured_tags')).json as { id: string }[]
  const path = `/api/v1/featured_tags/${String(left?.id)}`
  const foreign = await bob.delete(path)
  assert.deepEqual([foreign.status, foreign.json], [404, { error: 'Record not found' }])
  assert.deepEqual((await alice.delete(path)).json, {})
  assert.ok(!((await alice.get('/api/v1/featured_tags')).json as { id: string }[]).some(({ id }) => id === left?.id))
  const again = await alice.delete(path)
  assert.deepEqual([again.status, again.json], [404, { error: 'Record not found' }])
})

test('featured hashtags are the caller’s own, most used first, on one page', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [seldom, often, foreign] = [fresh(), fresh(), fresh()]
  const names = async (who: Person): Promise<string[]> => {
    const response = await who.get('/api/v1/featured_tags', { limit: '1' })
    assert.equal(response.headers.get('link'), null)
    return (response.json as Tag[]).map(({ name }) => name)
  }
  assert.deepEqual(await names(alice), [])
  for (const name of [seldom, often]) await alice.post('/api/v1/featured_tags', { name })
  await bob.post('/api/v1/featured_tags', { name: foreign })
  for (const text of [`#${often} #${seldom}`, `#${often}`]) await alice.postStatus(text)
  assert.deepEqual(await names(alice), [often, seldom])
  assert.deepEqual(await names(bob), [foreign])
  const narrow = new Client(server, await makeToken(server, alice.userId, ['read:statuses']))
  assert.equal((await narrow.get('/api/v1/featured_tags')).status, 403)
  assert.equal((await narrow.post('/api/v1/featured_tags', { name: fresh() })).status, 403)
})

test('a featured hashtag counts public and unlisted statuses, as they are created and deleted', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const name = fresh()
  const featured = async (): Promise<unknown[]> => {
    const [tag] = (await bob.get(`/api/v1/accounts/${alice.id}/featured_tags`)).json as Record<string, unknown>[]
    const [own] = (await alice.get('/api/v1/featured_tags')).json as Record<string, unknown>[]
    assert.deepEqual(
      [own?.['statuses_count'], own?.['last_status_at']],
      [tag?.['statuses_count'], tag?.['last_status_at']],
    )
    return [tag?.['statuses_count'], tag?.['last_status_at']]
  }
  const today = new Date().toISOString().slice(0, 10)
  await alice.post(`/api/v1/tags/${name}/feature`)
  assert.deepEqual(await featured(), ['0', null])
  const ids: string[] = []
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    ids.push((await alice.postStatus(`#${name}`, { visibility })).id)
  await bob.postStatus(`#${name}`)
  assert.deepEqual(await featured(), ['2', today])
  await alice.put(`/api/v1/statuses/${ids[0]}`, { status: 'no longer' })
  assert.deepEqual(await featured(), ['1', today])
  await alice.delete(`/api/v1/statuses/${ids[1]}`)
  assert.deepEqual(await featured(), ['0', null])
  for (const [wrong, status] of [
    ['tag-name', 404],
    ['123', 404],
  ] as const)
    for (const what of ['follow', 'unfollow', 'feature', 'unfeature']) {
      const response = await alice.post(`/api/v1/tags/${wrong}/${what}`)
      assert.deepEqual([response.status, response.json], [status, { error: 'Not Found' }], `${what} ${wrong}`)
    }
  const nameless = await alice.post('/api/v1/featured_tags', {})
  assert.deepEqual(
    [nameless.status, nameless.json],
    [400, { error: 'param is missing or the value is empty or invalid: name' }],
  )
})

test('ten hashtags are suggested at most, from the statuses of a year', async t => {
  const { alice, server } = await people(t, 'alice')
  const names = Array.from({ length: 12 }, fresh)
  const long = fresh()
  for (let times = 0; times < 2; times++) await alice.postStatus([...names, long].map(name => `#${name}`).join(' '))
  const suggested = async (): Promise<string[]> =>
    ((await alice.get('/api/v1/featured_tags/suggestions', { limit: '40' })).json as Tag[]).map(tag => tag.name)
  assert.equal((await suggested()).length, 10)
  await sql(
    server,
    `insert into statuses (id, account_id, text, visibility, created_at)
     select snowflake_at(now() - interval '13 months'), $1, 'x', 'public', now() - interval '13 months'`,
    [alice.id],
  )
  const old = fresh()
  await sql(
    server,
    `with made as (insert into tags (name, display_name) values (lower($2), $2) returning id)
     insert into status_tags (tag_id, status_id)
     select made.id, s.id from made, statuses s where s.account_id = $1 and s.created_at < now() - interval '1 year'`,
    [alice.id, old],
  )
  assert.ok(!(await suggested()).includes(old))
})

test('hashtags with two recent uses are suggested, the most used first', async t => {
  const { alice } = await people(t, 'alice')
  const [once, twice, thrice, known] = [fresh(), fresh(), fresh(), fresh()]
  await alice.postStatus(`#${once} #${twice} #${thrice} #${known}`)
  await alice.postStatus(`#${twice} #${thrice} #${known}`)
  await alice.postStatus(`#${thrice}`)
  await alice.post(`/api/v1/tags/${known}/feature`)
  const suggested = (await alice.get('/api/v1/featured_tags/suggestions')).json as Tag[]
  assert.deepEqual(
    suggested.map(tag => [tag.name, tag.featuring]),
    [
      [thrice, false],
      [twice, false],
    ],
  )
})
