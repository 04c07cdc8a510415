import assert from 'node:assert/strict'
import { test } from 'tap'
import { collect } from '../../accounts/collections/collection_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { people, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { changeSetting, signedIn, statusesOn } from './page_fixtures.ts'

const seeing = (browser: Browser, path: string, text: string) => async (): Promise<boolean> =>
  (await browser.get(path)).text.includes(text)

test('the pages that the instance document names are there', async t => {
  const { anonymous, server } = await people(t)
  const browser = new Browser(server)
  const { configuration } = (await anonymous.get('/api/v2/instance')).json as {
    configuration: { urls: { about: string; privacy_policy: string } }
  }
  const { about, privacy_policy: privacy } = configuration.urls
  for (const url of [about, privacy]) {
    const page = await browser.get(new URL(url).pathname)
    assert.deepEqual([page.status, page.headers.get('set-cookie')], [200, null], url)
    assert.equal(
      page.headers.get('cache-control'),
      'max-age=15, public, stale-while-revalidate=30, stale-if-error=86400',
    )
  }
  assert.match((await browser.get('/privacy-policy')).text, /<h2>What is kept<\/h2>/)
  assert.equal((await browser.get('/about/more')).status, 200)
  assert.equal((await browser.get('/terms-of-service')).status, 404)
  await sql(
    server,
    `insert into rules (text, hint, translations) values ('Be nice <3', '', '{"de": {"text": "Sei nett", "hint": "Zu allen"}}')`,
  )
  await sql(
    server,
    `insert into terms_of_service (text, effective_date, published_at) values ('# Of %{domain}', '2026-01-02', now())`,
  )
  assert.match(
    (await browser.get('/about')).text,
    /<ol>\s*<li>\s*Be nice &lt;3\s*<\/li>[\s\S]*href="\/terms-of-service"/,
  )
  assert.match(
    (await browser.get('/about', { 'accept-language': 'de' })).text,
    /Sei nett<br \/><span class="quiet">Zu allen/,
  )
  assert.match((await browser.get('/terms-of-service')).text, /In force from <time[^>]*>January 2, 2026[\s\S]*<h1>Of /)
  assert.equal((await browser.get('/terms-of-service/2026-01-02')).status, 200)
  assert.equal((await browser.get('/terms-of-service/2026-01-03')).status, 404)
  await changeSetting(server, 'site_extended_description', 'We *grind*.', seeing(browser, '/about', '<em>grind</em>'))
})

test('the page about the server says what is known of every server', async t => {
  const { server } = await people(t, 'alice')
  const browser = new Browser(server)
  const page = await browser.get('/about')
  assert.match(page.text, /\d+ (person|people) · \d+ posts?/)
  assert.match(page.text, /127\.0\.0\.1:\d+ runs Millrace \d+\.\d+\.\d+/)
  assert.match(page.text, /Anybody can sign up\.\s*<a href="\/auth\/sign_up">/)
  await changeSetting(server, 'registrations_mode', 'approved', seeing(browser, '/about', 'can ask for an account'))
  await changeSetting(server, 'registrations_mode', 'none', seeing(browser, '/about', 'Nobody can sign up'))
  assert.ok(!(await browser.get('/about')).text.includes('/auth/sign_up'))
})

test('the privacy policy says when it was last changed, also the one of the software', async t => {
  const { server } = await people(t)
  const browser = new Browser(server)
  const builtIn = await browser.get('/privacy-policy')
  assert.match(builtIn.text, /Last changed on <time[^>]*>November 21, 2026/)
  await changeSetting(server, 'site_terms', 'We *promise*.', seeing(browser, '/privacy-policy', '<em>promise</em>'))
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
  const own = await browser.get('/privacy-policy')
  assert.ok(own.text.includes(today), own.text)
})

test('the address of a hashtag leads to what is posted with it', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const shown = await alice.say('turning #WaterMills')
  await alice.say('quietly #watermills', { visibility: 'unlisted' })
  const page = await browser.get('/tags/watermills')
  assert.deepEqual([page.status, statusesOn(page)], [200, [shown.id]])
  assert.match(page.text, /<h1>Posts with #WaterMills<\/h1>/)
  assert.equal((await browser.get('/tags/neverused')).status, 404)
  await changeSetting(
    server,
    'local_topic_feed_access',
    'authenticated',
    seeing(browser, '/tags/watermills', '/auth/sign_in'),
  )
  assert.deepEqual(statusesOn(await browser.get('/tags/watermills')), [])
  const { browser: friend } = await signedIn(server, 'friend')
  const theirs = await friend.get('/tags/watermills')
  assert.deepEqual([statusesOn(theirs), theirs.headers.get('cache-control')], [[shown.id], 'private, no-store'])
})

test('the address of a collection leads to who is in it', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = await person(server, 'bob', { account: { discoverable: true } })
  const { id, url } = await collect(alice, [bob], { name: 'Choir <3', description: 'They sing' })
  const page = await new Browser(server).get(new URL(url).pathname)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1 dir="auto">Choir &lt;3<\/h1>[\s\S]*They sing[\s\S]*1 account/)
  assert.ok(page.text.includes(`@${bob.username}</span>`))
  assert.equal((await new Browser(server).get('/collections/1')).status, 404)
  await alice.delete(`/api/v1/collections/${id}`)
  assert.equal((await new Browser(server).get(new URL(url).pathname)).status, 404)
})

test('a yearly report is shown to whoever has its address', async t => {
  const { alice, server } = await people(t, 'alice')
  const best = await alice.say('the best #mills')
  const data = {
    archetype: 'oracle',
    top_statuses: { by_reblogs: best.id, by_favourites: null, by_replies: null },
    time_series: [{ month: 12, statuses: 1234, followers: 5 }],
    top_hashtags: [{ name: 'mills', count: 2 }],
  }
  await sql(
    server,
    `insert into annual_reports (account_id, year, data, schema_version, share_key) values ($1, 2025, $2, 2, 'k3y')`,
    [alice.id, JSON.stringify(data)],
  )
  const browser = new Browser(server)
  const page = await browser.get(`/@${alice.username}/wrapstodon/2025/k3y`)
  assert.equal(page.status, 200)
  assert.match(page.text, /<h1>2025 of alice<\/h1>[\s\S]*own accord[\s\S]*1,234 posts[\s\S]*5 new followers/)
  assert.match(page.text, /Used most: <a href="[^"]+\/tags\/mills">#mills<\/a>/)
  assert.deepEqual(statusesOn(page), [best.id])
  for (const path of ['2025/other', '2024/k3y', 'x/k3y'])
    assert.equal((await browser.get(`/@${alice.username}/wrapstodon/${path}`)).status, 404, path)
})

test('visitors of the start page see what the setting says', async t => {
  const { server } = await people(t)
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  const browser = new Browser(server)
  const post = await alice.say('fresh water', { language: 'en' })
  const start = () => browser.get('/')
  assert.deepEqual([(await start()).status, statusesOn(await start())], [200, []])

  const trend = `insert into status_trends (status_id, score) values ($1, 10)`
  await changeSetting(server, 'trendable_by_default', true, () => Promise.resolve(true))
  await sql(server, trend, [post.id])
  const until = performance.now() + 30_000
  while (statusesOn(await start()).length === 0) assert.ok(performance.now() < until, 'nothing trends')
  assert.deepEqual(statusesOn(await start()), [post.id])
  await changeSetting(server, 'trends', false, async () => statusesOn(await start()).length === 0)

  await changeSetting(server, 'landing_page', 'local_feed', seeing(browser, '/', 'Latest posts'))
  assert.ok(statusesOn(await start()).includes(post.id))
  await changeSetting(
    server,
    'local_live_feed_access',
    'authenticated',
    seeing(browser, '/', 'for people who have signed in'),
  )
  assert.deepEqual(statusesOn(await start()), [])

  await changeSetting(server, 'landing_page', 'overview', seeing(browser, '/', 'active in the last four weeks'))
  await sql(server, `insert into rules (text) values ('Keep the water clean')`)
  await changeSetting(server, 'landing_page', 'about', seeing(browser, '/', 'Keep the water clean'))
})

test('while the server federates with few, what people post is for those who have signed in', async t => {
  const server = await startServer(t)
  const { browser: friend, id } = await signedIn(server, 'friend')
  const [row] = await sql(server, 'select username from accounts where id = $1', [id])
  const profile = `/@${String(row?.['username'])}`
  const anybody = new Browser(server)
  assert.equal((await anybody.get(profile)).status, 200)
  const isClosed = async (): Promise<boolean> => (await anybody.get(profile)).location === '/auth/sign_in'
  await changeSetting(server, 'limited_federation_mode', true, isClosed)
  assert.deepEqual([(await anybody.get('/')).status, (await anybody.get('/about')).status], [200, 200])
  assert.equal((await friend.get(profile)).status, 200)
})
