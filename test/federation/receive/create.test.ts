import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, PUBLIC, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { followActor } from './receive_fixtures.ts'

test('a public note of a followed account is a status on the home stream', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob', { name: 'Bob :blob:', summary: '<p>Hi<script>alert(1)</script></p>' })
  await followActor(server, alice, bob)
  const socket = await alice.stream('user')
  const note = bob.note('<b>Hello</b> <script>bad()</script><a href="https://a.example/x" onclick="x()">x</a>', {
    summary: 'Careful',
    sensitive: true,
    contentMap: undefined,
    url: `${peer.url}/@bob/1`,
    tag: [{ type: 'Hashtag', href: `${peer.url}/tags/Cats`, name: '#Cats' }],
    attachment: [1, 2, 3, 4, 5].map(n => ({
      type: 'Document',
      mediaType: 'image/png',
      url: `${peer.url}/media/${n}.png`,
      name: `Picture ${n}`,
      width: 40,
      height: 20,
      focalPoint: [0.5, -0.5],
    })),
  })
  assert.equal(await bob.send(server, bob.create(note)), 202)
  const { payload } = await socket.next('update', message => entity(message.payload)['uri'] === note.id)
  const status = entity(payload)
  assert.equal(status['uri'], note.id)
  assert.equal(status['url'], `${peer.url}/@bob/1`)
  assert.equal(entity(status['account'])['acct'], bob.acct)
  assert.equal(entity(status['account'])['note'], '<p>Hi</p>')
  assert.equal(
    status['content'],
    '<p><b>Hello</b> <a href="https://a.example/x" rel="nofollow noopener" target="_blank">x</a></p>',
  )
  assert.deepEqual([status['spoiler_text'], status['sensitive'], status['visibility']], ['Careful', true, 'public'])
  assert.deepEqual(
    entities(status['tags']).map(tag => tag['name']),
    ['cats'],
  )
  const media = entities(status['media_attachments'])
  assert.equal(media.length, 4)
  assert.deepEqual(
    [media[0]?.['type'], media[0]?.['remote_url'], media[0]?.['description']],
    ['image', `${peer.url}/media/1.png`, 'Picture 1'],
  )
  const home = entities((await alice.get('/api/v1/timelines/home')).json)
  assert.equal(home[0]?.['id'], status['id'])
})

test('a mention notifies; the same activity delivered twice notifies once', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const socket = await alice.stream('user')
  const mention = (more: Document = {}): Document => ({
    tag: [{ type: 'Mention', href: localUri(server, alice.id), name: `@${alice.username}` }],
    cc: [bob.followers, localUri(server, alice.id)],
    ...more,
  })
  const first = bob.create(bob.note('one', mention()))
  await bob.send(server, first)
  await bob.send(server, first)
  await bob.send(server, bob.create(bob.note('two', mention({ to: [bob.followers], cc: [PUBLIC] }))))
  const notifications = [await socket.next('notification'), await socket.next('notification')].map(message =>
    entity(message.payload),
  )
  assert.deepEqual(
    notifications.map(one => [one['type'], entity(one['status'])['content'], entity(one['status'])['visibility']]),
    [
      ['mention', '<p>one</p>', 'public'],
      ['mention', '<p>two</p>', 'unlisted'],
    ],
  )
})

test('irrelevant notes are not stored, nor notes of another host', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const other = await startPeer(t)
  const bob = peer.actor('bob')
  const eve = other.actor('eve')
  const to = [PUBLIC, localUri(server, alice.id)]
  await bob.send(server, bob.create(bob.note('unwanted')))
  await eve.send(server, eve.create(bob.note('of another host', { to })))
  await eve.send(server, eve.create({ ...eve.note('of another author', { to }), attributedTo: bob.uri }))
  await bob.send(server, bob.create({ ...bob.note('no note', { to }), type: 'Tombstone' }))
  await bob.send(server, bob.create({ ...bob.note('long', { to }), id: `${bob.uri}/${'x'.repeat(3000)}` }))
  const socket = await alice.stream('user')
  const tag = [{ type: 'Mention', href: localUri(server, alice.id) }]
  await bob.send(server, bob.create(bob.note('wanted', { to, tag })))
  await socket.next('notification')
  const stored = await sql(
    server,
    `select s.content from statuses s join accounts a on a.id = s.account_id where a.uri = any ($1)`,
    [[bob.uri, eve.uri]],
  )
  assert.deepEqual(stored, [{ content: '<p>wanted</p>' }])
})
