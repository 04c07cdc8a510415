import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { entity, media } from '../../statuses/status_fixtures.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { people, person, sql, waitForEventLog } from '../../support/people.ts'
import { startServer, type ServerAddress } from '../../support/server.ts'
import { changeSetting, metaOf, signedIn } from './page_fixtures.ts'

const DOCUMENT = { accept: 'application/activity+json' }

async function remoteStatus(server: ServerAddress, account: string, visibility: string): Promise<string> {
  const [row] = await sql(
    server,
    `insert into statuses (account_id, local, uri, url, content, visibility)
     values ($1::bigint, false, 'https://far.example/s/' || $1 || $2, 'https://far.example/@far/' || $2, 'far', $2::visibility)
     returning id::text`,
    [account, visibility],
  )
  return String(row?.['id'])
}

test('which profiles and statuses are not found, hidden for now or gone, in every form', async t => {
  const { bob, server } = await people(t, 'bob')
  const states = {
    unconfirmed: await person(server, 'unconfirmed', { user: { confirmed_at: null } }),
    unapproved: await person(server, 'unapproved', { user: { approved: false } }),
    suspended: await person(server, 'suspended'),
    going: await person(server, 'going'),
    deleted: await person(server, 'deleted'),
  }
  const { suspended, going, deleted } = states
  const statuses = new Map<string, string>()
  for (const one of [suspended, going, deleted]) statuses.set(one.id, (await one.postStatus('hello')).id)
  const suspension = { suspended_at: suspended.id, deletion_requested_at: going.id }
  for (const [column, id] of Object.entries(suspension))
    await sql(
      server,
      `with changed as (update accounts set ${column} = now() where id = $1 returning id)
       insert into events (kind, account_id) select 'account.changed', changed.id from changed`,
      [id],
    )
  await sql(server, 'delete from users where account_id = $1', [deleted.id])
  await waitForEventLog(bob)
  const browser = new Browser(server)
  const statusOf = async (path: string, headers = {}): Promise<number> => (await browser.get(path, headers)).status
  for (const [name, page, document] of [
    ['unconfirmed', 404, 404],
    ['unapproved', 404, 404],
    ['suspended', 403, 200],
    ['going', 403, 403],
    ['deleted', 410, 410],
  ] as const) {
    const { username, id } = states[name]
    const profile = `/@${username}`
    for (const path of ['', '/with_replies', '/media', '/tagged/mills', '/featured', '/collections', '/followers'])
      assert.equal(await statusOf(profile + path), page, `${name} ${path}`)
    for (const path of ['.rss', '/with_replies.rss', '/media.rss', '/tagged/mills.rss'])
      assert.equal(await statusOf(profile + path), page, `${name} ${path}`)
    assert.equal(await statusOf(profile, DOCUMENT), document, name)
    if (page === 403 || page === 410)
      for (const [path, headers] of [
        [profile, {}],
        [`${profile}.rss`, {}],
        [`/ap/users/${id}/outbox?page=true`, DOCUMENT],
      ] as const) {
        const answer = await browser.get(path, headers)
        assert.equal(answer.headers.get('cache-control'), 'public, max-age=180', `${name} ${path}`)
        assert.match(answer.headers.get('vary') ?? '', /\bAccept\b.*Accept-Language/)
      }
    const status = statuses.get(id)
    if (status) assert.equal(await statusOf(`${profile}/${status}`), page, name)
  }
  assert.equal(await statusOf('/@nobody_here'), 404)
  assert.equal(await statusOf('/@nobody_here', DOCUMENT), 404)
  const minimal = entity(JSON.parse((await browser.get(`/@${suspended.username}`, DOCUMENT)).text))
  assert.equal(minimal['suspended'], true)
})

test('a profile page names its account to other sites', async t => {
  const { alice, server } = await people(t, 'alice')
  const { publicUrl } = server.config
  const page = await new Browser(server).get(`/@${alice.username}`)
  const title = /<title>([^<]*)<\/title>/.exec(page.text)?.[1] ?? ''
  assert.ok(title.includes('alice') && title.includes(alice.username))
  const meta = metaOf(page)
  assert.deepEqual([meta['og:type'], meta['og:url']], [['profile'], [`${publicUrl}/@${alice.username}`]])
  assert.match(meta['og:image']?.[0] ?? '', /\/avatars\//)
  assert.equal((await new Browser(server).get(`/users/${alice.username}`)).headers.get('vary'), 'Origin, Accept')
})

test('pages at addresses of documents vary by the signature where documents must be signed', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('signed')
  const browser = new Browser(server)
  const isVarying = async (path: string): Promise<boolean> =>
    /\bSignature\b/.test((await browser.get(path)).headers.get('vary') ?? '')
  const [profile, status] = [`/@${alice.username}`, `/@${alice.username}/${id}`]
  assert.equal(await isVarying(profile), false)
  await changeSetting(server, 'authorized_fetch', true, () => isVarying(profile))
  assert.deepEqual([await isVarying(status), await isVarying('/about')], [true, false])
  await changeSetting(server, 'authorized_fetch', false, async () => !(await isVarying(profile)))
})

test('collections of a profile lead people to pages and servers to documents', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  for (const list of ['followers', 'following']) {
    const page = await browser.get(`/users/${alice.username}/${list}`)
    assert.deepEqual([page.status, page.location], [301, `/@${alice.username}/${list}`])
    const document = await browser.get(`/users/${alice.username}/${list}`, DOCUMENT)
    assert.deepEqual([document.status, document.location], [302, `/ap/users/${alice.id}/${list}`])
    assert.equal((await browser.get(document.location, DOCUMENT)).status, 200)
  }
})

test('posts with attachments alone are in the feed of media', async t => {
  const { alice, server } = await people(t, 'alice')
  const media_ids = await media(server, alice, [{ type: 'image' }])
  const { id } = await alice.postStatus('with a picture', { media_ids })
  await alice.postStatus('without')
  const { text } = await new Browser(server).get(`/@${alice.username}/media.rss`)
  const links = [...text.matchAll(/<link>[^<]*\/(\d+)<\/link>/g)].map(([, found]) => found)
  assert.deepEqual(links, [id])
})

test('mentioned users see private and direct posts on their pages, blocked ones no post', async t => {
  const { alice, server } = await people(t, 'alice')
  const friends = await Promise.all(['mentioned', 'blocked'].map(name => personWithPassword(server, name)))
  const [mentioned, blocked] = friends
  assert.ok(mentioned && blocked)
  const browsers = await Promise.all(
    friends.map(async ({ email }) => {
      const browser = new Browser(server)
      await browser.signIn(email, PASSWORD)
      return browser
    }),
  )
  await alice.post(`/api/v1/accounts/${blocked.id}/block`)
  const open = await alice.postStatus('open')
  const paths = [`/@${alice.username}/${open.id}`]
  for (const visibility of ['private', 'direct']) {
    const { id } = await alice.postStatus(`@${mentioned.username} psst`, { visibility })
    paths.push(`/@${alice.username}/${id}`)
  }
  const seen = async (browser: Browser | undefined) =>
    Promise.all(paths.map(async path => (await browser?.get(path))?.status))
  assert.deepEqual(await seen(browsers[0]), [200, 200, 200])
  assert.deepEqual(await seen(browsers[1]), [404, 404, 404])
  assert.deepEqual(await seen(new Browser(server)), [200, 404, 404])
})

test('accounts, statuses and collections of other servers lead there, unless they are not public', async t => {
  const { alice, server } = await people(t, 'alice')
  const account = { domain: 'far.example', uri: 'https://far.example/users/far', url: 'https://far.example/@far' }
  const far = await person(server, 'far', { account })
  const [open, closed] = [await remoteStatus(server, far.id, 'public'), await remoteStatus(server, far.id, 'private')]
  const [shelf, own] = await Promise.all(
    [
      [far.id, 'https://far.example/collections/1'],
      [alice.id, null],
    ].map(async ([owner, url]) => {
      const [row] = await sql(
        server,
        `insert into collections (account_id, name, sensitive, discoverable, uri, url)
         values ($1, 'Shelf', false, true, $2, $2) returning id::text`,
        [owner, url],
      )
      return String(row?.['id'])
    }),
  )
  await waitForEventLog(alice)
  const browser = new Browser(server)
  const profile = `/@${far.username}@far.example`
  const cases: readonly [string, Record<string, string>, number, string][] = [
    [profile, {}, 302, `/redirect/accounts/${far.id}`],
    [`${profile}/${open}`, {}, 302, `/redirect/statuses/${open}`],
    [profile, DOCUMENT, 302, 'https://far.example/users/far'],
    [`${profile}/${open}`, DOCUMENT, 302, `https://far.example/s/${far.id}public`],
    [`${profile}/${closed}`, DOCUMENT, 404, ''],
    [`/redirect/statuses/${open}`, {}, 200, ''],
    [`/redirect/statuses/${closed}`, {}, 404, ''],
    ['/redirect/statuses/1', {}, 404, ''],
    [`/redirect/accounts/${alice.id}`, {}, 404, ''],
    ['/redirect/accounts/1', {}, 404, ''],
    [`/collections/${shelf}`, {}, 302, `/redirect/collections/${shelf}`],
    [`/redirect/collections/${shelf}`, {}, 200, ''],
    [`/redirect/collections/${own}`, {}, 404, ''],
    ['/redirect/collections/1', {}, 404, ''],
  ]
  for (const [path, headers, status, location] of cases) {
    const response = await browser.get(path, headers)
    assert.deepEqual([response.status, response.location], [status, location], path)
  }
  const { browser: reader, id } = await signedIn(server, 'reader')
  const address = `${profile}/${closed}`
  assert.equal((await reader.get(address)).status, 404)
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [id, far.id])
  await waitForEventLog(alice)
  const shown = await reader.get(address)
  assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'private, no-store'], 'to a follower')
  assert.match((await browser.get(`/redirect/statuses/${open}`)).text, /leaving[\s\S]*https:\/\/far\.example\/@far/)
})

test('a hashtag has a page with links to its other forms, and a document that lists nothing', async t => {
  const { alice, server } = await people(t, 'alice')
  await alice.postStatus('#mills')
  const browser = new Browser(server)
  const url = `${server.url}/tags/mills`
  const { text } = await browser.get('/tags/mills')
  for (const link of [
    `<link rel="alternate" type="application/rss+xml" href="${url}.rss" />`,
    `<link rel="alternate" type="application/activity+json" href="${url}" />`,
  ])
    assert.ok(text.includes(link), link)
  const response = await browser.get('/tags/mills', DOCUMENT)
  assert.match(response.headers.get('content-type') ?? '', /^application\/activity\+json/)
  const { '@context': _, ...document } = entity(JSON.parse(response.text))
  assert.deepEqual(document, { id: url, type: 'OrderedCollection', totalItems: 0 })
  assert.equal((await browser.get('/tags/never_used', DOCUMENT)).status, 404)
})

test('the feed of a hashtag has the parts that are public', async t => {
  const place = await startServer(t)
  const [alice, bob] = [await person(place, 'alice'), await person(place, 'bob')]
  const [near, far] = [await alice.postStatus('near #feedparts'), await bob.postStatus('far #feedparts')]
  await sql(place, 'update statuses set local = false where id = $1', [far.id])
  const table: [Record<string, string>, string[]][] = [
    [{}, [far.id, near.id]],
    [{ remote_topic_feed_access: 'authenticated' }, [near.id]],
    [{ local_topic_feed_access: 'authenticated' }, [far.id]],
    [{ local_topic_feed_access: 'authenticated', remote_topic_feed_access: 'authenticated' }, []],
  ]
  for (const [settings, ids] of table) {
    await sql(place, 'delete from settings')
    const server = await startServer(t, { databaseUrl: place.databaseUrl, settings })
    const { text } = await new Browser(server).get('/tags/feedparts.rss')
    const links = [...text.matchAll(/<link>[^<]*\/(\d+)<\/link>/g)].map(([, id]) => id)
    assert.deepEqual(links, ids, JSON.stringify(settings))
  }
})

test('hashtags that moderators do not let be used are not found, in any form', async t => {
  const { alice, server } = await people(t, 'alice')
  const admin = await person(server, 'admin', { roleId: 2 })
  await alice.postStatus('#shutmill')
  const browser = new Browser(server)
  const forms: [string, Record<string, string>][] = [
    ['/tags/shutmill', {}],
    ['/tags/ShutMill.rss', {}],
    ['/tags/shutmill', DOCUMENT],
  ]
  const found = () => Promise.all(forms.map(async ([path, headers]) => (await browser.get(path, headers)).status))
  assert.deepEqual(await found(), [200, 200, 200])
  const [tag] = await sql(server, `select id::text from tags where name = 'shutmill'`)
  const path = `/api/v1/admin/tags/${String(tag?.['id'])}`
  for (const [usable, status] of [
    [false, 404],
    [true, 200],
  ] as const) {
    assert.equal((await admin.put(path, { usable })).status, 200)
    await waitForEventLog(alice)
    assert.deepEqual(await found(), [status, status, status])
  }
})

test('links of other sites lead to what they ask for', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const asked = (uri: string) => browser.get(`/intent?${new URLSearchParams({ uri }).toString()}`)
  for (const [uri, location] of [
    ['web+mastodon://follow?uri=acct%3Aalice%40far.example', '/authorize_interaction?uri=alice%40far.example'],
    ['web+mastodon://follow?uri=https%3A%2F%2Ffar.example', '/authorize_interaction?uri=https%3A%2F%2Ffar.example'],
    ['web+mastodon://share?text=a%20%26%20b', '/share?text=a+%26+b'],
  ] as const) {
    const response = await asked(uri)
    assert.deepEqual([response.status, response.location], [302, location])
  }
  for (const uri of ['', 'no link', 'https://follow?uri=x', 'web+mastodon://other?uri=x', 'web+mastodon:follow'])
    assert.equal((await asked(uri)).status, 404, uri)
  const { browser: friend } = await signedIn(server, 'friend')
  const followed = await friend.get(`/authorize_follow?acct=acct:${alice.username}@${server.config.localDomain}`)
  assert.equal(followed.location, `/@${alice.username}`)
})

test('an address elsewhere is asked for, for those who are signed in', async t => {
  const { server } = await people(t)
  const peer = await startPeer(t)
  const far = peer.actor('far')
  const note = peer.serve(far.note('look me up'))
  const path = (uri: string) => `/authorize_interaction?${new URLSearchParams({ uri }).toString()}`
  const { browser } = await signedIn(server, 'friend')
  assert.equal((await new Browser(server).get(path(note.id))).location, '/auth/sign_in')
  const page = await browser.get(path(note.id))
  const [found] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  assert.deepEqual([page.status, page.location], [302, `/@${far.acct}/${String(found?.['id'])}`])
  assert.equal((await browser.get(path(far.uri))).location, `/@${far.acct}`)
  assert.equal((await browser.get(path(`${peer.url}/nothing`))).status, 404)
})

test('the about page is there for users who cannot use the server, and pages of a closed preview too', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const browser = new Browser(server)
  const disabled = await personWithPassword(server, 'disabled', { user: { disabled: true } })
  const kept = new Browser(server)
  await kept.signIn(disabled.email, PASSWORD)
  assert.equal((await kept.get('/about')).status, 200)
  assert.equal((await kept.get('/settings/preferences/reading')).location, '/auth/edit')
  await changeSetting(server, 'local_live_feed_access', 'authenticated', async () => {
    return (await fetch(`${server.url}/api/v1/timelines/public`)).status === 422
  })
  for (const path of ['/', `/@${alice.username}`, '/about']) assert.equal((await browser.get(path)).status, 200, path)
  assert.equal((await browser.get('/emojis/1')).status, 404)
})

test('in limited federation mode hashtags and files are for signed-in people', async t => {
  const server = await startServer(t)
  const { browser: friend } = await signedIn(server, 'friend')
  const alice = await person(server, 'alice')
  const media_ids = await media(server, alice, [{ type: 'image' }])
  await sql(
    server,
    `update media_attachments set file_key = 'media/aa/bb/0123456789012345678901234567.png' where id = any ($1)`,
    [media_ids],
  )
  await alice.postStatus('closed #closedtag', { media_ids })
  const anybody = new Browser(server)
  const paths = ['/tags/closedtag', '/tags/closedtag.rss', `/media/${media_ids[0]}`]
  await changeSetting(server, 'limited_federation_mode', true, async () => {
    return (await anybody.get('/tags/closedtag')).status === 302
  })
  for (const path of paths) assert.equal((await anybody.get(path)).location, '/auth/sign_in', path)
  const member = await personWithPassword(server, 'member')
  await anybody.get('/tags/closedtag?max_id=9')
  assert.equal((await anybody.signIn(member.email, PASSWORD)).location, '/tags/closedtag?max_id=9')
  await until(
    () => friend.get('/tags/closedtag'),
    page => page.status === 200,
    'the page for a friend',
  )
})
