import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, PUBLIC, startPeer, type Document } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { waitUntilProcessed } from './receive_fixtures.ts'

let deep: unknown = 'end'
for (let left = 2000; left > 0; left -= 1) deep = [{ object: deep }]

/** Values that no member should have. */
const WEIRD: readonly unknown[] = [
  null,
  'no uri',
  {},
  [null, 1, [[]]],
  { type: ['Note', 'Person', 'Follow'], id: [], url: {}, name: [] },
  'a\u0000b',
  '\ud83d',
  { '@value': '\u0000' },
  'x'.repeat(5000),
  deep,
]

/** Of a note: those that are read as more than a text. */
const MEMBERS = 'id to cc attributedTo inReplyTo tag attachment oneOf published url quote interactionPolicy'.split(' ')
const TYPES = (
  'Accept Add Announce Block Create Delete FeatureRequest Flag Follow Like Move QuoteRequest Reject Remove Undo Update ' +
  'Unknown'
).split(' ')

test('invalid values in any member are ignored, without an error and without retries', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), peer.actor('carol')]
  const note = (): Document => ({
    ...bob.note('<p>weird</p>', {
      to: [PUBLIC, localUri(server, alice.id)],
      type: 'Question',
      oneOf: [{ type: 'Note', name: 'one', replies: { totalItems: 1 } }],
      endTime: new Date(Date.now() + 60_000).toISOString(),
      summary: '',
      sensitive: false,
      inReplyTo: null,
      conversation: null,
      contentMap: { en: '<p>weird</p>' },
      attachment: [{ type: 'Document', url: `${peer.url}/x.png`, mediaType: 'image/png', name: 'x', blurhash: 'x' }],
      tag: [{ type: 'Hashtag', name: '#x' }],
      quote: null,
      interactionPolicy: {},
      updated: new Date().toISOString(),
      url: `${peer.url}/x`,
    }),
  })
  for (const weird of WEIRD) {
    for (const member of MEMBERS) {
      const broken = { ...note(), [member]: weird }
      await bob.send(server, bob.create(broken))
    }
    await bob.send(
      server,
      bob.activity('Update', { ...note(), content: weird, summary: weird, tag: [weird], attachment: weird }),
    )
    for (const type of TYPES)
      await bob.send(server, bob.activity(type, weird, { target: weird, content: weird, instrument: weird }))
    const inner = { type: 'Follow', id: weird, actor: weird, object: weird }
    for (const type of ['Accept', 'Reject', 'Undo'])
      for (const kind of ['Follow', 'Accept', 'Announce', 'QuoteRequest', 'FeatureRequest'])
        await bob.send(server, bob.activity(type, { ...inner, type: kind, instrument: weird }))
    const collection = { id: bob.newUri('collections'), type: 'FeaturedCollection', attributedTo: bob.uri, name: weird }
    await bob.send(server, bob.activity('Update', { ...collection, summaryMap: weird, url: weird }))
    await bob.send(server, bob.create({ ...note(), replies: { first: { items: [weird, weird] }, items: weird } }))
    await waitUntilProcessed(server, alice, bob)
  }
  const document = peer.documentOf(bob.uri)
  for (const weird of WEIRD) {
    const members = ['name', 'summary', 'attachment', 'icon', 'published', 'tag', 'alsoKnownAs', 'featured']
    const broken = Object.fromEntries(members.map(member => [member, weird]))
    await bob.send(server, bob.activity('Update', { ...document, ...broken }))
  }
  await waitUntilProcessed(server, alice, carol)
  await waitUntilProcessed(server, alice, bob)
  const failed = await sql(
    server,
    `select task_identifier, last_error from graphile_worker.jobs
     where last_error is not null and task_identifier like 'federation.%' and last_error not like '%gave no answer%'`,
  )
  assert.deepEqual(failed, [])
  assert.deepEqual(
    server.log.filter(line => Number(line['level']) >= 50),
    [],
  )
})

test("an activity that is not the sender's is refused or ignored, without an error", async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  const inbox = `/ap/users/${alice.id}/inbox`
  const note = bob.note('forged', { to: [localUri(server, alice.id)], cc: [] })
  assert.equal(await eve.send(server, { ...bob.create(note) }, inbox), 202, 'signed by another actor')
  assert.equal(await eve.sendText(server, '{"not json', inbox), 202)
  assert.equal(await eve.sendText(server, '[1, 2]', inbox), 202)
  assert.equal(await eve.sendText(server, `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`, inbox), 202)
  assert.equal(await eve.send(server, eve.create(eve.note('x')), '/ap/users/12345/inbox'), 404)
  assert.equal(await eve.sendText(server, `{"a":"${'x'.repeat(1_048_576)}"}`, inbox), 413)
  const unsigned = await fetch(`${server.url}${inbox}`, { method: 'POST', body: JSON.stringify(bob.create(note)) })
  assert.equal(unsigned.status, 401)
  const gone = { '@context': PUBLIC, type: 'Delete', actor: `${peer.url}/users/gone`, object: `${peer.url}/users/gone` }
  const farewell = await fetch(`${server.url}/inbox`, { method: 'POST', body: JSON.stringify(gone) })
  assert.equal(farewell.status, 202)
  await waitUntilProcessed(server, alice, eve)
  assert.deepEqual(await sql(server, `select id from statuses where uri = $1`, [note.id]), [])
})

test('a note with too long a text is not stored', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const words = Array.from({ length: 90_000 }, (_, at) => at.toString(36)).join(' ')
  const note = bob.note(words, { to: [PUBLIC, localUri(server, alice.id)] })
  await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await sql(server, `select id from statuses where uri = $1`, [note.id]), [])
})
