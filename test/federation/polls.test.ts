import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { entities, entity, type Entity } from '../statuses/status_fixtures.ts'
import { localUri, startPeer, type Document } from '../support/federation/peer.ts'
import { Client } from '../support/client.ts'
import { people, sql, type Person } from '../support/people.ts'
import { runScheduled, hasType } from './federation_fixtures.ts'
import { deliver, followActor, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

const HOUR_MS = 3_600_000

/** The members of a question with two options and these counts. */
const question = (first: number, second: number, more: Document = {}): Document => ({
  type: 'Question',
  oneOf: [
    { type: 'Note', name: 'tea', replies: { type: 'Collection', totalItems: first } },
    { type: 'Note', name: 'milk', replies: { type: 'Collection', totalItems: second } },
  ],
  votersCount: first + second,
  endTime: new Date(Date.now() + HOUR_MS).toISOString(),
  ...more,
})

const pollOf = (status: Entity): Entity => entity(status['poll'])
const countsOf = (poll: Entity): unknown[] => (poll['options'] as Entity[]).map(option => option['votes_count'])

const shown = async (who: Client, id: string): Promise<Entity> => entity((await who.get(`/api/v1/polls/${id}`)).json)

test('votes in a remote poll are sent to its author only, one note for each option', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const { oneOf: anyOf, ...rest } = question(1, 2)
  const note = noteTo(server, alice, bob, 'drinks?', { ...rest, anyOf })
  const poll = pollOf(await deliver(server, alice, bob, note))
  assert.equal((await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0, 1] })).status, 200)
  for (const option of ['tea', 'milk']) {
    const { activity, path } = await peer.next(one => entity(one['object'])['name'] === option)
    assert.equal(path, new URL(`${bob.uri}/inbox`).pathname)
    const vote = entity(activity['object'])
    const actor = localUri(server, alice.id)
    assert.match(vote.id, new RegExp(`^${actor}#votes/\\d+$`))
    assert.deepEqual(
      [activity['type'], activity['id'], activity['actor'], activity['to'], activity['cc']],
      ['Create', `${vote.id}/activity`, actor, bob.uri, undefined],
    )
    assert.deepEqual(
      [vote['type'], vote['attributedTo'], vote['inReplyTo'], vote['to'], vote['content']],
      ['Note', actor, note.id, bob.uri, undefined],
    )
  }
  assert.deepEqual(peer.received, [], 'nothing else')
})

test('remote votes count once; voters and followers receive the results later, and at the end', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  await waitUntilProcessed(server, alice, bob)
  await carol.send(server, carol.activity('Follow', localUri(server, alice.id)))
  await other.next(hasType('Accept'))
  const status = await alice.postStatus('drinks?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
  await other.next(hasType('Create'))
  const uri = `${localUri(server, alice.id)}/statuses/${status.id}`
  const vote = (name: string): Document => ({
    id: bob.newUri('votes'),
    type: 'Note',
    name,
    inReplyTo: uri,
    attributedTo: bob.uri,
    to: localUri(server, alice.id),
  })
  const socket = await alice.stream('user')
  const planned = runScheduled(t, server, 'federation.send_poll')
  for (const option of ['milk', 'milk', 'tea']) await bob.send(server, bob.activity('Create', vote(option)))
  await waitUntilProcessed(server, alice, bob)
  await planned
  for (const side of [peer, other]) {
    const { activity } = await side.next(hasType('Update'))
    const object = entity(activity['object'])
    const options = object['oneOf'] as Entity[]
    assert.deepEqual([object.id, object['type'], object['votersCount']], [uri, 'Question', 1])
    assert.deepEqual(
      options.map(option => entity(option['replies'])['totalItems']),
      [0, 1],
    )
    assert.ok(activity['to'])
    assert.equal(activity['cc'], undefined)
  }
  await sql(server, `update polls set expires_at = now() where status_id = $1`, [status.id])
  await runScheduled(t, server, 'polls.end')
  await socket.next('notification', message => entity(message.payload)['type'] === 'poll')
  for (const side of [peer, other])
    assert.ok(entity((await side.next(hasType('Update'))).activity['object'])['closed'], 'the end is sent')
})

test('hidden results are sent at the end only', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  const status = await alice.postStatus('secret?', {
    poll: { options: ['tea', 'milk'], expires_in: 3600, hide_totals: true },
  })
  const uri = `${localUri(server, alice.id)}/statuses/${status.id}`
  const note = { id: bob.newUri('votes'), type: 'Note', name: 'tea', inReplyTo: uri, to: localUri(server, alice.id) }
  await bob.send(server, bob.activity('Create', note))
  await waitUntilProcessed(server, alice, bob)
  const shown = await fetch(uri, { headers: { accept: 'application/activity+json' } })
  const { oneOf, votersCount } = entity(await shown.json())
  assert.deepEqual(
    [entities(oneOf).map(one => one['replies']), votersCount],
    [[{ type: 'Collection' }, { type: 'Collection' }], 1],
  )
  assert.deepEqual(
    await sql(server, `select id from graphile_worker.jobs where key like $1`, [`federation.poll:${status.id}:%`]),
    [],
  )
  await sql(server, `update polls set expires_at = now() where status_id = $1`, [status.id])
  await runScheduled(t, server, 'polls.end')
  const options = entity((await peer.next(hasType('Update'))).activity['object'])['oneOf'] as Entity[]
  assert.equal(entity(options[0]?.['replies'])['totalItems'], 1)
})

test('results of a remote poll are updated by an Update and when it is shown, at most once a minute', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await followActor(server, alice, bob)
  const note = noteTo(server, alice, bob, 'drinks?', question(1, 2))
  const poll = pollOf(await deliver(server, alice, bob, note))
  await bob.send(server, bob.activity('Update', { ...note, ...question(3, 2) }))
  const status = await waitUntilProcessed(server, alice, bob)
  assert.ok(status)
  peer.serve({ ...note, ...question(5, 2) })
  assert.deepEqual(countsOf(await shown(new Client(server), poll.id)), [3, 2], 'anonymous callers ask for nothing')
  assert.deepEqual(countsOf(await shown(alice, poll.id)), [5, 2], 'it was never asked for')
  peer.serve({ ...note, ...question(6, 2) })
  assert.deepEqual(countsOf(await shown(alice, poll.id)), [5, 2], 'asked for within the minute')
  await sql(server, `update polls set fetched_at = now() - interval '2 minutes' where id = $1`, [poll.id])
  assert.deepEqual(countsOf(await shown(alice, poll.id)), [6, 2])
  peer.documents.set(new URL(note.id).pathname, 503)
  await sql(server, `update polls set fetched_at = now() - interval '2 minutes' where id = $1`, [poll.id])
  assert.deepEqual(countsOf(await shown(alice, poll.id)), [6, 2], 'a server that is down changes nothing')
  peer.documents.set(new URL(note.id).pathname, 404)
  await sql(server, `update polls set fetched_at = now() - interval '2 minutes' where id = $1`, [poll.id])
  assert.equal((await alice.get(`/api/v1/polls/${poll.id}`)).status, 404, 'it is gone there, so here too')
})

test('changed options delete the votes; voters are notified of the end', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = noteTo(server, alice, bob, 'drinks?', question(0, 0))
  const status = await deliver(server, alice, bob, note)
  await alice.post(`/api/v1/polls/${pollOf(status).id}/votes`, { choices: [1] })
  const updated = new Date(Date.now() + 1000).toISOString()
  const changed = {
    ...question(0, 0),
    oneOf: [
      { type: 'Note', name: 'wine' },
      { type: 'Note', name: 'beer' },
    ],
  }
  await bob.send(server, bob.activity('Update', { ...note, ...changed, updated }))
  await waitUntilProcessed(server, alice, bob)
  const after = pollOf(entity((await alice.get(`/api/v1/statuses/${status.id}`)).json))
  assert.deepEqual([after['voted'], after['own_votes'], after['votes_count']], [false, [], 0])
  peer.serve({ ...note, ...changed, updated })
  await alice.post(`/api/v1/polls/${after.id}/votes`, { choices: [0] })
  const socket = await alice.stream('user')
  await sql(server, `update polls set expires_at = now() where id = $1`, [after.id])
  await runScheduled(t, server, 'polls.end')
  const { payload } = await socket.next('notification', message => entity(message.payload)['type'] === 'poll')
  assert.equal(entity(entity(payload)['status']).id, status.id)
})

test('a poll whose end is in `closed`, as Pleroma writes it, is open until then', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const { endTime: closed, ...rest } = question(0, 0)
  const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'drinks?', { ...rest, closed }))
  const poll = pollOf(status)
  assert.deepEqual([poll['expired'], poll['expires_at']], [false, closed])
  assert.equal((await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })).status, 200)
  const planned = await sql(
    server,
    `select from graphile_worker._private_jobs j where j.payload ->> 'poll_id' = $1 and j.run_at = $2`,
    [poll.id, closed],
  )
  assert.equal(planned.length, 1, 'those who voted will be told of the end')
})

/** A question of a peer in which alice and carol have voted; alice is mentioned. */
async function votedPoll(t: Test) {
  const { alice, carol, dave, server } = await people(t, 'alice', 'carol', 'dave')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const note = noteTo(server, alice, bob, 'drinks?', question(1, 0))
  const status = await deliver(server, alice, bob, note)
  const poll = pollOf(status)
  for (const who of [alice, carol])
    assert.equal((await who.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })).status, 200)
  return { alice, carol, dave, server, peer, bob, note, status, poll }
}

const past = (): string => new Date(Date.now() - 1000).toISOString()
const hasPollEnded = (message: { payload: unknown }): boolean => entity(message.payload)['type'] === 'poll'

for (const [how, change] of [
  ['`closed` in the past', () => ({ closed: past() })],
  ['`closed: true`', () => ({ closed: true })],
  ['`endTime` moved to the past', () => ({ endTime: past() })],
] as const) {
  test(`an Update with ${how} ends a poll at once, as a local one ends`, async t => {
    const { alice, carol, dave, server, peer, bob, note, status, poll } = await votedPoll(t)
    const sockets = [await alice.stream('user'), await carol.stream('user')]
    const ended = { ...note, ...question(1, 2, change()) }
    peer.serve(ended)
    await bob.send(server, bob.activity('Update', ended))
    for (const socket of sockets) {
      const { payload } = await socket.next('notification', hasPollEnded)
      const told = entity(entity(payload)['status'])
      assert.equal(told.id, status.id)
      assert.deepEqual([pollOf(told)['expired'], countsOf(pollOf(told))], [true, [1, 2]])
    }
    const after = await shown(alice, poll.id)
    assert.equal(after['expired'], true)
    assert.ok(Date.parse(String(after['expires_at'])) <= Date.now())
    const late = await dave.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })
    assert.equal(late.status, 422)
    await bob.send(server, bob.activity('Update', ended))
    await waitUntilProcessed(server, alice, bob)
    assert.equal((await shown(alice, poll.id))['expires_at'], after['expires_at'], 'it ends once')
    assert.deepEqual(
      await sql(server, `select from graphile_worker._private_jobs j where j.key = $1`, [`polls.end:${poll.id}`]),
      [],
    )
  })
}

test('a poll that its author opens again notifies everybody when it ends again', async t => {
  const { alice, carol, dave, server, peer, bob, note, poll } = await votedPoll(t)
  const voters = [alice, carol, dave]
  const streams = await Promise.all(voters.map(voter => voter.stream('user')))
  const update = async (change: Document): Promise<void> => {
    const changed = { ...note, ...question(1, 2, change) }
    peer.serve(changed)
    await bob.send(server, bob.activity('Update', changed))
  }
  const shownEnds = async (who: Person): Promise<number> =>
    entities((await who.get('/api/v1/notifications')).json).filter(one => one['type'] === 'poll').length
  await update({ closed: past() })
  for (const stream of streams.slice(0, 2)) await stream.next('notification', hasPollEnded)
  assert.equal(await shownEnds(carol), 1)
  await update({})
  await waitUntilProcessed(server, alice, bob)
  assert.equal((await shown(dave, poll.id))['expired'], false)
  for (const voter of voters) assert.equal(await shownEnds(voter), 0, 'it is open again')
  assert.equal((await dave.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).status, 200)
  await update({ closed: past() })
  for (const stream of streams) await stream.next('notification', hasPollEnded)
  for (const voter of voters) assert.equal(await shownEnds(voter), 1, 'of the second end')
})

test('a poll that turns out to be closed when it is shown ends', async t => {
  const { alice, peer, note, poll } = await votedPoll(t)
  const socket = await alice.stream('user')
  peer.serve({ ...note, ...question(1, 2, { closed: past() }) })
  assert.equal((await shown(alice, poll.id))['expired'], true)
  await socket.next('notification', hasPollEnded)
})

test('a poll that arrives closed is closed; a `closed` in the future is no end', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const arrive = async (more: Document): Promise<Entity> =>
    pollOf(await deliver(server, alice, bob, noteTo(server, alice, bob, 'drinks?', question(1, 2, more))))
  assert.equal((await arrive({ closed: past() }))['expired'], true)
  const planned = new Date(Date.now() + HOUR_MS).toISOString()
  const open = await arrive({ closed: planned, endTime: planned })
  assert.deepEqual([open['expired'], open['expires_at']], [false, planned])
})
