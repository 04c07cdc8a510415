import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { CONTEXT } from '../../src/federation/documents/index.ts'
import { readText, staffMember } from '../administration/staff_fixtures.ts'
import { becomes } from '../platform/settings/pair.ts'
import { Browser } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { localUri, PUBLIC, startPeer, type Document, type Peer } from '../support/federation/peer.ts'
import { person, sql } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { waitForJobs, storeRemoteAccount, hasType } from './federation_fixtures.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'
import { startAuthor } from './signing_author.ts'

/* Modes of a whole server. */

const allow = (server: TestServer, { domain }: Peer): Promise<unknown> =>
  sql(
    server,
    `with rule as (insert into domain_allows (domain) values ($1))
     insert into events (kind, data) values ('instance.changed', '{"change": "domain_allows"}')`,
    [domain],
  )

const isStored = async (server: TestServer, uri: unknown): Promise<boolean> =>
  (await sql(server, 'select from statuses where uri = $1', [uri])).length > 0

/** A relay that has accepted, as the staff adds it. */
async function startRelay(t: Test, server: TestServer, peer: Peer) {
  const { browser } = await staffMember(t, server, 'admin')
  const inbox = `${peer.url}/inbox`
  const relay = peer.actor('relay', { type: 'Application', inbox })
  await browser.submit(await browser.get('/admin/relays'), '/admin/relays', { inbox_url: inbox })
  const { activity } = await peer.next(hasType('Follow'))
  await relay.send(server, relay.activity('Accept', activity))
  await waitForJobs(t, server, 'federation.receive_lane')
  const page = readText(await browser.get('/admin/relays'))
  assert.ok(page.includes(`${inbox} Enabled`), page)
  return { browser, relay, page }
}

/** Waits until all that local people did is sent. */
async function sent(t: Test, server: TestServer): Promise<void> {
  await waitForJobs(t, server, 'federation.send_status')
  await waitForJobs(t, server, 'federation.deliver')
}

test('a single-user server shows its profile, federates, and has no sign-up', async t => {
  const server = await startServer(t, { env: { SINGLE_USER_MODE: 'true' }, settings: { registrations_mode: 'open' } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await peer.next(hasType('Accept'))
  const status = await alice.postStatus('hello from my own server')
  assert.equal(((await peer.next(hasType('Create'))).activity['object'] as Document)['id'], status['uri'])
  const visitor = new Browser(server)
  const start = await visitor.get('/')
  assert.equal(start.status, 200)
  for (const shown of [alice.username, 'hello from my own server']) assert.ok(start.text.includes(shown), shown)
  assert.equal((await visitor.get('/auth/sign_up')).location, '/auth/sign_in')
  const nodeinfo = await new Client(server).get('/nodeinfo/2.0')
  assert.equal((nodeinfo.json as Document)['openRegistrations'], false)
  const queryWebFinger = await new Client(server).get('/.well-known/webfinger', {
    resource: `acct:${alice.username}@${new URL(server.url).host}`,
  })
  assert.equal(queryWebFinger.status, 200, queryWebFinger.text)
})

test('in limited federation mode pages need a session, and documents an allowed server', async t => {
  const server = await startServer(t, { settings: { limited_federation_mode: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const { browser: friend } = await staffMember(t, server, null)
  const peers = [await startPeer(t), await startPeer(t)] as const
  const [known, stranger] = [peers[0].actor('known'), peers[1].actor('stranger')]
  await allow(server, peers[0])
  const status = await alice.postStatus('for few #few')
  const made = await alice.post('/api/v1/collections', { name: 'people', sensitive: false, discoverable: true })
  const collection = ((made.json as Document)['collection'] as Document)['id'] as string
  const at = `/@${alice.username}`
  const anybody = new Browser(server)
  const open = [at, `${at}/with_replies`, `${at}/media`, `${at}/tagged/few`, `${at}/${status.id}`, '/tags/few']
  for (const path of [...open, `/collections/${collection}`, `${at}/${status.id}/embed`]) {
    const page = await anybody.get(path)
    assert.deepEqual([page.status, page.location], [302, '/auth/sign_in'], path)
  }
  for (const path of [`${at}.rss`, '/tags/few.rss'])
    assert.equal((await anybody.get(path)).location, '/auth/sign_in', path)
  for (const path of open) assert.equal((await friend.get(path)).status, 200, path)
  // They are led back to where they wanted to be.
  assert.ok((await anybody.get('/auth/sign_in')).text.includes('user[email]'))

  const uri = `/ap/users/${alice.id}`
  const documents = ['', '/outbox', '/followers', '/collections/featured', `/statuses/${status.id}`]
  for (const path of documents) {
    const unsigned = await new Client(server).get(`${uri}${path}`, {}, { accept: 'application/activity+json' })
    assert.deepEqual([unsigned.status, unsigned.json], [401, { error: 'Request not signed' }], path)
    assert.equal(await known.get(server, `${uri}${path}`), 200, path)
    assert.equal(await stranger.get(server, `${uri}${path}`), 403, path)
  }
  for (const path of ['/actor', '/nodeinfo/2.0', '/.well-known/nodeinfo', '/.well-known/host-meta'])
    assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
  for (const path of ['/api/v1/timelines/public', `/api/v1/accounts/${alice.id}`, '/api/v1/instance/rules'])
    assert.equal((await new Client(server).get(path)).status, 401, path)
  assert.deepEqual(peers[1].received, [])
})

test('in limited federation mode a relay must be allowed, and forwards activities of allowed servers only', async t => {
  const server = await startServer(t, { settings: { limited_federation_mode: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [peer, home, elsewhere] = [await startPeer(t), await startPeer(t), await startPeer(t)]
  const { browser } = await staffMember(t, server, 'admin')
  const form = await browser.get('/admin/relays')
  const refused = await browser.submit(form, '/admin/relays', { inbox_url: `${peer.url}/inbox` })
  assert.equal(refused.status, 422)
  assert.match(readText(refused), /exchanges nothing/)
  for (const one of [peer, home]) await allow(server, one)
  const anybody = peer.actor('anybody')
  await becomes(() => anybody.send(server, anybody.activity('Like', peer.url)), 202, 'the rule applies')
  const { relay, page } = await startRelay(t, server, peer)
  assert.match(page, /relays are of little use/, 'the page says what is different in this mode')

  await alice.postStatus('hello')
  const { activity: create } = await peer.next(hasType('Create'))
  assert.equal(create['signature'], undefined, 'nobody may pass it on')
  const taken = home.actor('allowed').note('allowed')
  home.serve(taken)
  const foreign = elsewhere.serve(elsewhere.actor('foreign').note('foreign'))
  const asked: unknown[] = []
  const response = elsewhere.answer.bind(elsewhere)
  elsewhere.answer = (request, ...rest) => {
    asked.push(request.url)
    response(request, ...rest)
  }
  for (const note of [foreign, taken]) await relay.send(server, relay.activity('Announce', note.id, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, relay)
  await waitForJobs(t, server, 'federation.receive_lane')
  assert.deepEqual([await isStored(server, taken.id), await isStored(server, foreign.id)], [true, false])
  assert.deepEqual(asked, [], 'a server that is not allowed is not asked for anything')
})

test('in authorized fetch mode a relay receives posts without signatures, and its boosts are stored', async t => {
  const server = await startServer(t, { settings: { authorized_fetch: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [peer, home] = [await startPeer(t), await startPeer(t)]
  const { relay, page } = await startRelay(t, server, peer)
  assert.match(page, /relays are of little use/)
  const status = await alice.postStatus('hello')
  const { activity: create } = await peer.next(hasType('Create'))
  assert.equal(create['signature'], undefined)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.equal(((await peer.next(hasType('Delete'))).activity['signature'] as Document)['type'], 'RsaSignature2017')
  await sent(t, server)

  const { author, signed } = await startAuthor(home)
  const [boosted, forwarded] = [home.serve(author.note('boosted')), author.note('forwarded')]
  await relay.send(server, relay.activity('Announce', boosted.id, { to: [PUBLIC] }))
  const { '@context': _, ...object } = forwarded
  await relay.send(server, await signed({ ...author.create(object), '@context': CONTEXT }))
  await waitUntilProcessed(server, alice, relay)
  await waitForJobs(t, server, 'federation.receive_lane')
  for (const note of [boosted, forwarded]) assert.equal(await isStored(server, note.id), true, note.id)
})

test('nothing is exchanged with a domain that is no longer allowed', async t => {
  const server = await startServer(t, { settings: { limited_federation_mode: true } })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await allow(server, peer)
  const id = await storeRemoteAccount(server, bob)
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [id, alice.id])
  await alice.postStatus('while you may')
  await peer.next(hasType('Create'))
  await sql(server, 'delete from domain_allows')
  await alice.postStatus('not for you any more')
  await sent(t, server)
  assert.deepEqual(peer.received, [])
  assert.equal(await bob.send(server, bob.activity('Follow', localUri(server, alice.id))), 403)
})
