import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { localUri, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { waitForFederationJobs } from '../federation_fixtures.ts'
import { followActor, waitUntilProcessed } from './receive_fixtures.ts'

/* Notes that reach people whom they do not name. */

test('an account that is addressed without a mention can read a note, and no other can', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const carol = (await startPeer(t)).actor('carol')
  const addressed = carol.note('addressed', { to: [localUri(server, alice.id)], cc: [] })
  // Its addressees are hidden: only the inbox says for whom it is.
  const hidden = carol.note('hidden', { to: [], cc: [] })
  await carol.send(server, carol.create(addressed))
  await carol.send(server, carol.create(hidden), `/ap/users/${alice.id}/inbox`)
  await waitUntilProcessed(server, alice, carol)
  await waitForFederationJobs(t, server)
  for (const { id: uri } of [addressed, hidden]) {
    const [row] = await sql(server, 'select id::text, visibility from statuses where uri = $1', [uri])
    assert.equal(row?.['visibility'], 'limited', uri)
    const path = `/api/v1/statuses/${String(row['id'])}`
    const seen = await alice.get(path)
    assert.equal(seen.status, 200, uri)
    assert.deepEqual(entity(seen.json)['mentions'], [], 'it names nobody')
    assert.equal((await bob.get(path)).status, 404)
  }
  const unread = await alice.get('/api/v1/notifications')
  const uris = (unread.json as { status?: { uri: string } }[]).map(({ status }) => status?.uri)
  assert.ok(!uris.includes(addressed.id) && !uris.includes(hidden.id), 'nobody is notified')
})

test('an account that was not fetched for a day is fetched again when it sends an activity', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const name = async (): Promise<unknown> =>
    entity((await waitUntilProcessed(server, alice, carol))['account'])['display_name']
  assert.equal(await name(), 'carol')
  peer.serve({ ...peer.documentOf(carol.uri), name: 'Caroline' })
  assert.equal(await name(), 'carol', 'it was looked at today')
  await sql(server, `update accounts set fetched_at = now() - interval '25 hours' where uri = $1`, [carol.uri])
  assert.equal(await name(), 'Caroline')
})

test('a note for some followers enters the home feed of each recipient when it is delivered to them', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const carol = (await startPeer(t)).actor('carol')
  const note = carol.note('for a circle', { to: [`${carol.uri}/circle`], cc: [] })
  const homeOf = async (person: Person): Promise<unknown[]> =>
    entities((await person.get('/api/v1/timelines/home')).json).flatMap(({ uri }) => (uri === note.id ? [uri] : []))
  for (const person of [alice, bob]) {
    await followActor(server, person, carol)
    assert.deepEqual(await homeOf(person), [])
  }
  const [toAlice, toBob] = await Promise.all([alice.stream('user'), bob.stream('user')])
  await carol.send(server, carol.create(note), `/ap/users/${alice.id}/inbox`)
  assert.equal(entity((await toAlice.next('update')).payload)['uri'], note.id)
  assert.deepEqual([await homeOf(alice), await homeOf(bob)], [[note.id], []])
  await carol.send(server, carol.create(note), `/ap/users/${bob.id}/inbox`)
  assert.equal(entity((await toBob.next('update')).payload)['uri'], note.id)
  assert.deepEqual([await homeOf(alice), await homeOf(bob)], [[note.id], [note.id]])
  // The next message of the first recipient is about another note.
  const other = carol.note('for followers', { to: [`${carol.uri}/followers`], cc: [] })
  await carol.send(server, carol.create(other))
  assert.equal(entity((await toAlice.next('update')).payload)['uri'], other.id)
})

test('a private or direct note that tags an account without addressing it stays hidden from it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const carol = (await startPeer(t)).actor('carol')
  const mention = (person: Person): Document => ({
    type: 'Mention',
    href: localUri(server, person.id),
    name: `@${person.username}`,
  })
  const tag = [mention(alice), mention(bob)]
  const [direct, secret, edited] = [
    carol.note('keep this from @bob', { to: [localUri(server, alice.id)], cc: [], tag }),
    carol.note('keep this from @bob', { to: [`${carol.uri}/followers`], cc: [localUri(server, alice.id)], tag }),
    carol.note('hello', { to: [localUri(server, alice.id)], cc: [], tag: [mention(alice)] }),
  ]
  for (const note of [direct, secret, edited]) await carol.send(server, carol.create(note))
  const updated = new Date(Date.now() + 1000).toISOString()
  const changed = { ...edited, content: '<p>about @bob</p>', tag, updated }
  await carol.send(server, carol.activity('Update', changed))
  const unsent = carol.note('@bob is nice', { to: [`${carol.uri}/others/1`], cc: [], tag: [mention(bob)] })
  await carol.send(server, carol.create(unsent))
  await waitUntilProcessed(server, alice, carol)
  for (const { id: uri } of [direct, secret, edited]) {
    const [row] = await sql(server, 'select id::text from statuses where uri = $1', [uri])
    const path = `/api/v1/statuses/${String(row?.['id'])}`
    const { mentions } = entity((await alice.get(path)).json)
    assert.deepEqual(
      entities(mentions).map(({ username }) => username),
      [alice.username],
    )
    assert.equal((await bob.get(path)).status, 404)
  }
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [unsent.id]), [], 'it is for nobody here')
  assert.deepEqual((await bob.get('/api/v1/notifications')).json, [])
  assert.deepEqual((await bob.get('/api/v1/conversations')).json, [])
})

test('the owner of the inbox that a hidden note is delivered to is mentioned by its tag, also after an edit', async t => {
  const { alice, server } = await people(t, 'alice')
  const carol = (await startPeer(t)).actor('carol')
  const tag = [{ type: 'Mention', href: localUri(server, alice.id), name: `@${alice.username}` }]
  const note = carol.note('hidden', { to: [], cc: [], tag })
  await carol.send(server, carol.create(note), `/ap/users/${alice.id}/inbox`)
  const updated = new Date(Date.now() + 1000).toISOString()
  await carol.send(server, carol.activity('Update', { ...note, content: '<p>edited</p>', updated }))
  await waitUntilProcessed(server, alice, carol)
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  const { content, mentions } = entity((await alice.get(`/api/v1/statuses/${String(row?.['id'])}`)).json)
  assert.deepEqual([content, entities(mentions).length], ['<p>edited</p>', 1])
})
