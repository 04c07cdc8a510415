import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, PUBLIC, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, person, sql } from '../../support/people.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { json, startFollowedActor, startHostile } from '../hostile_fixtures.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* What servers of other programs write differently. */

test('the only content of a note may be a map of languages, of which the first is shown', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const seen: unknown[] = []
  for (const more of [
    { content: undefined, contentMap: { de: '<p>Hallo</p>', en: '<p>hello</p>' } },
    { content: '', contentMap: { fr: '<p>bonjour</p>' } },
    { content: '<p>no map</p>', contentMap: '<p>none</p>' },
    { content: '<p>other</p>', contentMap: { '': '<p>other</p>' } },
    { content: '<p>list</p>', contentMap: { en: ['<p>list</p>'] } },
  ]) {
    const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'x', more))
    seen.push([status['content'], status['language']])
  }
  assert.deepEqual(seen, [
    ['<p>Hallo</p>', 'de'],
    ['<p>bonjour</p>', 'fr'],
    ['<p>no map</p>', null],
    ['<p>other</p>', null],
    ['<p>list</p>', null],
  ])
})

test('the audience of an activity is that of a note without one', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const note = noteTo(server, alice, bob, 'hello', { to: undefined, cc: null })
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('Create', note, { to: [bob.followers], cc: [PUBLIC] }))
  const { payload } = await socket.next('notification')
  const status = entity(entity(payload)['status'])
  assert.deepEqual([status['uri'], status['visibility']], [note.id, 'unlisted'])
})

test('a note that names an option of a local poll is a vote, whatever else it contains', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const status = await alice.postStatus('drinks?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
  const answer = (name: unknown, more: Document): Document & { id: string } =>
    noteTo(server, alice, bob, 'x', {
      name,
      inReplyTo: `${localUri(server, alice.id)}/statuses/${status.id}`,
      to: [localUri(server, alice.id)],
      cc: [],
      ...more,
    })
  const vote = answer('milk', { content: '' })
  const reply = answer('wine', { content: '<p>wine!</p>' })
  for (const note of [vote, reply, answer('cola', { content: undefined })]) await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, bob)
  const { poll, replies_count: replies } = entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)
  assert.deepEqual(
    entities(entity(poll)['options']).map(option => option['votes_count']),
    [0, 1],
  )
  assert.equal(replies, 0, 'a direct reply is not counted')
  const stored = await sql(server, 'select uri from statuses where in_reply_to_id = $1', [status.id])
  assert.deepEqual(stored, [{ uri: reply.id }])
})

test('the only option of a poll may stand without a list', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const polls: unknown[] = []
  for (const options of [
    { anyOf: { type: 'Note', name: 'one' } },
    { oneOf: { type: 'Note', name: 'one' } },
    { anyOf: [], oneOf: [{ type: 'Note', name: 'one' }] },
  ]) {
    const note = noteTo(server, alice, bob, 'poll', { type: 'Question', ...options })
    const { multiple, options: shown } = entity((await deliver(server, alice, bob, note))['poll'])
    polls.push([multiple, entities(shown).map(({ title }) => title)])
  }
  assert.deepEqual(polls, [
    [true, ['one']],
    [false, ['one']],
    [false, ['one']],
  ])
})

test('the comment of a report is plain text', async t => {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const bob = (await startPeer(t)).actor('bob')
  const comment = 'I <3 you & that is\n\nall > nothing &amp; <b>bad</b>'
  await bob.send(server, bob.activity('Flag', [localUri(server, alice.id)], { content: comment }))
  await bob.send(server, bob.activity('Flag', localUri(server, alice.id), { content: [comment] }))
  await waitUntilProcessed(server, alice, bob)
  const reports = entities((await moderator.get('/api/v1/admin/reports', { target_account_id: alice.id })).json)
  assert.deepEqual(
    reports.map(report => report['comment']),
    ['', comment],
  )
})

test('a content warning is text, of which only the tags of HTML are left out', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const warnings: [summary: string, shown: string][] = [
    ['C++: vector<int> basics', 'C++: vector<int> basics'],
    ['<spoilers>', '<spoilers>'],
    ['1 < 2 > 0, <3 & <bad>', '1 < 2 > 0, <3 & <bad>'],
    ['see <https://a.example/>', 'see <https://a.example/>'],
    ['a <b', 'a <b'],
    ['<p class="x">food,<br/>with <B>m&amp;m</B> &lt;3</p><P>twice</P>', 'food,\nwith m&m <3\n\ntwice'],
  ]
  for (const [summary, shown] of warnings) {
    const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'below', { summary }))
    assert.equal(status['spoiler_text'], shown)
  }
})

test('a hashtag loses the characters that hashtags do not have here', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const note = noteTo(server, alice, bob, 'tagged')
  const names = ['#foo-bar', '#123', '#1-2', '#--', '#', '#Café!', '＃FooBar', 'c++']
  const tag = [...(note['tag'] as Document[]), ...names.map(name => ({ type: 'Hashtag', name }))]
  const status = await deliver(server, alice, bob, { ...note, tag })
  assert.deepEqual(new Set(entities(status['tags']).map(({ name }) => name)), new Set(['c', 'cafe', 'foobar']))
})

test('a document may be JSON-LD if its type names the profile of ActivityStreams', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  const bob = await startFollowedActor(t, server, alice)
  const carol = host.peer.actor('carol')
  const profile = 'https://www.w3.org/ns/activitystreams'
  const types = {
    none: 'application/ld+json',
    other: 'application/ld+json; profile="http://www.w3.org/ns/json-ld#compacted"',
    activity: 'application/activity+json; charset=utf-8',
    quoted: `application/ld+json; profile="${profile}"`,
    plain: `Application/LD+JSON;charset=utf-8;profile=${profile}`,
    several: `application/ld+json; profile="http://www.w3.org/ns/json-ld#compacted ${profile}"`,
  }
  for (const [name, type] of Object.entries(types)) {
    const uri = `${host.url}/typed/${name}`
    const note = { ...carol.note(name), id: uri }
    host.on(`/typed/${name}`, response => json(response, note, { 'content-type': type }))
    await bob.send(server, bob.activity('Announce', uri, { to: [PUBLIC] }))
  }
  await waitUntilProcessed(server, alice, bob)
  const stored = await sql(server, 'select uri from statuses where uri like $1 order by id', [`${host.url}/typed/%`])
  assert.deepEqual(
    new Set(stored.map(({ uri }) => uri)),
    new Set(['activity', 'quoted', 'plain', 'several'].map(name => `${host.url}/typed/${name}`)),
  )
})

test('a file is described by its summary, else by its name', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const texts = [
    { name: '', summary: 'a summary' },
    { name: 'a name', summary: '' },
    { name: 'a title', summary: 'a description' },
    { name: '' },
  ]
  const attachment = texts.map((text, at) => ({ type: 'Image', url: `${bob.uri}/${at}.png`, ...text }))
  const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'pictures', { attachment }))
  assert.deepEqual(
    entities(status['media_attachments']).map(({ description }) => description),
    ['a summary', 'a name', 'a description', null],
  )
})

test('the kind of an attached file without a media type is that of its link or of its name', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const link = (href: string, mediaType: string): Document => ({ type: 'Link', href, mediaType })
  const kindsOf = async (attachment: readonly Document[]): Promise<unknown[]> => {
    const note = noteTo(server, alice, bob, 'files', { attachment })
    return entities((await deliver(server, alice, bob, note))['media_attachments']).map(({ type }) => type)
  }
  const files = bob.peer.url
  assert.deepEqual(
    await kindsOf([
      { type: 'Document', url: `${files}/covers/1.JPG`, name: 'Author: Title' },
      { type: 'Document', url: [link(`${files}/2`, 'image/png')] },
      { type: 'Document', url: link(`${files}/3`, 'audio/ogg') },
      { type: 'Document', url: `${files}/4.webm?size=1.jpg` },
    ]),
    ['image', 'image', 'audio', 'video'],
  )
  assert.deepEqual(
    await kindsOf([
      { type: 'Document', url: `${files}/5.mp3` },
      { type: 'Document', url: `${files}/6.pdf` },
      { type: 'Document', url: `${files}/7.png`, mediaType: 'application/pdf' },
      { type: 'Document', url: `${files}/8` },
    ]),
    ['audio', 'unknown', 'unknown', 'unknown'],
  )
})

test('a report that names only a post is about its author, and its reason may be a summary', async t => {
  const { alice, bob: other, server } = await people(t, 'alice', 'bob')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const bob = (await startPeer(t)).actor('bob')
  const [shown, secret] = [await alice.postStatus('rude'), await other.postStatus('secret', { visibility: 'private' })]
  const [mine, hidden] = [
    `${localUri(server, alice.id)}/statuses/${shown.id}`,
    `${localUri(server, other.id)}/statuses/${secret.id}`,
  ]
  await bob.send(server, bob.activity('Flag', mine, { summary: 'spam', content: '' }))
  await bob.send(server, bob.activity('Flag', [mine, localUri(server, alice.id)], { summary: 'x', content: 'rude' }))
  await bob.send(server, bob.activity('Flag', [hidden]))
  await waitUntilProcessed(server, alice, bob)
  const reportsOf = async (target: string) =>
    entities((await moderator.get('/api/v1/admin/reports', { target_account_id: target })).json).map(report => [
      report['comment'],
      entities(report['statuses']).map(({ id }) => id),
    ])
  assert.deepEqual(await reportsOf(alice.id), [
    ['rude', [shown.id]],
    ['spam', [shown.id]],
  ])
  assert.deepEqual(await reportsOf(other.id), [], 'the other server cannot see the post')
})

test('a time without an offset is in UTC, wherever this server is', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const { TZ: zone } = process.env
  t.after(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'Europe/Berlin'
  const published = new Date(Date.now() - 60_000).toISOString()
  const seen: unknown[] = []
  for (const time of [published.slice(0, -1), published.slice(0, 19).replace('T', ' '), published])
    seen.push((await deliver(server, alice, bob, noteTo(server, alice, bob, 'x', { published: time })))['created_at'])
  assert.deepEqual(seen, [published, `${published.slice(0, 19)}.000Z`, published])
})

test('a post of PeerTube, updated milliseconds after it was published, is not marked as edited', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const at = Date.now() - 60_000
  const published = new Date(at).toISOString()
  const seen: unknown[] = []
  for (const laterMs of [37, 5000]) {
    const updated = new Date(at + laterMs).toISOString()
    const note = noteTo(server, alice, bob, 'x', { published, updated })
    seen.push((await deliver(server, alice, bob, note))['edited_at'])
  }
  assert.deepEqual(seen, [null, new Date(at + 5000).toISOString()])
})

test('the picture that a server shows for a video or sound is its preview', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const file = (type: string, name: string, icon: unknown) => ({
    type: 'Document',
    mediaType: `${type}/x`,
    url: `https://far.example/${name}`,
    icon,
  })
  const cover = { type: 'Image', mediaType: 'image/jpeg', url: 'https://far.example/cover.jpg' }
  const attachment = [
    file('video', 'film', cover),
    file('audio', 'song', [{ type: 'Link', href: 'https://far.example/link.jpg' }]),
    file('video', 'bare', { type: 'Image', url: 'javascript:alert(1)' }),
  ]
  const note = noteTo(server, alice, bob, 'x', { attachment })
  const previews = (status: Document): unknown =>
    entities(status['media_attachments']).map(one => [
      String(one['preview_url']).replace(/^.*\//, ''),
      one['preview_remote_url'],
    ])
  assert.deepEqual(previews(await deliver(server, alice, bob, note)), [
    ['cover.jpg', 'https://far.example/cover.jpg'],
    ['link.jpg', 'https://far.example/link.jpg'],
    ['no-preview.png', null],
  ])
  const changed = [{ ...attachment[0], icon: { ...cover, url: 'https://far.example/new.jpg' } }, ...attachment.slice(1)]
  const updated = new Date(Date.now() + 1000).toISOString()
  await bob.send(server, bob.activity('Update', { ...note, content: '<p>edited</p>', attachment: changed, updated }))
  await waitUntilProcessed(server, alice, bob)
  const [stored] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  const after = entity((await alice.get(`/api/v1/statuses/${String(stored?.['id'])}`)).json)
  assert.deepEqual(
    entities(after['media_attachments']).map(one => one['preview_remote_url'])[0],
    'https://far.example/new.jpg',
  )
})

test('the text of a note that is no HTML, as comments of PeerTube are, keeps its lines and links', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const content = 'First line\nsecond https://example.org/x\n\na <b and c> d & e'
  for (const mediaType of ['text/markdown', 'text/plain; charset=utf-8']) {
    const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'x', { content, mediaType }))
    const text = String(status['content'])
    assert.match(text, /^<p>First line<br ?\/?>second <a [^>]*href="https:\/\/example.org\/x"/)
    assert.ok(text.endsWith('<p>a &lt;b and c&gt; d &amp; e</p>'), text)
  }
  const html = noteTo(server, alice, bob, 'x', { content: '<p>a<br>b</p>', mediaType: 'text/html' })
  assert.match(String((await deliver(server, alice, bob, html))['content']), /^<p>a<br ?\/?>b<\/p>$/)
})
