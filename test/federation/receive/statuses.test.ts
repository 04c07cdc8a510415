import assert from 'node:assert/strict'
import { test } from 'tap'
import { localUri, PUBLIC, startPeer, type Document } from '../../support/federation/peer.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { people, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { waitForJobs } from '../federation_fixtures.ts'
import { accountOf, deliver, followActor, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

const shown = async (person: Person, status: Entity): Promise<Entity> =>
  entity((await person.get(`/api/v1/statuses/${status.id}`)).json)

/** The members of a private mention of some people. */
const addressedTo = (server: TestServer, ...named: readonly Person[]): Document => ({
  to: named.map(one => localUri(server, one.id)),
  cc: [],
  tag: named.map(one => ({ type: 'Mention', href: localUri(server, one.id), name: `@${one.username}` })),
})

test('a deleted note is not stored when its Create arrives later', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), (await startPeer(t)).actor('eve')]
  const note = noteTo(server, alice, bob, 'short-lived')
  const status = await deliver(server, alice, bob, note)
  await eve.send(server, eve.activity('Delete', note.id))
  await waitUntilProcessed(server, alice, eve)
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 200, 'another host deletes nothing')
  const late = noteTo(server, alice, bob, 'late')
  for (const { id } of [note, late]) await bob.send(server, bob.activity('Delete', { id, type: 'Tombstone' }))
  for (const one of [note, late]) await bob.send(server, bob.create(one))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404)
  const search = await alice.get('/api/v1/notifications')
  assert.ok(entities(search.json).every(one => entity(one['status'])['content'] !== '<p>late</p>'))
})

test('a note that is being stored when its Delete arrives is deleted', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const { id: author } = accountOf(await waitUntilProcessed(server, alice, bob))
  const note = noteTo(server, alice, bob, 'short-lived')
  const other = await connect(t, server)
  await other.query('begin')
  const given = {
    author,
    uri: note.id,
    content: '<p>short-lived</p>',
    spoiler_text: '',
    visibility: 'public',
    sensitive: false,
    published: new Date(),
    mentioned: [],
    silent: [],
    tags: [],
    display_tags: [],
    media: [],
    quote_policy: 'nobody',
    notified: true,
    has_link: false,
    depth: 0,
  }
  const stored = await other.query('select id from receive_statuses($1)', [JSON.stringify([given])])
  assert.equal(stored.rowCount, 1)
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('Delete', { id: note.id, type: 'Tombstone' }))
  const later = noteTo(server, alice, bob, 'later')
  await bob.send(server, bob.create(later))
  const processed = socket.next('notification', ({ payload }) => entity(entity(payload)['status'])['uri'] === later.id)
  await waitForLocks(server, 1, processed)
  await other.query('commit')
  await processed
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1 and deleted_at is null', [note.id]), [])
})

test("a Delete of somebody else's note on the same host changes nothing", async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  const note = noteTo(server, alice, bob, 'first')
  const status = await deliver(server, alice, bob, note)
  await eve.send(server, eve.activity('Delete', { id: note.id, type: 'Tombstone' }))
  await waitUntilProcessed(server, alice, eve)
  const edited = { ...note, content: '<p>second</p>', updated: new Date(Date.now() + 1000).toISOString() }
  await bob.send(server, bob.activity('Update', edited))
  await waitUntilProcessed(server, alice, bob)
  assert.equal(entity((await alice.get(`/api/v1/statuses/${status.id}`)).json)['content'], '<p>second</p>')
})

test("what an actor deletes or undoes before it arrives concerns nobody else's objects", async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, eve] = [peer.actor('bob'), peer.actor('eve')]
  await waitUntilProcessed(server, alice, eve)
  const liked = await alice.postStatus('like me')
  const note = noteTo(server, alice, bob, 'not hers')
  const like = bob.activity('Like', `${localUri(server, alice.id)}/statuses/${liked.id}`)
  for (const uri of [bob.uri, note.id]) await eve.send(server, eve.activity('Delete', { id: uri, type: 'Tombstone' }))
  await eve.send(server, eve.activity('Undo', like.id))
  await waitUntilProcessed(server, alice, eve)
  assert.equal((await deliver(server, alice, bob, note))['content'], '<p>not hers</p>')
  await bob.send(server, like)
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await shown(alice, entity(liked)))['favourites_count'], 1)
  const own = noteTo(server, alice, bob, 'his own')
  await bob.send(server, bob.activity('Delete', { id: own.id, type: 'Tombstone' }))
  await eve.send(server, eve.activity('Delete', { id: own.id, type: 'Tombstone' }))
  await waitUntilProcessed(server, alice, eve)
  await bob.send(server, bob.create(own))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [own.id]), [])
})

test('a newer Update edits with history, an older one changes nothing', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const note = noteTo(server, alice, bob, 'first')
  const status = await deliver(server, alice, bob, note)
  const edited = {
    ...note,
    content: '<p>second</p>',
    summary: 'now with',
    updated: new Date(Date.now() + 1000).toISOString(),
  }
  await bob.send(server, bob.activity('Update', edited))
  const former = { ...note, content: '<p>older</p>', updated: new Date(Date.now() - 60_000).toISOString() }
  await bob.send(server, bob.activity('Update', former))
  await waitUntilProcessed(server, alice, bob)
  const after = await shown(alice, status)
  assert.deepEqual([after['content'], after['spoiler_text']], ['<p>second</p>', 'now with'])
  const history = entities((await alice.get(`/api/v1/statuses/${status.id}/history`)).json)
  assert.deepEqual(
    history.map(version => version['content']),
    ['<p>first</p>', '<p>second</p>'],
  )
})

test('a note that arrives after an edit is marked as edited, and no older version replaces it', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const now = Date.now()
  const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString()
  const note = { ...noteTo(server, alice, bob, 'second'), published: at(-60), updated: at(-20) }
  const status = await deliver(server, alice, bob, note)
  assert.equal(status['edited_at'], note.updated)
  await bob.send(server, bob.activity('Update', { ...note, content: '<p>first</p>', updated: at(-40) }))
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await shown(alice, status))['content'], '<p>second</p>')
  await bob.send(server, bob.activity('Update', { ...note, content: '<p>third</p>', updated: at(-10) }))
  await waitUntilProcessed(server, alice, bob)
  const history = entities((await alice.get(`/api/v1/statuses/${status.id}/history`)).json)
  assert.deepEqual(
    history.map(version => [version['content'], version['created_at']]),
    [
      ['<p>second</p>', at(-20)],
      ['<p>third</p>', at(-10)],
    ],
  )
  const unchanged = { ...noteTo(server, alice, bob, 'once'), published: at(-60), updated: at(-60) }
  assert.equal((await deliver(server, alice, bob, unchanged))['edited_at'], null)
})

test('of an article its title and link are shown, however long it is', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const long = 'word '.repeat(30_000)
  const article = noteTo(server, alice, bob, long, { type: 'Article', name: 'A long read' })
  const status = await deliver(server, alice, bob, article)
  assert.match(String(status['content']), /^<p>A long read<\/p><p><a href="http/)
  await bob.send(server, bob.create(noteTo(server, alice, bob, long)))
  await waitUntilProcessed(server, alice, bob)
  const { json } = await alice.get('/api/v1/notifications')
  assert.equal(entities(json).length, 2, 'a note of this length is ignored')
})

test('an edit of a direct note enters the conversations of those whom it newly mentions', async t => {
  const { alice, claire, dave, server } = await people(t, 'alice', 'claire', 'dave')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  for (const one of [alice, claire]) await followActor(server, one, bob)
  const note = bob.note('psst', addressedTo(server, alice))
  const status = await deliver(server, alice, bob, note)
  const direct = await claire.stream('direct')
  const updated = new Date(Date.now() + 1000).toISOString()
  await bob.send(
    server,
    bob.activity('Update', { ...note, ...addressedTo(server, alice, claire, dave), content: '<p>all</p>', updated }),
  )
  await waitUntilProcessed(server, alice, bob)
  const [listed] = entities((await claire.get('/api/v1/conversations')).json)
  assert.ok(listed)
  assert.deepEqual([entity(listed['last_status']).id, listed['unread']], [status.id, true])
  assert.deepEqual(
    entities(listed['accounts'])
      .map(one => one.id)
      .toSorted(),
    [alice.id, dave.id, accountOf(status).id].toSorted(),
  )
  const { payload } = await direct.next('conversation')
  assert.equal(entity(entity(payload)['last_status']).id, status.id)
  // It is filtered for who does not follow him.
  assert.deepEqual((await dave.get('/api/v1/conversations')).json, [])
})

test('an edit by an account that is suspended here reaches nobody whom it newly mentions', async t => {
  const { alice, claire, server } = await people(t, 'alice', 'claire')
  const peer = await startPeer(t)
  const [bob, dora] = [peer.actor('bob'), peer.actor('dora')]
  for (const one of [alice, claire]) await followActor(server, one, bob)
  const note = bob.note('psst', addressedTo(server, alice))
  const status = await deliver(server, alice, bob, note)
  const suspend = (at: string): Promise<unknown> =>
    sql(server, `update accounts set suspended_at = ${at} where id = $1`, [accountOf(status).id])
  await suspend('now()')
  const updated = new Date(Date.now() + 1000).toISOString()
  const more = { ...addressedTo(server, alice, claire), content: '<p>all</p>', updated }
  await bob.send(server, bob.activity('Update', { ...note, ...more }))
  await waitUntilProcessed(server, alice, dora)
  assert.deepEqual((await claire.get('/api/v1/conversations')).json, [])
  await suspend('null')
  assert.equal((await shown(alice, status))['content'], '<p>all</p>')
})

test('an edit by an account that is suspended here notifies nobody who boosted or quoted the post', async t => {
  const { alice, claire, server } = await people(t, 'alice', 'claire')
  const peer = await startPeer(t)
  const [bob, dora] = [peer.actor('bob'), peer.actor('dora')]
  for (const one of [alice, claire]) await followActor(server, one, bob)
  const note = noteTo(server, alice, bob, 'first')
  const status = await deliver(server, alice, bob, note)
  await claire.post(`/api/v1/statuses/${status.id}/reblog`)
  const suspend = (at: string): Promise<unknown> =>
    sql(server, `update accounts set suspended_at = ${at} where id = $1`, [accountOf(status).id])
  const edit = async (content: string, seconds: number): Promise<void> => {
    const updated = new Date(Date.now() + seconds * 1000).toISOString()
    await bob.send(server, bob.activity('Update', { ...note, content, updated }))
    await waitUntilProcessed(server, alice, dora)
    await waitForJobs(t, server, 'statuses.notify')
  }
  const updates = () => sql(server, `select from notifications where account_id = $1 and type = 'update'`, [claire.id])
  await suspend('now()')
  await edit('<p>second</p>', 1)
  assert.equal((await updates()).length, 0)
  await suspend('null')
  await edit('<p>third</p>', 2)
  assert.equal((await updates()).length, 1)
})

test('an Update stores an unknown note, unless it was published more than a day ago', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const note = (published: unknown) => noteTo(server, alice, bob, 'changed', { published })
  const old = note(new Date(Date.now() - 25 * 3_600_000).toISOString())
  const others = [new Date(Date.now() - 23 * 3_600_000).toISOString(), undefined, 'last week', { time: 1 }].map(note)
  for (const one of [old, ...others]) await bob.send(server, bob.activity('Update', one))
  await waitUntilProcessed(server, alice, bob)
  const isStored = async ({ id }: { id: string }): Promise<boolean> =>
    (await sql(server, `select from statuses where uri = $1`, [id])).length > 0
  assert.equal(await isStored(old), false)
  for (const one of others) assert.equal(await isStored(one), true, String(one['published']))
})

test('likes and boosts of a local status are counted once, notified and undone', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const own = await alice.postStatus('like me')
  const uri = `${localUri(server, alice.id)}/statuses/${own.id}`
  const socket = await alice.stream('user')
  const [like, boost] = [
    bob.activity('Like', uri),
    bob.activity('Announce', uri, { to: [PUBLIC], cc: [bob.followers] }),
  ]
  for (const activity of [like, like, boost, boost]) await bob.send(server, activity)
  const types = [await socket.next('notification'), await socket.next('notification')]
  assert.deepEqual(
    types.map(({ payload }) => entity(payload)['type']),
    ['favourite', 'reblog'],
  )
  await waitUntilProcessed(server, alice, bob)
  const counted = await shown(alice, own)
  assert.deepEqual([counted['favourites_count'], counted['reblogs_count']], [1, 1])
  await bob.send(server, bob.activity('Undo', like.id))
  await bob.send(server, bob.activity('Undo', boost))
  await bob.send(server, like)
  await waitUntilProcessed(server, alice, bob)
  const undone = await shown(alice, own)
  assert.deepEqual([undone['favourites_count'], undone['reblogs_count']], [0, 0], 'also when it comes again')
})

test('favourites and boosts of a remote status are those that its server counts, and those here', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const collection = (totalItems: unknown): Document => ({ type: 'Collection', totalItems })
  const note = { ...noteTo(server, alice, bob, 'popular'), likes: collection(5), shares: collection(2) }
  const status = await deliver(server, alice, bob, note)
  assert.deepEqual([status['favourites_count'], status['reblogs_count']], [5, 2])
  const path = `/api/v1/statuses/${status.id}`
  const liked = entity((await alice.post(`${path}/favourite`)).json)
  assert.deepEqual([liked['favourites_count'], liked['reblogs_count']], [6, 2])
  const counts = async (likes: unknown, shares: unknown): Promise<unknown[]> => {
    await bob.send(server, bob.activity('Update', { ...note, likes, shares }))
    await waitUntilProcessed(server, alice, bob)
    const now = await shown(alice, status)
    assert.equal(now['edited_at'], null)
    return [now['favourites_count'], now['reblogs_count']]
  }
  assert.deepEqual(await counts(collection(8), undefined), [8, 2], 'with the favourite of alice')
  assert.deepEqual(await counts(collection('9'), { id: `${note.id}/shares` }), [8, 2], 'no numbers')
  assert.deepEqual(await counts(collection(0), collection(0)), [1, 0], 'before the favourite of alice arrived')
  const without = entity((await alice.post(`${path}/unfavourite`)).json)
  assert.equal(without['favourites_count'], 0)
})

test('a reply to a local status joins its thread', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const own = await alice.postStatus('question')
  const inReplyTo = `${localUri(server, alice.id)}/statuses/${own.id}`
  const reply = await deliver(server, alice, bob, noteTo(server, alice, bob, 'answer', { inReplyTo }))
  assert.equal(reply['in_reply_to_id'], own.id)
  const { descendants } = entity((await alice.get(`/api/v1/statuses/${own.id}/context`)).json)
  assert.deepEqual(
    entities(descendants).map(one => one.id),
    [reply.id],
  )
  assert.equal((await shown(alice, own))['replies_count'], 1)
})

test('a Question is a poll whose counts its server updates; a vote in a local one counts once', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const option = (name: string, totalItems: number) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  const question = noteTo(server, alice, bob, 'which?', {
    type: 'Question',
    oneOf: [option('one', 1), option('two', 2)],
    votersCount: 3,
    endTime: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const status = await deliver(server, alice, bob, question)
  const votes = (poll: unknown) => entities(entity(poll)['options']).map(one => one['votes_count'])
  assert.deepEqual([votes(status['poll']), entity(status['poll'])['voters_count']], [[1, 2], 3])
  await bob.send(
    server,
    bob.activity('Update', { ...question, oneOf: [option('one', 5), option('two', 2)], votersCount: 7 }),
  )
  const own = await alice.postStatus('which?', { poll: { options: ['a', 'b'], expires_in: 3600 } })
  const vote = bob.note('', {
    name: 'b',
    inReplyTo: `${localUri(server, alice.id)}/statuses/${own.id}`,
    content: undefined,
  })
  for (let times = 2; times > 0; times -= 1) await bob.send(server, bob.create(vote))
  await waitUntilProcessed(server, alice, bob)
  assert.deepEqual(votes((await shown(alice, status))['poll']), [5, 2])
  const poll = entity((await shown(alice, own))['poll'])
  assert.deepEqual([votes(poll), poll['voters_count']], [[0, 1], 1])
})

test('a poll with several choices whose server does not count the voters has no number of voters', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const option = (name: string, totalItems: number): Document => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems },
  })
  const question = noteTo(server, alice, bob, 'which?', {
    type: 'Question',
    anyOf: [option('one', 1), option('two', 2)],
  })
  const status = await deliver(server, alice, bob, question)
  const poll = entity(status['poll'])
  assert.deepEqual([poll['votes_count'], poll['voters_count']], [3, null])
  const path = `/api/v1/polls/${poll.id}/votes`
  const voted = entity((await alice.post(path, { choices: [0, 1] })).json)
  assert.deepEqual([voted['votes_count'], voted['voters_count']], [5, null])
  await bob.send(
    server,
    bob.activity('Update', { ...question, votersCount: 3, anyOf: [option('one', 2), option('two', 3)] }),
  )
  await waitUntilProcessed(server, alice, bob)
  assert.equal(entity((await shown(alice, status))['poll'])['voters_count'], 3)
})

test('an Announce of an unknown note fetches it from its server', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  await followActor(server, alice, bob)
  const note = other.serve(carol.note('found'))
  const socket = await alice.stream('user')
  await bob.send(server, bob.activity('Announce', note.id, { to: [PUBLIC] }))
  const boost = entity((await socket.next('update', ({ payload }) => entity(payload)['reblog'] !== null)).payload)
  const original = entity(boost['reblog'])
  assert.deepEqual([original['uri'], entity(original['account'])['acct']], [note.id, carol.acct])
})

test('activities of one batch see the effects of earlier ones', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const [first, gone] = [bob.note('first'), noteTo(server, alice, bob, 'gone')]
  const reply = bob.note('reply', { inReplyTo: first.id })
  const batch = [
    bob.create(first),
    bob.create(reply),
    bob.activity('Announce', first.id, { to: [PUBLIC] }),
    bob.create(gone),
    bob.activity('Delete', { id: gone.id, type: 'Tombstone' }),
    bob.create(gone),
  ]
  // As the inbox does with what it has checked; here in one commit, so that they are read together.
  await sql(server, 'select accept_activities($1, $2, $3, $4)', [
    batch.map(() => peer.domain),
    batch.map(() => bob.uri),
    batch.map(activity => JSON.stringify(activity)),
    batch.map(() => ''),
  ])
  await waitUntilProcessed(server, alice, bob)
  const [stored] = await sql(server, 'select id::text from statuses where uri = $1', [first.id])
  const status = entity((await alice.get(`/api/v1/statuses/${String(stored?.['id'])}`)).json)
  assert.deepEqual([status['replies_count'], status['reblogs_count']], [1, 1])
  const { descendants } = entity((await alice.get(`/api/v1/statuses/${status.id}/context`)).json)
  assert.deepEqual(
    entities(descendants).map(one => one['uri']),
    [reply.id],
  )
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1 and deleted_at is null', [gone.id]), [])
})

test('a status that moderators or its author deleted is never stored again', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = peer.serve(noteTo(server, alice, bob, 'deleted here'))
  const status = await deliver(server, alice, bob, note)
  await sql(server, `update statuses set deleted_at = now() - interval '2 days' where id = $1`, [status.id])
  await sql(server, `select enqueue('statuses.purge', '{}')`)
  await waitForJobs(t, server, 'statuses.purge')
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [], 'it is purged')
  await sql(server, `update tombstones set created_at = now() - interval '1 year'`)
  await sql(server, `select enqueue('federation.remove_tombstones', '{}')`)
  await waitForJobs(t, server, 'federation.remove_tombstones')
  await bob.send(server, bob.create(note))
  await followActor(server, alice, bob)
  await bob.send(server, bob.activity('Announce', note.id, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, bob)
  await alice.get('/api/v2/search', { q: note.id, resolve: 'true', type: 'statuses' })
  assert.deepEqual(await sql(server, 'select from statuses where uri = $1', [note.id]), [])
})
