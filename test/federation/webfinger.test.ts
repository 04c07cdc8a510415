import assert from 'node:assert/strict'
import { test } from 'tap'
import { entity } from '../statuses/status_fixtures.ts'
import type { Document, PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { json, startHostile, type Hostile } from './hostile_fixtures.ts'
import { accountOf, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* How the handle of an actor is confirmed. */

const WEBFINGER = '/.well-known/webfinger'
const ACTIVITY = 'application/activity+json'
const LINKED_DATA = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'

/** The answer of WebFinger for an actor, with another handle or type. */
const answerFor = (actor: PeerActor, { acct = actor.acct, type = ACTIVITY, href = actor.uri } = {}): Document => ({
  subject: `acct:${acct}`,
  links: [
    { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: actor.uri },
    { rel: 'self', type, href },
  ],
})

/** Whether the actor becomes an account when it sends something. */
async function isKnown(t: Parameters<typeof waitForJobs>[0], server: TestServer, alice: Person, actor: PeerActor) {
  await actor.send(server, actor.create(noteTo(server, alice, actor, 'x')))
  await waitForJobs(t, server, 'federation.receive_lane')
  const rows = await sql(server, 'select username, domain from accounts where uri = $1', [actor.uri])
  return rows.length === 1
}

const asks = (host: Hostile): string[] => host.asked.filter(path => path.startsWith('/.well-known/'))

test('the answer for a handle may name another handle once, which must be confirmed', async t => {
  const { alice, server } = await people(t, 'alice')
  const [first, second, third] = [await startHostile(t), await startHostile(t), await startHostile(t)]
  const bob = first.peer.actor('bob')
  const acct = `Robert@${second.peer.domain}`
  first.on(WEBFINGER, response => json(response, answerFor(bob, { acct })))
  second.on(WEBFINGER, response => json(response, answerFor(bob, { acct })))
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  assert.equal(account['acct'], acct)
  assert.deepEqual(asks(first), [`${WEBFINGER}?resource=${encodeURIComponent(`acct:${bob.acct}`)}`])
  assert.deepEqual(asks(second), [`${WEBFINGER}?resource=${encodeURIComponent(`acct:${acct}`)}`])

  const twice = first.peer.actor('twice')
  first.on(WEBFINGER, response => json(response, answerFor(twice, { acct: `twice@${second.peer.domain}` })))
  second.on(WEBFINGER, response => json(response, answerFor(twice, { acct: `twice@${third.peer.domain}` })))
  third.on(WEBFINGER, response => json(response, answerFor(twice, { acct: `twice@${third.peer.domain}` })))
  assert.equal(await isKnown(t, server, alice, twice), false)
  assert.deepEqual(third.asked, [])
})

test('the answer links to the actor itself, as a document', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  for (const [change, known] of [
    [{}, true],
    [{ type: LINKED_DATA }, true],
    [{ type: 'text/html' }, false],
    [{ type: 'application/ld+json' }, false],
    [{ href: `${host.url}/users/another` }, false],
    [{ acct: 'bob' }, false],
    [{ acct: 'a@b@c' }, false],
  ] as const) {
    const actor = host.peer.actor('bob')
    host.on(WEBFINGER, response => json(response, answerFor(actor, change)))
    assert.equal(await isKnown(t, server, alice, actor), known, JSON.stringify(change))
  }
  const upper = host.peer.actor('upper')
  host.on(WEBFINGER, response => json(response, answerFor(upper, { acct: upper.acct.toUpperCase() })))
  assert.equal(await isKnown(t, server, alice, upper), true)
})

test('a server without WebFinger at the usual address names another address', async t => {
  const { alice } = await people(t, 'alice')
  const host = await startHostile(t)
  const bob = host.peer.actor('bob')
  const page = (template: string): string =>
    `<?xml version="1.0"?><XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0"><Link rel="lrdd" template="${template}"/></XRD>`
  host.on(WEBFINGER, response => void response.writeHead(404).end())
  host.on('/.well-known/host-meta', response => void response.end(page(`${host.url}/finger?uri={uri}`)))
  host.on('/finger', (response, { headers }) => {
    assert.equal(headers.accept, 'application/jrd+json, application/json')
    json(response, answerFor(bob), { 'content-type': 'application/jrd+json' })
  })
  const found = await alice.get('/api/v2/search', { q: `@${bob.acct}`, resolve: 'true', type: 'accounts' })
  assert.equal((entity(found.json)['accounts'] as Document[])[0]?.['acct'], bob.acct)
  assert.ok(host.asked.includes(`/finger?uri=${encodeURIComponent(`acct:${bob.acct}`)}`))

  // What stands inside of too many elements is not read: it could take minutes.
  host.asked.length = 0
  const deep = `${'<a>'.repeat(150_000)}${'</b>'.repeat(130_000)}`
  host.on('/.well-known/host-meta', response => void response.end(`${deep}${page(`${host.url}/finger?uri={uri}`)}`))
  const unread = await alice.get('/api/v2/search', { q: `@somebody@${host.peer.domain}`, resolve: 'true' })
  assert.deepEqual(entity(unread.json)['accounts'], [])
  assert.equal(host.asked.length, 2)

  // A template that leads nowhere is asked once.
  for (const template of [`${host.url}${WEBFINGER}?resource={uri}`, 'nowhere', `${host.url}/finger`, 'file:///{uri}']) {
    host.asked.length = 0
    host.on('/.well-known/host-meta', response => void response.end(page(template)))
    const nobody = await alice.get('/api/v2/search', { q: `@nobody@${host.peer.domain}`, resolve: 'true' })
    assert.deepEqual(entity(nobody.json)['accounts'], [], template)
    assert.equal(host.asked.length, 2, template)
  }
})
