import assert from 'node:assert/strict'
import { test } from 'tap'
import { collect } from '../../accounts/collections/collection_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { people, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { changeSetting, metaOf, signedIn, statusesOn } from './page_fixtures.ts'

const seeing = (browser: Browser, path: string, text: string) => async (): Promise<boolean> =>
  (await browser.get(path)).text.includes(text)

test('the pages that the instance document links to exist', async t => {
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
  const more = await browser.get('/about/more')
  assert.deepEqual([more.status, more.location], [302, '/about'])
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

test('links to the pages about the server have a preview, and one address for search engines', async t => {
  const { server } = await people(t)
  const browser = new Browser(server)
  await sql(
    server,
    `insert into terms_of_service (text, effective_date, published_at) values ('x', '2026-01-02', now()) on conflict do nothing`,
  )
  for (const [path, canonical, title] of [
    ['/', '/', 'Millrace'],
    ['/start', '/', 'Millrace'],
    ['/about', '/about', 'Millrace'],
    ['/privacy-policy', '/privacy-policy', 'Privacy policy'],
    ['/terms-of-service', '/terms-of-service/2026-01-02', 'Terms of service'],
  ] as const) {
    const page = await browser.get(path)
    const meta = metaOf(page)
    const url = `${server.url}${canonical}`
    assert.ok(page.text.includes(`<link rel="canonical" href="${url}" />`), path)
    assert.deepEqual([meta['og:url'], meta['og:title'], meta['og:site_name']], [[url], [title], ['Millrace']], path)
    assert.deepEqual(meta['og:image'], [`${server.url}/pictures/preview.png`], path)
  }
  const described = async (): Promise<boolean> =>
    metaOf(await browser.get('/about'))['og:description']?.[0] === 'We mill & grind.'
  await changeSetting(server, 'site_short_description', 'We mill & grind.', described)
  assert.deepEqual(metaOf(await browser.get('/'))['description'], ['We mill & grind.'])
})

test('the about page shows counts, version and registration mode', async t => {
  const { server } = await people(t, 'alice')
  const browser = new Browser(server)
  const page = await browser.get('/about')
  assert.match(page.text, /\d+ (person|people) · \d+ posts?/)
  assert.match(page.text, /127\.0\.0\.1:\d+ runs Millrace \d+\.\d+\.\d+/)
  assert.match(page.text, /Nobody can sign up/)
  await changeSetting(server, 'registrations_mode', 'open', seeing(browser, '/about', 'Anybody can sign up'))
  assert.match((await browser.get('/about')).text, /Anybody can sign up\.\s*<a href="\/auth\/sign_up">/)
  await changeSetting(server, 'registrations_mode', 'approved', seeing(browser, '/about', 'can ask for an account'))
  await changeSetting(server, 'registrations_mode', 'none', seeing(browser, '/about', 'Nobody can sign up'))
  assert.ok(!(await browser.get('/about')).text.includes('/auth/sign_up'))
})

test('the privacy policy shows its last change, also when it is the built-in one', async t => {
  const { server } = await people(t)
  const browser = new Browser(server)
  const builtIn = await browser.get('/privacy-policy')
  assert.match(builtIn.text, /Last changed on <time[^>]*>November 21, 2026/)
  await changeSetting(server, 'site_terms', 'We *promise*.', seeing(browser, '/privacy-policy', '<em>promise</em>'))
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
  const own = await browser.get('/privacy-policy')
  assert.ok(own.text.includes(today), own.text)
})

test('the page of a hashtag shows its statuses to viewers with access', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const shown = await alice.postStatus('turning #WaterMills')
  await alice.postStatus('quietly #watermills', { visibility: 'unlisted' })
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

test('the page of a collection shows its members', async t => {
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

test('an annual report is shown to everybody who has its address', async t => {
  const { alice, server } = await people(t, 'alice')
  const best = await alice.postStatus('the best #mills')
  const data = {
    archetype: 'oracle',
    top_statuses: { by_reblogs: best.id, by_favourites: null, by_replies: null },
    time_series: [{ month: 12, statuses: 1000, followers: 5 }],
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
  assert.match(page.text, /<h1>2025 of alice<\/h1>[\s\S]*own accord[\s\S]*1,000 posts[\s\S]*5 new followers/)
  const german = await browser.get(`/@${alice.username}/wrapstodon/2025/k3y`, { 'accept-language': 'de' })
  assert.match(german.text, /1\.000 Beiträge/)
  assert.match(page.text, /Used most: <a href="[^"]+\/tags\/mills">#mills<\/a>/)
  assert.deepEqual(statusesOn(page), [best.id])
  for (const path of ['2025/other', '2024/k3y', 'x/k3y'])
    assert.equal((await browser.get(`/@${alice.username}/wrapstodon/${path}`)).status, 404, path)
})

test('the landing page shows what the setting selects', async t => {
  const { server } = await people(t)
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  const browser = new Browser(server)
  const post = await alice.postStatus('fresh water', { language: 'en' })
  const start = () => browser.get('/')
  // Nothing is popular yet, so the latest posts stand there.
  assert.match((await start()).text, /<h2>Latest posts<\/h2>/)

  const trend = `insert into status_trends (status_id, score) values ($1, 10)`
  await changeSetting(server, 'trendable_by_default', true, () => Promise.resolve(true))
  await sql(server, trend, [post.id])
  const until = performance.now() + 30_000
  while (!(await start()).text.includes('What is popular now')) assert.ok(performance.now() < until, 'nothing trends')
  assert.deepEqual(statusesOn(await start()), [post.id])
  await changeSetting(server, 'trends', false, seeing(browser, '/', 'Latest posts'))

  await changeSetting(server, 'landing_page', 'local_feed', seeing(browser, '/', 'Latest posts'))
  assert.ok(statusesOn(await start()).includes(post.id))
  await changeSetting(
    server,
    'local_live_feed_access',
    'authenticated',
    seeing(browser, '/', 'for people who have signed in'),
  )
  assert.deepEqual(statusesOn(await start()), [])

  await changeSetting(server, 'site_extended_description', 'Since 1820.', () => Promise.resolve(true))
  await changeSetting(server, 'landing_page', 'about', seeing(browser, '/', 'Since 1820.'))
})

test('in limited federation mode only signed-in users see profiles, and posts that trend', async t => {
  const server = await startServer(t, { settings: { trendable_by_default: true } })
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  t.after(() => alice.close())
  const post = await alice.postStatus('fresh water', { language: 'en' })
  await sql(server, `insert into status_trends (status_id, score) values ($1, 10)`, [post.id])
  const { browser: friend, id } = await signedIn(server, 'friend')
  const [row] = await sql(server, 'select username from accounts where id = $1', [id])
  const profile = `/@${String(row?.['username'])}`
  const anybody = new Browser(server)
  assert.equal((await anybody.get(profile)).status, 200)
  assert.deepEqual(statusesOn(await anybody.get('/')), [post.id])
  const isClosed = async (): Promise<boolean> => (await anybody.get(profile)).location === '/auth/sign_in'
  await changeSetting(server, 'limited_federation_mode', true, isClosed)
  for (const path of ['/', '/explore', '/directory', '/about']) {
    const page = await anybody.get(path)
    assert.deepEqual([page.status, statusesOn(page)], [200, []], path)
    assert.ok(!page.text.includes(alice.username), path)
  }
  assert.equal((await friend.get(profile)).status, 200)
})

test('search engines and browsers find the rules and the manifest of the site', async t => {
  const { server } = await people(t)
  const browser = new Browser(server)
  const robots = await browser.get('/robots.txt')
  assert.deepEqual([robots.status, robots.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
  assert.match(robots.text, /^User-agent: \*\nDisallow: \/auth\/\n/)
  assert.doesNotMatch(robots.text, /\/api/, 'FediFetcher and others obey the file before they use the API')
  const response = await browser.get('/manifest')
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(response.headers.get('cache-control'), 'public, max-age=180')
  const manifest = JSON.parse(response.text) as {
    id: string
    name: string
    icons: { src: string; sizes: string }[]
    share_target: { action: string }
  }
  assert.deepEqual([manifest.id, manifest.name], ['/home', 'Millrace'])
  assert.equal(manifest.share_target.action, 'share')
  const icon = manifest.icons.find(({ sizes }) => sizes === '192x192')
  assert.equal((await browser.get(new URL(icon?.src ?? '').pathname)).headers.get('content-type'), 'image/png')
  assert.match((await browser.get('/about')).text, /<link rel="manifest" href="\/manifest" \/>/)
  await changeSetting(
    server,
    'limited_federation_mode',
    true,
    seeing(browser, '/robots.txt', '\nAllow: /api/\nDisallow: /\n'),
  )
})

test('an error page has the frame of the site', async t => {
  const { server } = await people(t)
  const browser = new Browser(server)
  await changeSetting(server, 'site_title', 'The Mill', seeing(browser, '/about', 'The Mill'))
  const page = await browser.get('/nothing/here/at/all')
  assert.equal(page.status, 404)
  assert.match(page.text, /<a class="brand" href="\/">The Mill<\/a>/)
  assert.match(page.text, /<title>[^<]+ · The Mill<\/title>/)
})

test('the about page names the moderated servers that the visitor may know', async t => {
  const server = await startServer(t)
  const browser = new Browser(server)
  await sql(
    server,
    `insert into domain_blocks (domain, severity, public_comment, obfuscate)
     values ('spam.example', 'suspend', 'Spam <always>', false), ('secret.example', 'silence', '', true)`,
  )
  assert.doesNotMatch((await browser.get('/about')).text, /Moderated servers/)
  await changeSetting(server, 'show_domain_blocks', 'all', seeing(browser, '/about', 'Moderated servers'))
  const { text } = await browser.get('/about')
  assert.match(text, /<strong>spam\.example<\/strong>:\s+blocked/)
  assert.doesNotMatch(text, /Spam &lt;always&gt;|secret\.example/)
  await changeSetting(server, 'show_domain_blocks_rationale', 'all', seeing(browser, '/about', 'Spam &lt;always&gt;'))
  await changeSetting(server, 'show_domain_blocks', 'users', async () => {
    const page = await browser.get('/about')
    return !page.text.includes('Moderated servers')
  })
  const { browser: member } = await signedIn(server, 'member')
  assert.match((await member.get('/about')).text, /Moderated servers/)
})
