import assert from 'node:assert/strict'
import { test } from 'tap'
import { media } from '../../statuses/status_fixtures.ts'
import { people, sql } from '../../support/people.ts'
import { changeSetting } from './page_fixtures.ts'

const linksIn = (text: string): string[] =>
  [...text.matchAll(/<item>[\s\S]*?<link>([^<]*)<\/link>/g)].map(found => String(found[1]))

async function feed(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; type: string; caching: string | null; location: string | null; text: string }> {
  const response = await fetch(url, { headers, redirect: 'manual' })
  const { status, headers: sent } = response
  const type = sent.get('content-type') ?? ''
  const caching = sent.get('cache-control')
  return { status, type, caching, location: sent.get('location'), text: await response.text() }
}

test('the feed of a profile has the posts that everybody may read, without boosts and replies to others', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const other = await bob.postStatus('by bob')
  const plain = await alice.postStatus('plain & <simple>')
  const unlisted = await alice.postStatus('unlisted', { visibility: 'unlisted' })
  const own = await alice.postStatus('continued', { in_reply_to_id: plain.id })
  const response = await alice.postStatus('to bob', { in_reply_to_id: other.id })
  await alice.postStatus('private', { visibility: 'private' })
  await alice.postStatus('direct', { visibility: 'direct' })
  await alice.post(`/api/v1/statuses/${other.id}/reblog`)
  const warned = await alice.postStatus('spoiler #tea', { spoiler_text: 'the "end"' })
  const url = `${server.url}/@${alice.username}`

  const posts = await feed(`${url}.rss`)
  assert.deepEqual([posts.status, posts.type], [200, 'application/rss+xml; charset=utf-8'])
  assert.equal(posts.caching, 'public, max-age=60')
  assert.equal((await feed(`${server.url}/tags/tea.rss`)).caching, 'public, max-age=0')
  const idsOf = (text: string): string[] => linksIn(text).map(link => link.split('/').at(-1) ?? '')
  assert.deepEqual(idsOf(posts.text), [warned.id, own.id, unlisted.id, plain.id])
  assert.match(posts.text, /plain &amp; &lt;simple&gt;/)
  assert.match(posts.text, /Content warning:<\/strong> the &quot;end&quot;/)
  assert.match(posts.text, /<category>tea<\/category>/)

  assert.deepEqual(idsOf((await feed(`${url}/with_replies.rss`)).text), [
    warned.id,
    response.id,
    own.id,
    unlisted.id,
    plain.id,
  ])
  assert.deepEqual(idsOf((await feed(`${url}/media.rss`)).text), [])
  assert.deepEqual(idsOf((await feed(`${url}/tagged/tea.rss`)).text), [warned.id])
  assert.deepEqual(idsOf((await feed(`${url}/tagged/unknown.rss`)).text), [])
  assert.deepEqual(idsOf((await feed(url, { accept: 'application/rss+xml' })).text), [
    warned.id,
    own.id,
    unlisted.id,
    plain.id,
  ])
  assert.equal((await feed(`${server.url}/@nobody_here.rss`)).status, 404)
  const page = await feed(url, { accept: 'text/html' })
  assert.match(
    page.text,
    new RegExp(`<link rel="alternate" type="application/rss\\+xml" href="/@${alice.username}\\.rss"`),
  )
})

test('a feed shows pictures, but links to sensitive ones', async t => {
  const { alice, server } = await people(t, 'alice')
  const files = await media(server, alice, [
    { type: 'image', description: 'open fox' },
    { type: 'image', description: 'sensitive fox' },
    { type: 'image', description: 'warned fox' },
  ])
  const key = 'media/aa/bb/0123456789012345678901234567.png'
  await sql(server, 'update media_attachments set file_key = $2 where id = any ($1)', [files, key])
  const [open, sensitive, warned] = files.map(id => [id])
  await alice.postStatus('a', { media_ids: open })
  await alice.postStatus('b', { media_ids: sensitive, sensitive: true })
  await alice.postStatus('c', { media_ids: warned, spoiler_text: 'foxes' })
  const { text } = await feed(`${server.url}/@${alice.username}.rss`)
  assert.match(text, /<img src="[^"]+\.png" alt="open fox"/)
  for (const hidden of ['sensitive fox', 'warned fox'])
    assert.match(text, new RegExp(`<a href="[^"]+\\.png">${hidden}</a>`))
})

test('a feed names the first file of a post as its enclosure, but not a sensitive one', async t => {
  const { alice, server } = await people(t, 'alice')
  const files = await media(server, alice, [
    { type: 'audio', description: 'a song' },
    { type: 'image', description: 'a mill' },
    { type: 'image', description: 'a sensitive mill' },
  ])
  const [song, mill, hidden] = files.map(String)
  for (const [id, name] of [
    [song, '01234567890123456789012345aa.mp3'],
    [mill, '01234567890123456789012345bb.png'],
    [hidden, '01234567890123456789012345cc.png'],
  ])
    await sql(server, 'update media_attachments set file_key = $2 where id = $1', [id, `media/aa/bb/${name}`])
  await alice.postStatus('a', { media_ids: [song] })
  await alice.postStatus('b', { media_ids: [mill] })
  await alice.postStatus('c', { media_ids: [hidden], sensitive: true })
  await alice.postStatus('d')
  const { text } = await feed(`${server.url}/@${alice.username}.rss`)
  const found = [...text.matchAll(/<enclosure (?=[^>]*length="0")(?=[^>]*type="([^"]+)")[^>]*url="[^"]+\/(\w+\.\w+)"/g)]
  assert.deepEqual(
    found.map(([, type, name]) => [name, type]),
    [
      ['01234567890123456789012345bb.png', 'image/png'],
      ['01234567890123456789012345aa.mp3', 'audio/mpeg'],
    ],
  )
  assert.equal(text.split('<enclosure').length, 3)
})

test('a feed has as many posts as are asked for', async t => {
  const { alice, server } = await people(t, 'alice')
  for (let count = 0; count < 25; count += 1) await alice.postStatus(`#manyposts ${count}`)
  for (const path of [`/@${alice.username}.rss`, `/@${alice.username}/tagged/manyposts.rss`, '/tags/manyposts.rss'])
    for (const [query, posts] of [
      ['', 20],
      ['?limit=3', 3],
      ['?limit=24', 24],
      ['?limit=9999', 25],
    ] as const)
      assert.equal(linksIn((await feed(`${server.url}${path}${query}`)).text).length, posts, path + query)
})

test('the feed of a hashtag follows the access to topic feeds', async t => {
  const { alice, server } = await people(t, 'alice')
  const { id } = await alice.postStatus('with #rssfeedtag')
  const url = `${server.url}/tags/rssfeedtag.rss`
  const found = await feed(url)
  assert.equal(found.type, 'application/rss+xml; charset=utf-8')
  assert.match(found.text, new RegExp(`/${id}</link>`))
  assert.equal((await feed(`${server.url}/tags/never_used_tag.rss`)).status, 404)
  await sql(
    server,
    `with author as (insert into accounts (username, domain, uri) values ('far', 'rss.example', 'https://rss.example/far') returning id),
     posted as (insert into statuses (account_id, local, uri, url, content, visibility)
       select id, false, 'https://rss.example/1', 'https://rss.example/1', 'far', 'public' from author returning id)
     insert into status_tags (tag_id, status_id) select tags.id, posted.id from tags, posted where name = 'rssfeedtag'`,
  )
  const idsIn = async (query: string) => linksIn((await feed(url + query)).text).map(link => link.split('/').at(-1))
  assert.deepEqual(await idsIn('?limit=21'), ['1', id])
  assert.deepEqual(await idsIn('?local=true&limit=21'), [id])
  const isEmpty = async (): Promise<boolean> => linksIn((await feed(url)).text).length === 0
  await changeSetting(server, 'remote_topic_feed_access', 'authenticated', async () => true)
  await changeSetting(server, 'local_topic_feed_access', 'authenticated', isEmpty)
  assert.equal((await feed(url)).status, 200)
})

test('in limited federation mode the feeds lead to sign-in', async t => {
  const { alice, server } = await people(t, 'alice')
  await alice.postStatus('with #closedfeedtag')
  const url = `${server.url}/@${alice.username}.rss`
  await changeSetting(server, 'limited_federation_mode', true, async () => (await feed(url)).status === 302)
  for (const path of [`/@${alice.username}.rss`, '/tags/closedfeedtag.rss']) {
    const { status, location } = await feed(`${server.url}${path}`)
    assert.deepEqual([status, location], [302, '/auth/sign_in'], path)
  }
})
