import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, PUBLIC, startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { accountOf, deliver, followActor, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* Identifiers and references as other programs write them. */

test('references may be objects or lists, and ids may have fragments and hosts in capitals', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const me = localUri(server, alice.id)
  const wrapped = noteTo(server, alice, bob, 'wrapped', {
    to: { id: PUBLIC, type: 'Collection' },
    cc: [[bob.followers], { id: me }, null, 3],
    attributedTo: [{ type: 'Person', id: bob.uri }],
    tag: { type: ['Mention', 'Link'], href: me, name: '@alice' },
    inReplyTo: [],
  })
  assert.equal((await deliver(server, alice, bob, wrapped))['visibility'], 'public')
  const activity = { ...bob.create(wrapped), actor: { id: bob.uri, type: 'Person' }, type: ['Create'] }
  assert.equal(await bob.send(server, activity), 202)
  const fragment = noteTo(server, alice, bob, 'with a fragment')
  const ids = [`${bob.uri}#notes/1`, fragment.id.replace('http://', 'HTTP://')]
  for (const id of ids) assert.equal((await deliver(server, alice, bob, { ...fragment, id }))['uri'], id)
  const status = await alice.postStatus('popular')
  const object = { id: `${me}/statuses/${status.id}`, type: 'Note' }
  const likes = async (): Promise<unknown> => {
    await waitUntilProcessed(server, alice, bob)
    return entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)['favourites_count']
  }
  const counted: unknown[] = []
  for (const reference of [object, [object.id], [object]]) {
    const like = bob.activity('Like', reference)
    for (const sent of [like, bob.activity('Undo', [like])]) {
      await bob.send(server, sent)
      counted.push(await likes())
    }
  }
  assert.deepEqual(counted, [1, 0, 1, 0, 1, 0])
})

test('an actor whose host is written in capitals has one account', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  const capitals = { ...peer.documentOf(bob.uri), webfinger: `${bob.username.toUpperCase()}@${peer.domain}` }
  await bob.send(server, bob.activity('Update', capitals))
  assert.equal(accountOf(await waitUntilProcessed(server, alice, bob)).id, account.id)
  const rows = await sql(server, 'select from accounts where domain = $1 and lower(username) = lower($2)', [
    peer.domain,
    bob.username,
  ])
  assert.equal(rows.length, 1)
})

test('an account that has moved away accepts no followers', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await sql(server, 'update accounts set moved_to_account_id = $2 where id = $1', [alice.id, carol.id])
  const follow = bob.activity('Follow', localUri(server, alice.id))
  await bob.send(server, follow)
  const { activity } = await peer.next(one => entity(one['object']).id === follow.id)
  assert.equal(activity['type'], 'Reject')
})

test('times without an offset are in UTC, whatever the time zone of this server', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const zone = process.env['TZ']
  t.after(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'Asia/Tokyo'
  const utc = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000)
  const text = utc.toISOString().slice(0, 19)
  for (const published of [text, `${text}.000000`, text.replace('T', ' '), `${text}Z`, `${text}+00:00`]) {
    const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'now', { published }))
    assert.equal(status['created_at'], utc.toISOString(), published)
  }
})
