import assert from 'node:assert/strict'
import sharp from 'sharp'
import { test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'
import { waitForEvent } from '../../accounts/waiting.ts'
import { fetchFile, isThere, until } from '../../media/attachments/media_fixtures.ts'
import { entities, entity, media, waitFor, type Entity } from '../status_fixtures.ts'
import type { TestServer } from '../../support/server.ts'
import { startSite } from './site.ts'

const head = (...tags: string[]): string =>
  `<html lang=en><head>${tags.join('')}<meta property="og:site_name" content="News"></head></html>`
const og = (name: string, content: string): string => `<meta property="og:${name}" content="${content}">`

async function show(reader: Pick<Person, 'get'>, id: string): Promise<Entity> {
  const answer = await reader.get(`/api/v1/statuses/${id}`)
  assert.equal(answer.status, 200, answer.text)
  return entity(answer.json)
}

const cardOf = async (reader: Pick<Person, 'get'>, id: string): Promise<Record<string, unknown> | null> =>
  (await show(reader, id))['card'] as Record<string, unknown> | null

/** Waits until a status has the card of a URL, and returns it. */
async function waitForCard(server: TestServer, reader: Pick<Person, 'get'>, id: string, url: string) {
  let card: Record<string, unknown> | null = null
  await waitFor(server, async () => (card = await cardOf(reader, id))?.['url'] === url, `the card of ${url}`)
  return entity(card)
}

/** Waits until all jobs of preview cards have run. */
async function waitForJobs(server: TestServer): Promise<void> {
  const left = `select from graphile_worker.jobs j where j.task_identifier = 'preview_cards.attach' and (j.attempts = 0 or j.locked_at is not null)`
  await until(
    () => sql(server, left),
    rows => rows.length === 0,
    'the jobs of previews',
  )
}

/** Runs a job now that waits after a failed attempt. */
const hurry = (server: TestServer, status: string): Promise<unknown> =>
  sql(
    server,
    `with due as (
       update graphile_worker._private_jobs j set run_at = now()
       where j.payload ->> 'status_id' = $1 and j.locked_at is null and j.run_at > now() returning j.id
     )
     select pg_notify('jobs:insert', '{"count":1}') from due`,
    [status],
  )

test('a link gets a card: fetched by a job, with its picture stored here', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const site = await startSite(t)
  const picture = await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#c04030' } })
    .withExif({ IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer()
  site.page('/i.jpg', picture, { 'content-type': 'text/plain' })
  const answered = Promise.withResolvers<void>()
  const page = head(
    og('title', 'An &lt;article&gt;'),
    og('description', 'About'),
    og('image', '/i.jpg'),
    og('image:alt', 'Red'),
  )
  const url = site.page('/Article', (_, response) => {
    void answered.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
  })
  const status = await alice.postStatus(`Read this: ${url}, and not ${site.url('/other')} #news @${bob.username}`)
  assert.equal(status['card'], null)
  answered.resolve()
  const card = await waitForCard(server, anonymous, status.id, url)
  const { image, blurhash, ...rest } = card
  assert.deepEqual(rest, {
    url,
    title: 'An <article>',
    description: 'About',
    language: 'en',
    type: 'link',
    author_name: '',
    author_url: '',
    authors: [],
    provider_name: 'News',
    provider_url: '',
    html: '',
    width: 679,
    height: 339,
    image_description: 'Red',
    embed_url: '',
    published_at: null,
  })
  assert.match(String(blurhash), /^U[\w#$%*+,.:;=?@[\]^{|}~-]{10,}$/)
  const file = await fetchFile(image)
  assert.equal(file.status, 200)
  assert.equal(file.headers.get('content-type'), 'image/jpeg')
  const stored = await sharp(file.bytes).metadata()
  assert.deepEqual([stored.width, stored.height, stored.exif], [679, 339, undefined])
  assert.ok(!site.asked.includes('news.example.com/other'))
  assert.equal((await cardOf(bob, status.id))?.['missing_attribution'], false)

  const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json)
  assert.equal(boost['card'], null)
  assert.equal(entity(boost['reblog'])['card'] !== null, true)
})

test('a page is fetched once for all spellings of its link, and again after two weeks', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const site = await startSite(t)
  let title = 'First'
  const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  site.page('/i.png', image)
  const url = site.page('/shared', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(head(og('title', title), og('image', '/i.png')))
  })
  const one = await alice.postStatus(url)
  const first = await waitForCard(server, alice, one.id, url)
  const written = url.replace('news.example.com', 'NEWS.example.com')
  const two = await bob.postStatus(written)
  const second = await waitForCard(server, bob, two.id, written)
  assert.equal(second['title'], 'First')
  assert.equal(site.asked.filter(path => path.endsWith('/shared')).length, 1)

  title = 'Second'
  await sql(server, `update preview_cards set fetched_at = now() - interval '15 days' where url = $1`, [url])
  assert.equal((await cardOf(anonymous, one.id))?.['title'], 'First')
  const three = await alice.postStatus(`again ${url}`)
  const third = await waitForCard(server, alice, three.id, url)
  assert.equal(third['title'], 'Second')
  assert.equal((await cardOf(bob, two.id))?.['title'], 'Second')
  assert.equal((await cardOf(anonymous, one.id))?.['title'], 'Second', 'nor does memory have the old one')
  assert.notEqual(third['image'], first['image'])
  await until(
    () => isThere(first['image']),
    there => !there,
    'the old picture to go',
  )

  await sql(server, `update preview_cards set fetched_at = now() - interval '15 days' where url = $1`, [url])
  site.page('/shared', '', { 'content-type': 'image/png' })
  const four = await alice.postStatus(`and again ${url}`)
  assert.equal((await waitForCard(server, alice, four.id, url))['title'], 'Second')
})

test('a card keeps its picture when only the page can be fetched again', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const image = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  site.page('/once.png', image)
  const page = (title: string): string => site.page('/pictured', head(og('title', title), og('image', '/once.png')))
  const url = page('First')
  const one = await alice.postStatus(url)
  const first = await waitForCard(server, alice, one.id, url)
  await sql(server, `update preview_cards set fetched_at = now() - interval '15 days' where url = $1`, [url])
  page('Second')
  site.page('/once.png', (_, response) => void response.writeHead(503).end())
  const two = await alice.postStatus(`again ${url}`)
  const second = await waitForCard(server, alice, two.id, url)
  assert.equal(second['title'], 'Second')
  for (const name of ['image', 'width', 'height', 'blurhash']) assert.equal(second[name], first[name], name)
  assert.ok(await isThere(first['image']))
})

test('an edit of the text removes the card and fetches the next', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  const [first, second] = [site.page('/1', head(og('title', 'One'))), site.page('/2', head(og('title', 'Two')))]
  const { id } = await alice.postStatus(first)
  await waitForCard(server, alice, id, first)
  const path = `/api/v1/statuses/${id}`
  const edited = await alice.put(path, { status: first, spoiler_text: 'same text' })
  assert.equal(entity(entity(edited.json)['card'])['title'], 'One')

  const now = entity((await alice.put(path, { status: `now ${second}` })).json)['card']
  assert.ok(now === null || entity(now)['url'] === second)
  await waitForCard(server, alice, id, second)
  assert.equal(entity((await alice.put(path, { status: 'no link' })).json)['card'], null)
  await waitForJobs(server)
  assert.equal(await cardOf(alice, id), null)
  await alice.put(path, { status: `back ${first}` })
  await waitForCard(server, alice, id, first)

  const [file] = await media(server, alice, [{ type: 'image' }])
  assert.equal(entity((await alice.put(path, { status: `back ${first}`, media_ids: [file] })).json)['card'], null)
  await waitForJobs(server)
  assert.equal(await cardOf(alice, id), null)
  await alice.put(path, { status: `back ${first}` })
  await waitForCard(server, alice, id, first)
})

test('no card: with media, with a quote, for links to this server, mentions, hashtags and pages that have none', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const site = await startSite(t)
  const url = site.page('/page', head(og('title', 'Page')))
  const quoted = await bob.postStatus('quote me')
  const [file] = await media(server, alice, [{ type: 'image' }])
  const untitled = site.page('/untitled', head())
  const none = [
    await alice.postStatus(url, { media_ids: [file] }),
    await alice.postStatus(url, { quoted_status_id: quoted.id }),
    await alice.postStatus(`${server.config.publicUrl}/@${bob.username} @${bob.username}@social.example.com #example`),
    await alice.postStatus(`gemini://news.example.com/ ${untitled} ${url}`),
    await alice.postStatus(site.url('/missing')),
  ]
  const last = await alice.postStatus(`${server.config.publicUrl}/about then ${url}`)
  await waitForCard(server, alice, last.id, url)
  await waitForJobs(server)
  for (const { id, content } of none) assert.equal(await cardOf(alice, id), null, String(content))
})

test('an unreachable page is tried three times', async t => {
  const { alice, server } = await people(t, 'alice')
  const site = await startSite(t)
  let tries = 0
  const url = site.page('/flaky', (_, response) => {
    tries += 1
    if (tries < 3) response.writeHead(503).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(head(og('title', 'At last')))
  })
  const down = site.page('/down', (_, response) => void response.destroy())
  const [one, other] = [await alice.postStatus(url), await alice.postStatus(down)]
  const triedDown = (): number => site.asked.filter(path => path.endsWith('/down')).length
  const ask = async (): Promise<boolean> => {
    await Promise.all([hurry(server, one.id), hurry(server, other.id)])
    // A request whose connection was kept alive is repeated at once.
    return triedDown() >= 3 && (await cardOf(alice, one.id)) !== null
  }
  await until(ask, done => done, 'three tries')
  await waitForJobs(server)
  assert.equal(tries, 3)
  assert.equal(await cardOf(alice, other.id), null)
  const lost = server.log.filter(
    line => line['msg'] === 'a job failed for the last time' && line['job'] === 'preview_cards.attach',
  )
  assert.deepEqual(lost, [])
})

test('the author that a page names is shown once they have allowed its domain', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const site = await startSite(t)
  const creator = `<meta name="fediverse:creator" content="@${alice.username}@${server.config.localDomain}">`
  const url = site.page('/by-alice', head(og('title', 'Mine'), creator, '<meta name=author content="A. Lice">'))
  const { id } = await bob.postStatus(url)
  const card = await waitForCard(server, bob, id, url)
  const unnamed = [{ name: 'A. Lice', url: '', account: null }]
  assert.deepEqual([card['authors'], card['missing_attribution']], [unnamed, false])
  const seen = await cardOf(alice, id)
  assert.deepEqual([seen?.['authors'], seen?.['missing_attribution']], [unnamed, true])
  assert.equal(Object.hasOwn((await cardOf(anonymous as Person, id)) ?? {}, 'missing_attribution'), false)

  for (const domains of [['other.com'], ['ample.com'], ['com.news.example.com']]) {
    await alice.patch('/api/v1/accounts/update_credentials', { attribution_domains: domains })
    assert.deepEqual((await cardOf(bob, id))?.['authors'], unnamed, domains.join())
  }
  await alice.patch('/api/v1/accounts/update_credentials', { attribution_domains: ['example.com'] })
  const named = await cardOf(bob, id)
  const [author] = entities(named?.['authors'])
  assert.deepEqual([author?.['name'], entity(author?.['account'])['id']], ['A. Lice', alice.id])
  assert.equal((await cardOf(alice, id))?.['missing_attribution'], false)
})

test('the site of a page vouches for its author, not that of a link which leads there', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const site = await startSite(t)
  const creator = `<meta name="fediverse:creator" content="@${alice.username}@${server.config.localDomain}">`
  site.page('/mine', head(og('title', 'Mine'), creator))
  const leads = (path: string, host: string): string => {
    site.page(path, (_, response) => void response.writeHead(302, { location: site.url('/mine', host) }).end())
    return path
  }
  await alice.patch('/api/v1/accounts/update_credentials', { attribution_domains: ['news.example.com'] })
  const accountAt = async (url: string): Promise<unknown[]> => {
    const { id } = await bob.postStatus(url)
    await waitForCard(server, bob, id, url)
    const card = await cardOf(alice, id)
    const [author] = entities(card?.['authors'])
    return [Boolean(author?.['account']), card?.['missing_attribution']]
  }
  assert.deepEqual(await accountAt(site.url(leads('/to-evil', 'evil.example.com'))), [false, true])
  assert.deepEqual(await accountAt(site.url(leads('/to-news', 'news.example.com'), 'short.example.com')), [true, false])
})

test('a card sends no stream message; a status that is streamed later has it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const site = await startSite(t)
  const streamed = Promise.withResolvers<void>()
  const url = site.page('/streamed', (_, response) => {
    const page = head(og('title', 'Streamed'))
    void streamed.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
  })
  const stream = await bob.stream('user')
  const { id } = await alice.postStatus(url)
  const posted = await stream.next('update')
  assert.equal(entity(posted.payload)['card'], null)
  streamed.resolve()
  await waitForCard(server, alice, id, url)
  await waitForEvent(server, `e.kind = 'preview_card.shown' and e.status_id = $1`, [id])
  await alice.put(`/api/v1/statuses/${id}`, { status: url, sensitive: true })
  const next = await stream.next('status.update')
  const card = entity(next.payload)['card']
  assert.deepEqual([entity(card)['title'], entity(card)['missing_attribution']], ['Streamed', false])
})
