import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { people, person, sql, waitForEventLog, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { collect } from '../../accounts/collections/collection_fixtures.ts'
import { media } from '../../statuses/status_fixtures.ts'
import { changeSetting, metaOf, signedIn, statusesOn } from './page_fixtures.ts'

/** Somebody opts out of search engines. */
async function waitForOptOut(server: ServerAddress, person: Person, witness = person): Promise<void> {
  await sql(server, `update users set preferences = preferences || '{"noindex": true}' where account_id = $1`, [
    person.id,
  ])
  await sql(
    server,
    `insert into events (kind, account_id, data) values ('account.changed', $1, '{"change": "profile"}')`,
    [person.id],
  )
  await waitForEventLog(witness)
}

test('the address of a profile shows its page', async t => {
  const { alice, server } = await people(t, 'alice')
  const { localDomain } = server.config
  await alice.patch('/api/v1/accounts/update_credentials', {
    display_name: 'Alice <3',
    note: 'Water & wheels',
    fields_attributes: [{ name: 'Likes', value: 'rivers' }],
  })
  const page = await new Browser(server).get(`/@${alice.username}`)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('cache-control'), 'max-age=15, public, stale-while-revalidate=30, stale-if-error=3600')
  assert.equal(page.headers.get('set-cookie'), null)
  const [webFinger = '', document = ''] = (page.headers.get('link') ?? '').split(', ')
  assert.match(webFinger, /webfinger\?resource=acct%3A[^>]+>; rel="lrdd"; type="application\/jrd\+json"/)
  assert.equal(document, `<${server.url}/ap/users/${alice.id}>; rel="alternate"; type="application/activity+json"`)
  assert.match(page.text, /<link rel="alternate" type="application\/activity\+json" href="[^"]+\/ap\/users\/\d+" \/>/)
  assert.match(page.text, /<h1><bdi>Alice &lt;3<\/bdi><\/h1>/)
  assert.match(page.text, /Water &amp; wheels[\s\S]*<dt dir="auto">Likes<\/dt>\s*<dd dir="auto">rivers<\/dd>/)
  assert.match(page.text, /0 posts · 0 following · 0 followers/)
  const meta = metaOf(page)
  assert.deepEqual(meta['og:title'], [`Alice <3 (@${alice.username}@${localDomain})`])
  assert.deepEqual(
    [meta['og:type'], meta['og:description'], meta['robots']],
    [['profile'], ['Water & wheels'], undefined],
  )
  const german = await new Browser(server).get(`/@${alice.username}`, { 'accept-language': 'de' })
  assert.match(german.text, /<html lang="de"[^>]*>[\s\S]*0 Beiträge · Folgt 0 · 0 Follower/)
})

test('a profile page shows public statuses by tab and hashtag, in pages', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const browser = new Browser(server)
  const on = async (path: string): Promise<string[]> => statusesOn(await browser.get(`/@${alice.username}${path}`))
  const theirs = await bob.postStatus('hello')
  const first = await alice.postStatus('the first, with #mills')
  const files = await media(server, alice, [{ type: 'image' }])
  await sql(
    server,
    `update media_attachments set file_key = 'media/aa/bb/0123456789012345678901234567.png' where id = any ($1)`,
    [files],
  )
  const picture = await alice.postStatus('a picture', { media_ids: files })
  const response = await alice.postStatus(`@${bob.username} hi`, { in_reply_to_id: theirs.id })
  await alice.postStatus('not for all', { visibility: 'private' })
  assert.deepEqual(await on(''), [picture.id, first.id])
  assert.deepEqual(await on('/with_replies'), [response.id, picture.id, first.id])
  assert.deepEqual(await on('/media'), [picture.id])
  assert.deepEqual(await on('/tagged/Mills'), [first.id])
  assert.deepEqual(await on('/tagged/unknown'), [])

  await alice.post('/api/v1/featured_tags', { name: 'mills' })
  await alice.post(`/api/v1/statuses/${first.id}/pin`)
  assert.deepEqual(await on(''), [first.id, picture.id, first.id])
  const { text } = await browser.get(`/@${alice.username}`)
  assert.match(text, new RegExp(`<a href="[^"]*/@${alice.username}/tagged/mills"[^>]*>#mills</a>`))
  assert.match(text, /<a href="\/@[^"]+" +aria-current="page">Posts<\/a>/)

  await alice.post(`/api/v1/statuses/${theirs.id}/reblog`)
  assert.match((await browser.get(`/@${alice.username}`)).text, /<bdi>alice<\/bdi> boosted/)

  await alice.post(`/api/v1/statuses/${theirs.id}/unreblog`)
  for (let made = 0; made < 20; made++) await alice.postStatus(`post ${made}`)
  const newest = await browser.get(`/@${alice.username}/with_replies`)
  const next = /<a rel="next" href="([^"]+)"/.exec(newest.text)?.[1] ?? ''
  const older = await browser.get(next)
  assert.equal(older.status, 200)
  const both = [...statusesOn(newest), ...statusesOn(older)]
  assert.equal(new Set(both).size, both.length)
  assert.deepEqual(
    both,
    both.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1)),
  )
  assert.match(older.text, />Newest posts<\/a>/)
})

test('pending, suspended and unknown accounts have no profile page', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const pending = await person(server, 'pending', { user: { approved: false } })
  const suspended = await person(server, 'suspended', { account: { suspended_at: new Date() } })
  await waitForEventLog(alice)
  for (const [name, status] of [
    ['nobody', 404],
    [pending.username, 404],
    [suspended.username, 403],
    [`${alice.username}@${server.config.localDomain}`, 200],
  ] as const) {
    for (const path of ['', '/with_replies', '/media', '/tagged/mills'])
      assert.equal((await browser.get(`/@${name}${path}`)).status, status, `@${name}${path}`)
  }
  assert.equal((await browser.get(`/${alice.username}`)).status, 404)
  const takes = async (accept: string): Promise<number> => (await browser.get(`/@${alice.username}`, { accept })).status
  for (const accept of ['text/html', '*/*', 'text/*;q=0.5']) assert.equal(await takes(accept), 200)
  // What it gets is in test/federation/documents.test.ts.
  for (const accept of ['application/activity+json', 'application/json']) assert.equal(await takes(accept), 200)
  const json = await browser.get('/nowhere', { accept: 'application/json' })
  assert.deepEqual([json.status, JSON.parse(json.text)], [404, { error: 'Not Found' }])
})

test('a profile page has noindex on request and links to the new account after a move', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set moved_to_account_id = $2 where id = $1', [alice.id, bob.id])
  await waitForOptOut(server, alice, bob)
  const page = await new Browser(server).get(`/@${alice.username}`)
  assert.deepEqual(metaOf(page)['robots'], ['noindex, noarchive'])
  assert.match(page.text, new RegExp(`has moved to <a href="[^"]+/@${bob.username}">@${bob.username}</a>`))
})

test('lists of posts of several people, and older pages, are not for search engines', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await waitForOptOut(server, bob)
  const browser = new Browser(server)
  const robotsOf = async (path: string): Promise<string[] | undefined> => metaOf(await browser.get(path))['robots']
  const { id } = await alice.postStatus('turning #mills')
  const hers = await alice.postStatus('by alice')
  const his = await bob.postStatus('by bob')
  const policy = { quote_approval_policy: 'public' }
  const quoted = await bob.postStatus('he may be quoted', policy)
  const quoting = await alice.postStatus('quotes bob', { quoted_status_id: quoted.id })
  const list = ['noindex, noarchive']
  for (const path of ['/tags/mills', `/tags/mills?max_id=${id}`, '/public/local', `/public/local?max_id=${id}`])
    assert.deepEqual(await robotsOf(path), list, path)
  assert.deepEqual(await robotsOf(`/@${alice.username}?max_id=${hers.id}`), list)
  assert.equal(await robotsOf(`/@${alice.username}`), undefined)

  const start = await browser.get('/')
  assert.equal(metaOf(start)['robots'], undefined)
  const shown = statusesOn(start)
  assert.ok(shown.includes(hers.id) && !shown.includes(his.id) && !shown.includes(quoting.id), shown.join(' '))
  assert.ok(statusesOn(await browser.get('/public/local')).includes(his.id))
  await changeSetting(server, 'noindex', true, async () => (await robotsOf('/')) !== undefined)
  assert.ok(statusesOn(await browser.get('/')).includes(hers.id), 'where nobody is found, everything is shown')
  await changeSetting(server, 'noindex', false, async () => (await robotsOf('/')) === undefined)
})

test('the page of a collection is not for search engines when somebody on it opted out', async t => {
  const { alice, server } = await people(t, 'alice')
  const [bob, carol] = [
    await person(server, 'bob', { account: { discoverable: true } }),
    await person(server, 'carol', { account: { discoverable: true } }),
  ]
  t.after(() => Promise.all([bob.close(), carol.close()]))
  await waitForOptOut(server, bob)
  const robotsOf = async (curator: Person, member: Person): Promise<string[] | undefined> => {
    const { url } = await collect(curator, [member], { name: 'Choir' })
    return metaOf(await new Browser(server).get(new URL(url).pathname))['robots']
  }
  assert.equal(await robotsOf(alice, carol), undefined)
  assert.deepEqual(await robotsOf(alice, bob), ['noindex, noarchive'])
  assert.deepEqual(await robotsOf(bob, carol), ['noindex, noarchive'])
})

test('ActivityPub addresses and addresses of remote accounts redirect', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id, uri } = await alice.postStatus('hello')
  const remote = await person(server, 'remote', {
    account: { domain: 'far.example', uri: 'https://far.example/users/remote', url: 'https://far.example/@remote' },
  })
  const browser = new Browser(server)
  const { pathname } = new URL(String(uri))
  const cases: readonly [path: string, status: number, location: string][] = [
    [`/users/${alice.username}`, 301, `/@${alice.username}`],
    [`/users/${alice.username}/statuses/${id}`, 301, `/@${alice.username}/${id}`],
    [`/ap/users/${alice.id}`, 302, `/@${alice.username}`],
    [pathname, 302, `/@${alice.username}/${id}`],
    ['/ap/users/1', 404, ''],
    [`/redirect/accounts/${alice.id}`, 404, ''],
    [`/redirect/statuses/${id}`, 404, ''],
    [`/%40${alice.username}`, 302, `/@${alice.username}`],
    [`/@${alice.username}/followers`, 200, ''],
    ['/notifications', 200, ''],
    [`/@${remote.username}@far.example`, 302, `/redirect/accounts/${remote.id}`],
  ]
  for (const [path, status, location] of cases) {
    const found = await browser.get(path)
    assert.deepEqual([found.status, found.location], [status, location], path)
  }
  const leaving = await browser.get(`/redirect/accounts/${remote.id}`)
  assert.match(leaving.text, /You are leaving[\s\S]*<a class="button primary" href="https:\/\/far\.example\/@remote"/)
})

test('authorize_interaction redirects a signed-in user to the requested page', async t => {
  const { alice, server } = await people(t, 'alice')
  const { publicUrl, localDomain } = server.config
  const { id, url, uri } = await alice.postStatus('hello')
  const hidden = await alice.postStatus('hidden', { visibility: 'direct' })
  const path = (named: string): string => `/authorize_interaction?${new URLSearchParams({ uri: named }).toString()}`
  const visitor = await new Browser(server).get(path(String(url)))
  assert.deepEqual([visitor.status, visitor.location], [302, '/auth/sign_in'])
  const { browser } = await signedIn(server, 'friend')
  const profile = `/@${alice.username}`
  const cases: readonly [named: string, location: string][] = [
    [String(url), `${profile}/${id}`],
    [String(uri), `${profile}/${id}`],
    [`${publicUrl}${profile}`, profile],
    [`acct:${alice.username}@${localDomain}`, profile],
    [`${alice.username}@${localDomain}`, profile],
    [String(hidden['url']), ''],
    ['acct:nobody@far.example', ''],
    ['https://far.example/@nobody', ''],
    ['', ''],
  ]
  for (const [named, location] of cases) {
    const response = await browser.get(path(named))
    assert.deepEqual([response.status, response.location], [location === '' ? 404 : 302, location], named)
  }
})
