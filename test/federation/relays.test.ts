import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { CONTEXT } from '../../src/federation/documents/index.ts'
import { loggedActions, readText, staffMember, type StaffMember } from '../administration/staff_fixtures.ts'
import { entities } from '../statuses/status_fixtures.ts'
import { localUri, PUBLIC, startPeer, type Document, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { hasType, runScheduled, waitForJobs } from './federation_fixtures.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'
import { startAuthor } from './signing_author.ts'

/* Relays. */

const PATH = '/admin/relays'

interface Scene extends StaffMember {
  readonly alice: Person
  readonly server: TestServer
  readonly peer: Peer
  /** The actor of the relay. */
  readonly relay: PeerActor
  /** The Follow that the relay got. */
  readonly follow: Document
}

/** A relay that was added on the page, and has not answered. */
async function start(t: Test): Promise<Scene> {
  const { alice, server } = await people(t, 'alice')
  const member = await staffMember(t, server, 'admin')
  const peer = await startPeer(t)
  const inbox = `${peer.url}/inbox`
  const relay = peer.actor('relay', { type: 'Application', inbox })
  await member.browser.submit(await member.browser.get(PATH), PATH, { inbox_url: inbox })
  // What people of later tests do is not sent to it.
  t.after(() => sql(server, 'delete from relays'))
  const { path, activity: follow } = await peer.next(hasType('Follow'))
  assert.equal(path, '/inbox')
  assert.deepEqual([follow['actor'], follow['object']], [`${server.url}/actor`, PUBLIC])
  return { ...member, alice, server, peer, relay, follow }
}

const response = ({ relay, server, follow }: Scene, type: 'Accept' | 'Reject', by = relay): Promise<number> =>
  by.send(server, by.activity(type, { id: follow['id'], type: 'Follow', actor: follow['actor'], object: PUBLIC }))

/** Waits until all that was delivered is processed. */
const processed = (t: Test, server: TestServer): Promise<void> => waitForJobs(t, server, 'federation.receive_lane')

/** Waits until what a relay announced is fetched. */
const fetched = (t: Test, server: TestServer): Promise<void> => waitForJobs(t, server, 'federation.fetch_relayed')

/** Waits until all that local people did is sent. */
async function sent(t: Test, server: TestServer): Promise<void> {
  await waitForJobs(t, server, 'federation.send_status')
  await waitForJobs(t, server, 'federation.deliver')
}

/** The path of the relay. */
async function pathOf({ server, peer }: Scene): Promise<string> {
  const [row] = await sql(server, 'select id::text from relays where inbox_url = $1', [`${peer.url}/inbox`])
  return `${PATH}/${String(row?.['id'])}`
}

/** The page shows the relay in this state. */
async function shows({ browser, peer }: Scene, state: string): Promise<void> {
  const text = readText(await browser.get(PATH))
  assert.ok(text.includes(`${peer.url}/inbox ${state}`), text)
}

async function isStored(server: TestServer, uri: unknown): Promise<boolean> {
  return (await sql(server, 'select from statuses where uri = $1', [uri])).length > 0
}

test('public posts are sent to an accepted relay, once, until it is disabled', async t => {
  const scene = await start(t)
  const { alice, server, peer, browser, person, follow } = scene
  await shows(scene, 'Waiting for the answer')
  const stranger = (await startPeer(t)).actor('stranger')
  await response(scene, 'Accept', stranger)
  await processed(t, server)
  await shows(scene, 'Waiting for the answer')
  await alice.postStatus('too early')
  await sent(t, server)
  assert.deepEqual(peer.received, [])
  await response(scene, 'Accept')
  await processed(t, server)
  await shows(scene, 'Enabled')
  await response(scene, 'Reject', peer.actor('other'))
  await processed(t, server)
  await shows(scene, 'Enabled')

  for (const visibility of ['unlisted', 'private', 'direct']) await alice.postStatus(visibility, { visibility })
  const status = await alice.postStatus('hello')
  const note = `${localUri(server, alice.id)}/statuses/${status.id}`
  const { activity: create } = await peer.next(hasType('Create'))
  assert.equal((create['object'] as Document)['id'], note)
  assert.equal((create['signature'] as Document)['type'], 'RsaSignature2017')
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited' })
  assert.equal(((await peer.next(hasType('Update'))).activity['object'] as Document)['id'], note)
  await alice.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal((await peer.next(hasType('Announce'))).activity['object'], note)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.equal(((await peer.next(hasType('Delete'))).activity['object'] as Document)['id'], note)
  await sent(t, server)
  const left = peer.received.filter(({ activity }) => activity['type'] !== 'Undo')
  assert.deepEqual(left, [], 'nothing twice, and nothing that is not public')
  peer.received.length = 0

  await browser.submit(await browser.get(PATH), `${await pathOf(scene)}/disable`)
  const { activity: undo } = await peer.next(hasType('Undo'))
  assert.deepEqual([undo['actor'], (undo['object'] as Document)['id']], [follow['actor'], follow['id']])
  await shows(scene, 'Disabled')
  await response(scene, 'Accept')
  await alice.postStatus('too late')
  await processed(t, server)
  await sent(t, server)
  await shows(scene, 'Disabled')
  assert.deepEqual(peer.received, [])
  const inbox = `${peer.url}/inbox`
  assert.deepEqual(await loggedActions(server, person), [`create Relay ${inbox}`, `disable Relay ${inbox}`])
})

test('posts that a relay boosts and signed ones that it forwards are stored', async t => {
  const scene = await start(t)
  const { alice, server, relay, peer, browser } = scene
  const home = await startPeer(t)
  const { author, signed } = await startAuthor(home)
  const announced = (by: PeerActor, note: Document): Promise<number> =>
    by.send(server, by.activity('Announce', note['id'], { to: [PUBLIC] }))
  const passed = async (by: PeerActor, note: Document): Promise<void> => {
    const { '@context': _, ...object } = note
    await by.send(server, await signed({ ...author.create(object), '@context': CONTEXT }))
  }
  const note = (text: string): Document => home.serve(author.note(text))
  const early = [note('early'), note('early too')]
  await announced(relay, early[0] ?? {})
  await passed(relay, early[1] ?? {})
  await processed(t, server)
  await response(scene, 'Accept')
  await processed(t, server)

  const [boosted, forwarded] = [note('boosted'), note('forwarded')]
  await announced(relay, boosted)
  await passed(relay, forwarded)
  const others = [note('by a stranger'), note('by another actor of the host'), note('passed on by a stranger')]
  const stranger = (await startPeer(t)).actor('stranger')
  await announced(stranger, others[0] ?? {})
  await announced(peer.actor('other'), others[1] ?? {})
  await passed(stranger, others[2] ?? {})
  await waitUntilProcessed(server, alice, relay)
  await processed(t, server)
  await fetched(t, server)
  const timeline = entities((await alice.get('/api/v1/timelines/public?remote=true')).json)
  const uris = new Set(timeline.map(({ uri }) => uri))
  assert.ok(uris.has(boosted['id']) && uris.has(forwarded['id']), 'they are in the federated timeline')
  assert.equal(timeline.find(({ uri }) => uri === boosted['id'])?.['reblogs_count'], 0, 'a relay only passes it on')
  for (const one of [...early, ...others])
    assert.equal(await isStored(server, one['id']), false, String(one['content']))

  await browser.submit(await browser.get(PATH), `${await pathOf(scene)}/disable`)
  const late = [note('late'), note('late too')]
  await announced(relay, late[0] ?? {})
  await passed(relay, late[1] ?? {})
  await processed(t, server)
  await fetched(t, server)
  for (const one of late) assert.equal(await isStored(server, one['id']), false, String(one['content']))
})

test('a server that does not answer for what a relay announces holds up nobody else', async t => {
  const scene = await start(t)
  const { server, relay } = scene
  await response(scene, 'Accept')
  await processed(t, server)
  const home = await startPeer(t)
  const slow = home.serve(home.actor('slow').note('answered late'))
  const answer = home.answer.bind(home)
  const released = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  home.answer = (request, ...rest) => {
    if (!slow['id'].endsWith(request.url ?? '')) return answer(request, ...rest)
    asked.resolve()
    void released.promise.then(() => answer(request, ...rest))
  }
  await relay.send(server, relay.activity('Announce', slow['id'], { to: [PUBLIC] }))
  await asked.promise
  // The lane of the relay and a sixteenth of all servers is free.
  await processed(t, server)
  assert.equal(await isStored(server, slow['id']), false)
  await relay.send(server, relay.activity('Announce', slow['id'], { to: [PUBLIC] }))
  released.resolve()
  await fetched(t, server)
  assert.equal(await isStored(server, slow['id']), true)
})

test('what a relay announced more than an hour ago is not fetched', async t => {
  const { server } = await start(t)
  const home = await startPeer(t)
  const notes = ['late', 'recent'].map(text => home.serve(home.actor('author').note(text)))
  for (const [index, { id }] of notes.entries()) {
    const add = `select (graphile_worker.add_job('federation.fetch_relayed', json_build_object('uri', $1::text), run_at => now() + interval '1 day')).id::text`
    const [added] = await sql(server, add, [id])
    const age = `update graphile_worker._private_jobs set created_at = now() - $2 * interval '1 minute' where id = $1`
    await sql(server, age, [added?.['id'], index === 0 ? 61 : 59])
  }
  await runScheduled(t, server, 'federation.fetch_relayed')
  await fetched(t, server)
  for (const [index, { id }] of notes.entries()) assert.equal(await isStored(server, id), index === 1)
})

test('posts of somebody who blocks a relay or its server do not go to it, but deletions do', async t => {
  const scene = await start(t)
  const { alice, server, peer, relay } = scene
  await response(scene, 'Accept')
  await processed(t, server)
  const [before, again] = [await alice.postStatus('one'), await alice.postStatus('two')]
  for (const _ of ['one', 'two']) await peer.next(hasType('Create'))
  // The API takes no domain with a port.
  await sql(server, 'insert into account_domain_blocks (account_id, domain) values ($1, $2)', [alice.id, peer.domain])
  await alice.postStatus('blocked server')
  await alice.delete(`/api/v1/statuses/${before.id}`)
  await sent(t, server)
  assert.deepEqual(
    peer.received.splice(0).map(({ activity }) => activity['type']),
    ['Delete'],
  )
  await sql(server, 'delete from account_domain_blocks where account_id = $1', [alice.id])
  const [row] = await sql(server, 'select id::text from accounts where uri = $1', [relay.uri])
  const id = String(row?.['id'])
  await alice.post(`/api/v1/accounts/${id}/block`)
  await alice.postStatus('blocked actor')
  await alice.delete(`/api/v1/statuses/${again.id}`)
  await sent(t, server)
  assert.deepEqual(
    peer.received
      .splice(0)
      .map(({ activity }) => activity['type'])
      .filter(type => type !== 'Block'),
    ['Delete'],
  )
  await alice.post(`/api/v1/accounts/${id}/unblock`)
  await alice.postStatus('three')
  await peer.next(hasType('Create'))
})

test('a relay rejects the Follow, gets another one, and is deleted', async t => {
  const scene = await start(t)
  const { server, peer, browser } = scene
  await response(scene, 'Reject')
  await processed(t, server)
  await shows(scene, 'Refused by the relay')
  const one = await pathOf(scene)
  await browser.submit(await browser.get(PATH), `${one}/enable`)
  const again = (await peer.next(hasType('Follow'))).activity
  assert.notEqual(again['id'], scene.follow['id'])
  await response(scene, 'Accept')
  await processed(t, server)
  await shows(scene, 'Waiting for the answer')
  await response({ ...scene, follow: again }, 'Accept')
  await processed(t, server)
  await shows(scene, 'Enabled')
  await browser.submit(await browser.get(PATH), one, {}, 'delete')
  assert.ok(!(await browser.get(PATH)).text.includes(peer.url))
  assert.equal(((await peer.next(hasType('Undo'))).activity['object'] as Document)['id'], again['id'])
})

test('URLs that are no inbox of another server are refused', async t => {
  const { server } = await people(t)
  const { browser } = await staffMember(t, server, 'admin')
  const page = await browser.get(PATH)
  const before = await sql(server, 'select inbox_url from relays order by id')
  for (const [given, fault] of [
    ['', /not a valid address/],
    ['ftp://relay.example/inbox', /not a valid address/],
    ['https://a:b@relay.example/inbox', /not a valid address/],
    [`https://relay.example/${'x'.repeat(2048)}`, /not a valid address/],
    [`${server.url}/inbox`, /exchanges nothing/],
  ] as const) {
    const answered = await browser.submit(page, PATH, { inbox_url: given })
    assert.equal(answered.status, 422, given)
    assert.match(readText(answered), fault)
  }
  await sql(server, `insert into domain_blocks (domain, severity) values ('bad.example', 'suspend')`)
  const blocked = await browser.submit(page, PATH, { inbox_url: 'https://relay.bad.example/inbox' })
  assert.match(readText(blocked), /exchanges nothing/)
  assert.deepEqual(await sql(server, 'select inbox_url from relays order by id'), before)
})
