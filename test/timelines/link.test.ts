import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client, linkOf } from '../support/client.ts'
import { people, sql, type Person } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'

const PATH = '/api/v1/timelines/link'

interface Article {
  readonly url: string
  /** Posts a status as it is once the job has fetched the page. */
  post(author: Person, text: string, more?: Record<string, unknown>): Promise<string>
}

let made = 0

/** An article with a card; it trends by default. */
async function article(
  server: TestServer,
  { score = 9, trendable = true }: { score?: number; trendable?: boolean | null } = {},
): Promise<Article> {
  const url = `https://news.invalid/articles/${++made}`
  const [row] = await sql(
    server,
    `with card as (
       insert into preview_cards (url, type, title, trendable) values ($1, 'link', 'News', $3) returning id
     ), trend as (
       insert into link_trends (preview_card_id, peak, peaked_at, score) select id, 9, now(), $2 from card
     )
     select id::text from card`,
    [url, score, trendable],
  )
  return {
    url,
    async post(author, text, more = {}) {
      const { id } = await author.postStatus(text, more)
      await sql(
        server,
        `with shown as (
           insert into preview_cards_statuses (status_id, preview_card_id, url) values ($1, $2, $3)
         )
         insert into events (kind, status_id, object_id) values ('preview_card.shown', $1, $2)`,
        [id, row?.['id'], url],
      )
      return id
    },
  }
}

async function discoverable(t: Test) {
  const found = await people(t, 'alice', 'bob', 'carol')
  await sql(found.server, 'update accounts set discoverable = true where id = any ($1)', [
    [found.alice.id, found.bob.id],
  ])
  return found
}

async function read(reader: Client, url: string, query: Record<string, string> = {}): Promise<string[]> {
  const response = await reader.get(PATH, { url, ...query })
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }[]).map(({ id }) => id)
}

test('public posts that share a trending link, newest first, page by page', async t => {
  const { alice, bob, carol, anonymous, server } = await discoverable(t)
  const { url, post } = await article(server)
  const first = await post(alice, 'read this')
  const reply = await post(bob, `@${alice.username} this?`, { in_reply_to_id: first })
  await post(alice, 'for some', { visibility: 'unlisted' })
  await post(alice, 'for followers', { visibility: 'private' })
  await post(carol, 'from one who does not want to be found')
  await alice.postStatus('without the link')
  const last = await post(bob, 'and this')
  const all = [last, reply, first]
  assert.deepEqual(await read(anonymous, url), all)
  assert.deepEqual(await read(carol, url), all)
  assert.deepEqual(await read(alice, url, { max_id: last }), [reply, first])
  assert.deepEqual(await read(alice, url, { min_id: first, limit: '1' }), [reply])
  assert.deepEqual(await read(alice, url, { since_id: first, limit: '1' }), [last])
  assert.deepEqual(await read(alice, url, { local: 'true' }), all)
  assert.deepEqual(await read(alice, url, { remote: 'true' }), [])
  assert.deepEqual(await read(alice, url, { limit: '0' }), [])

  const response = await alice.get(PATH, { url, limit: '2' })
  const next = linkOf(response, 'next') ?? ''
  assert.equal(next, `${PATH}?limit=2&max_id=${reply}&url=${encodeURIComponent(url)}`)
  assert.deepEqual(
    ((await alice.get(next)).json as { id: string }[]).map(({ id }) => id),
    [first],
  )
  assert.match(linkOf(response, 'prev') ?? '', new RegExp(`min_id=${last}`))

  await carol.post(`/api/v1/accounts/${bob.id}/mute`)
  assert.deepEqual(await read(carol, url), [first])
  await alice.delete(`/api/v1/statuses/${first}`)
  assert.deepEqual(await read(anonymous, url), [last, reply])
})

test('a status that gets its card later joins the cached timeline', async t => {
  const { alice, anonymous, server } = await discoverable(t)
  const { url, post } = await article(server)
  assert.deepEqual(await read(anonymous, url), [])
  const socket = await alice.stream('public')
  const id = await post(alice, 'later')
  await socket.next('update')
  // A commit of another process takes effect when the log reaches it.
  let found: string[] = []
  for (const endMs = Date.now() + 10_000; found.length === 0 && Date.now() < endMs;) found = await read(anonymous, url)
  assert.deepEqual(found, [id])
})

test('404 unless the link has a card, trends and is allowed to', async t => {
  const { alice, server } = await discoverable(t)
  const missing = async (query: Record<string, string>): Promise<void> => {
    const response = await alice.get(PATH, query)
    assert.deepEqual([response.status, response.json], [404, { error: 'Record not found' }])
  }
  await missing({})
  for (const url of [
    'https://news.invalid/unknown',
    'no url',
    '',
    'javascript:alert(1)',
    `https://x.invalid/${'y'.repeat(2100)}`,
  ])
    await missing({ url })
  await missing({ url: (await article(server, { score: 0.5 })).url })
  await missing({ url: (await article(server, { trendable: false })).url })
  await missing({ url: (await article(server, { trendable: null })).url })
})

test('a setting decides who may read it', async t => {
  const server = await startServer(t)
  const anonymous = new Client(server)
  await sql(server, `insert into settings (key, value) values ('local_topic_feed_access', '"authenticated"')`)
  await sql(
    server,
    `insert into events (kind, data) values ('settings.changed', '{"keys": ["local_topic_feed_access"]}')`,
  )
  const { url } = await article(server)
  let status = 200
  for (const endMs = Date.now() + 10_000; status === 200 && Date.now() < endMs;)
    status = (await anonymous.get(PATH, { url })).status
  const refused = await anonymous.get(PATH, { url, local: 'true' })
  assert.deepEqual([refused.status, refused.json], [422, { error: 'This method requires an authenticated user' }])
  assert.deepEqual(await read(anonymous, url, { remote: 'true' }), [])
})
