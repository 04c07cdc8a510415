import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { entity } from '../statuses/status_fixtures.ts'
import { Client, linkOf, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql, waitForEventLog, type Person } from '../support/people.ts'
import { startServer, type ServerAddress } from '../support/server.ts'

const PUBLIC = '/api/v1/timelines/public'

const idsOf = ({ status, text, json }: ClientResponse): string[] => {
  assert.equal(status, 200, text)
  return (json as { id: string }[]).map(({ id }) => id)
}

/** Shows a trending link under statuses. */
async function shareLink(server: ServerAddress, ids: readonly string[]): Promise<string> {
  const url = `https://news.example/${randomBytes(6).toString('hex')}`
  await sql(
    server,
    `with card as (insert into preview_cards (url, type, title, trendable) values ($1, 'link', 'News', true) returning id),
     trend as (insert into link_trends (preview_card_id, peak, peaked_at, score) select card.id, 9, now(), 9 from card)
     insert into preview_cards_statuses (status_id, preview_card_id, url) select unnest($2::bigint[]), card.id, $1 from card`,
    [url, ids],
  )
  return url
}

const newList = async (owner: Person, member: Person): Promise<string> => {
  const { id } = entity((await owner.post('/api/v1/lists', { title: 'list' })).json)
  await owner.post(`/api/v1/lists/${id}/accounts`, { account_ids: [member.id] })
  return id
}

test('each page with statuses links to those before and after it, and keeps what was asked for', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set discoverable = true where id = $1', [alice.id])
  await bob.follow(alice)
  const tag = `pages${randomBytes(4).toString('hex')}`
  const all: string[] = []
  for (let number = 0; number < 3; number += 1) all.unshift((await alice.postStatus(`number ${number} #${tag}`)).id)
  const [newest = '', middle = '', oldest = ''] = all
  const list = await newList(bob, alice)
  const url = await shareLink(server, all)
  const more = { local: 'true', remote: 'true', only_media: 'false' }
  const shown = `url=${encodeURIComponent(url)}`
  const cases: readonly [path: string, query: Record<string, string>, before: string, after: string][] = [
    ['/api/v1/timelines/home', {}, '', ''],
    [`/api/v1/timelines/list/${list}`, {}, '', ''],
    [PUBLIC, more, 'local=true&', '&only_media=false&remote=true'],
    [`/api/v1/timelines/tag/${tag}`, { ...more, 'any[]': 'x', 'none[]': 'y' }, 'local=true&', '&only_media=false'],
    ['/api/v1/timelines/link', { url }, '', `&${shown}`],
  ]
  for (const [path, query, before, after] of cases) {
    const read = (range: Record<string, string>) => bob.get(path, { ...query, ...range })
    const first = await read({ limit: '2', max_id: String(BigInt(newest) + 1n) })
    assert.deepEqual(idsOf(first), [newest, middle], path)
    const links = (response: ClientResponse) => [linkOf(response, 'next'), linkOf(response, 'prev')].map(sortedQuery)
    const both = (last: string, top: string, limit: string) =>
      [`max_id=${last}`, `min_id=${top}`].map(cut => sortedQuery(`${path}?limit=${limit}&${before}${cut}${after}`))
    assert.deepEqual(links(first), both(middle, newest, '2'), path)
    const last = await read({ limit: '2', max_id: middle })
    assert.deepEqual(idsOf(last), [oldest], path)
    assert.deepEqual(links(last), both(oldest, oldest, '2'), path)
    const none = await read({ max_id: oldest })
    assert.deepEqual([idsOf(none), none.headers.get('link')], [[], null], path)
    assert.deepEqual(idsOf(await read({ limit: '2', min_id: oldest })), [newest, middle], path)
    assert.deepEqual(idsOf(await read({ limit: '1', min_id: oldest })), [middle], path)
  }
})

/** The path with its parameters in one order. */
function sortedQuery(path: string | undefined): string {
  const { pathname, searchParams } = new URL(path ?? '', 'http://x')
  searchParams.sort()
  return `${pathname}?${searchParams.toString()}`
}

test('feeds of a user need one, and the public ones a token that may read statuses', async t => {
  const { alice, server } = await people(t, 'alice')
  const list = await newList(alice, alice)
  const app = new Client(server, await makeToken(server, null))
  for (const path of ['/api/v1/timelines/home', `/api/v1/timelines/list/${list}`]) {
    const { status, json, headers } = await app.get(path)
    assert.deepEqual([status, json], [422, { error: 'This method requires an authenticated user' }])
    assert.equal(headers.get('link'), null)
  }
  const profile = new Client(server, await makeToken(server, alice.userId, ['profile']))
  const { status, json } = await profile.get(PUBLIC)
  assert.deepEqual([status, json], [403, { error: 'This action is outside the authorized scopes' }])
})

test('the instance tells who may read which feed', async t => {
  const server = await startServer(t, {
    settings: {
      local_live_feed_access: 'authenticated',
      remote_live_feed_access: 'disabled',
      local_topic_feed_access: 'public',
      remote_topic_feed_access: 'disabled',
    },
  })
  const instance = entity((await new Client(server).get('/api/v2/instance')).json)
  const topic = { local: 'public', remote: 'disabled' }
  assert.deepEqual(entity(instance['configuration'])['timelines_access'], {
    live_feeds: { local: 'authenticated', remote: 'disabled' },
    hashtag_feeds: topic,
    trending_link_feeds: topic,
  })
})

test('a user who cannot use the server counts as anonymous', async t => {
  const server = await startServer(t, {
    settings: { local_live_feed_access: 'authenticated', local_topic_feed_access: 'authenticated' },
  })
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  const { id } = await alice.postStatus('hello #mills')
  const link = `/api/v1/timelines/link?url=${encodeURIComponent(await shareLink(server, [id]))}`
  for (const user of [{ approved: false }, { confirmed_at: null }, { disabled: true }]) {
    const waiting = await person(server, 'waiting', { user })
    for (const path of [PUBLIC, '/api/v1/timelines/tag/mills', link]) {
      const { status, json } = await waiting.get(path)
      assert.deepEqual([status, json], [422, { error: 'This method requires an authenticated user' }], path)
      assert.deepEqual(idsOf(await alice.get(path)), [id], path)
    }
  }
})

test('a hashtag shows public statuses and replies, but no boosts', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const tag = `kinds${randomBytes(4).toString('hex')}`
  const root = await alice.postStatus(`root #${tag}`)
  const reply = await bob.postStatus(`reply #${tag}`, { in_reply_to_id: root.id })
  for (const visibility of ['unlisted', 'private', 'direct']) await bob.postStatus(`hidden #${tag}`, { visibility })
  await bob.post(`/api/v1/statuses/${root.id}/reblog`)
  for (const who of [anonymous, bob])
    assert.deepEqual(idsOf(await who.get(`/api/v1/timelines/tag/${tag}`)), [reply.id, root.id])
})

test('the timeline of a link leaves out those whom the viewer blocks or mutes, and other languages', async t => {
  const { server, viewer } = await people(t, 'viewer')
  const authors = await Promise.all(
    ['plain', 'blocked', 'muted', 'blocking', 'remote'].map(name =>
      person(server, name, { account: { discoverable: true } }),
    ),
  )
  const [plain, blocked, muted, blocking, remote] = authors
  assert.ok(plain && blocked && muted && blocking && remote)
  const said: string[] = []
  for (const one of authors) said.push((await one.postStatus('read this', { language: 'de' })).id)
  const english = await plain.postStatus('read this', { language: 'en' })
  await sql(server, `update accounts set domain = 'far.example', uri = 'https://far.example/' || id where id = $1`, [
    remote.id,
  ])
  const url = await shareLink(server, [...said, english.id])
  await viewer.post(`/api/v1/accounts/${blocked.id}/block`)
  await viewer.post(`/api/v1/accounts/${muted.id}/mute`)
  await blocking.post(`/api/v1/accounts/${viewer.id}/block`)
  await viewer.post('/api/v1/domain_blocks', { domain: 'far.example' })
  const read = async (): Promise<string[]> => idsOf(await viewer.get('/api/v1/timelines/link', { url }))
  assert.deepEqual(await read(), [english.id, said[0]])
  await sql(
    server,
    `with chosen as (update users set chosen_languages = '{de}' where account_id = $1)
     insert into events (kind, account_id) values ('user.changed', $1)`,
    [viewer.id],
  )
  await waitForEventLog(viewer)
  assert.deepEqual(await read(), [said[0]])
})
