import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { people, sql, waitForEventLog } from '../../support/people.ts'
import { media } from '../../statuses/status_fixtures.ts'
import { changeSetting, metaOf, signedIn, statusesOn } from './page_fixtures.ts'

test('the address of a status shows its page with metadata for other sites', async t => {
  const { alice, server } = await people(t, 'alice')
  const { publicUrl, localDomain } = server.config
  const { id, url, uri, created_at } = await alice.postStatus('<b>Mills</b> & "wheels" turn\n\nall day', {
    language: 'en',
  })
  assert.equal(url, `${publicUrl}/@${alice.username}/${id}`)
  const page = await new Browser(server).get(`/@${alice.username}/${id}`)
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(page.headers.get('cache-control'), 'max-age=10, public')
  assert.match(page.headers.get('vary') ?? '', /^Accept, Accept-Language, Cookie/)
  assert.equal(page.headers.get('set-cookie'), null)
  const link = `<${String(uri)}>; rel="alternate"; type="application/activity+json"`
  assert.equal(page.headers.get('link'), link)
  assert.match(page.text, /<link rel="alternate" type="application\/activity\+json" href="[^"]+\/statuses\/\d+" \/>/)
  const document = await fetch(String(uri), { headers: { accept: 'application/activity+json' } })
  assert.deepEqual([document.status, document.headers.get('link')], [200, link])
  assert.equal(page.headers.get('x-frame-options'), 'DENY')
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'self'; img-src 'self' data:/,
  )
  assert.doesNotMatch(page.text, /<script|<b>/)
  assert.match(page.text, /&lt;b&gt;Mills&lt;\/b&gt; &amp; &quot;wheels&quot; turn<\/p><p>all day/)
  assert.match(page.text, /<div dir="auto" lang="en">/)
  const meta = metaOf(page)
  assert.deepEqual(
    ['og:type', 'og:title', 'og:url', 'og:published_time', 'og:description', 'og:locale', 'twitter:card'].map(
      name => meta[name],
    ),
    [
      ['article'],
      [`alice (@${alice.username}@${localDomain})`],
      [url],
      [String(created_at)],
      ['<b>Mills</b> & "wheels" turn all day'],
      ['en'],
      ['summary'],
    ],
  )
  const discovery = /<link\s+rel="alternate"\s+type="application\/json\+oembed"\s+href="([^"]+)"/.exec(page.text)?.[1]
  const oembed = await fetch((discovery ?? '').replaceAll('&amp;', '&'))
  assert.deepEqual([oembed.status, ((await oembed.json()) as { type: string }).type], [200, 'rich'])
})

test('the page of a status is visible to viewers who may see the status', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const follower = await signedIn(server, 'follower')
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [follower.id, alice.id])
  await waitForEventLog(alice)
  const shown = await alice.postStatus('for all')
  const deleted = await alice.postStatus('soon deleted')
  await alice.delete(`/api/v1/statuses/${deleted.id}`)
  const ids: Record<string, string> = { deleted: deleted.id, none: '1', word: 'about-me' }
  for (const visibility of ['public', 'unlisted', 'private', 'direct'])
    ids[visibility] = (await alice.postStatus(visibility, { visibility })).id
  const anybody = new Browser(server)
  const cases: readonly [path: string, anybody: number, follower: number][] = [
    [`/@${alice.username}/${ids['public']}`, 200, 200],
    [`/@${alice.username.toUpperCase()}/${ids['unlisted']}`, 200, 200],
    [`/@${alice.username}/${ids['private']}`, 404, 200],
    [`/@${alice.username}/${ids['direct']}`, 404, 404],
    [`/@${alice.username}/${ids['deleted']}`, 404, 404],
    [`/@${alice.username}/${ids['none']}`, 404, 404],
    [`/@${alice.username}/${ids['word']}`, 404, 404],
    [`/@${bob.username}/${shown.id}`, 404, 404],
    [`/${alice.username}/${shown.id}`, 404, 404],
    [`/@nobody/${shown.id}`, 404, 404],
  ]
  for (const [path, one, two] of cases) {
    assert.equal((await anybody.get(path)).status, one, `${path} for anybody`)
    assert.equal((await follower.browser.get(path)).status, two, `${path} for a follower`)
  }
  const own = await follower.browser.get(`/@${alice.username}/${ids['private']}`)
  assert.equal(own.headers.get('cache-control'), 'private, no-store')
  assert.doesNotMatch(own.text, /json\+oembed/)

  const boost = (await bob.post(`/api/v1/statuses/${shown.id}/reblog`)).json as { id: string }
  const boosted = await anybody.get(`/@${bob.username}/${boost.id}`)
  assert.deepEqual([boosted.status, boosted.location], [302, shown['url']])
  assert.deepEqual(statusesOn(await anybody.get(`/@${alice.username}/${shown.id}`)), [shown.id])
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [alice.id])
  await waitForEventLog(bob)
})

test('the metadata of a sensitive status contain its media only when the setting allows it', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const post = async (more: object): Promise<string> => {
    const media_ids = await media(server, alice, [{ type: 'image', description: 'A "red" fox' }])
    await sql(
      server,
      `update media_attachments set file_key = 'media/aa/bb/0123456789012345678901234567.png', preview_key = 'media/aa/bb/1123456789012345678901234567.png'
       where id = any ($1)`,
      [media_ids],
    )
    const { id } = await alice.postStatus('a fox', { media_ids, ...more })
    return `/@${alice.username}/${id}`
  }
  const pictures = async (path: string): Promise<string[] | undefined> =>
    metaOf(await browser.get(path))['og:image:alt']
  const [plain, sensitive, warned] = [
    await post({}),
    await post({ sensitive: true }),
    await post({ spoiler_text: 'fox' }),
  ]
  assert.deepEqual(await pictures(plain), ['A "red" fox'])
  for (const path of [sensitive, warned]) {
    const meta = metaOf(await browser.get(path))
    assert.equal(meta['og:image:alt'], undefined)
    assert.match(meta['og:image']?.[0] ?? '', /\/avatars\//)
    assert.deepEqual(meta['twitter:card'], ['summary'])
  }
  assert.deepEqual(metaOf(await browser.get(warned))['og:description'], ['fox'])
  await changeSetting(server, 'preview_sensitive_media', true, async () => (await pictures(sensitive)) !== undefined)
  for (const path of [sensitive, warned]) assert.deepEqual(await pictures(path), ['A "red" fox'])
})

test('the metadata of a quote omit the fallback line of the quote', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id: quoted } = await alice.postStatus('mine')
  const { url } = await bob.postStatus('so true', { quoted_status_id: quoted })
  assert.deepEqual(metaOf(await new Browser(server).get(new URL(String(url)).pathname))['og:description'], ['so true'])
})

test('the referrer policy follows the setting', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('hello')
  const paths = [`/@${alice.username}/${id}`, `/@${alice.username}`, '/', '/about', '/auth/sign_in', '/nowhere']
  const policies = async (): Promise<(string | null)[]> => {
    const browser = new Browser(server)
    return Promise.all(paths.map(async path => (await browser.get(path)).headers.get('referrer-policy')))
  }
  assert.deepEqual(new Set(await policies()), new Set(['same-origin']))
  const open = 'strict-origin-when-cross-origin'
  await changeSetting(server, 'allow_referrer_origin', true, async () => (await policies())[0] === open)
  assert.deepEqual(new Set(await policies()), new Set([open]))
})
