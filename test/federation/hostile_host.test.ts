import assert from 'node:assert/strict'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { test } from 'tap'
import { CONTEXT, localUri, PUBLIC, startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import {
  assertNoErrors,
  startFollowedActor,
  json,
  startHostile,
  ACTIVITY_TYPE,
  type Answer,
  type Hostile,
} from './hostile_fixtures.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* A host that does its worst: each answer is ignored, within bounds. */

const MEGABYTE = 1024 * 1024
const MANY_HEADERS = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x-flood-${at}`, 'x'.repeat(100)]))

/** What a document's address answers; how many requests it may cost, with those for the actor. */
const ANSWERS: Readonly<Record<string, { readonly requests: number; readonly answer: (host: Hostile) => Answer }>> = {
  'a redirect to itself': {
    requests: 4,
    answer:
      () =>
      (response, { url }) =>
        void response.writeHead(302, { location: url }).end(),
  },
  'redirects without end': {
    requests: 4,
    answer:
      () =>
      (response, { url }) =>
        void response.writeHead(307, { location: `${url}/x` }).end(),
  },
  'a redirect to another protocol': {
    requests: 1,
    answer: () => response => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  },
  'a redirect to nowhere': {
    requests: 1,
    answer: () => response => void response.writeHead(302, { location: 'http://[' }).end(),
  },
  'arrays in arrays': {
    requests: 1,
    answer: () => response => {
      const text = `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
      response.writeHead(200, { 'content-type': ACTIVITY_TYPE }).end(text)
    },
  },
  'the document of an id on another host': {
    requests: 1,
    answer: () => response => json(response, { '@context': CONTEXT, id: 'http://127.0.0.1:1/x', type: 'Note' }),
  },
  'another id each time': {
    requests: 2,
    answer:
      host =>
      (response, { url }) =>
        json(response, { '@context': CONTEXT, id: `${host.url}${url ?? ''}1`, type: 'Note' }),
  },
  'a bomb in gzip': {
    requests: 1,
    answer: () => response => {
      response
        .writeHead(200, { 'content-type': ACTIVITY_TYPE, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(50 * MEGABYTE)))
    },
  },
  'a bomb in Brotli': {
    requests: 1,
    answer: () => response => {
      response
        .writeHead(200, { 'content-type': ACTIVITY_TYPE, 'content-encoding': 'br' })
        .end(brotliCompressSync(Buffer.alloc(20 * MEGABYTE)))
    },
  },
  'a note as JSON of another kind': {
    requests: 1,
    answer:
      host =>
      (response, { url }) => {
        const note = { ...host.peer.actor('plain').note('x'), id: `${host.url}${url ?? ''}` }
        json(response, note, { 'content-type': 'application/json' })
      },
  },
  'a page that names a page as its document': {
    requests: 2,
    answer:
      () =>
      (response, { url }) => {
        const link = `<link rel="alternate" type="${ACTIVITY_TYPE}" href="${url}/x">`
        response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><head>${link}</head></html>`)
      },
  },
  'a page of deeply nested elements': {
    requests: 1,
    answer: () => response => {
      const deep = '<a>'.repeat(150_000) + '</b>'.repeat(130_000)
      const link = `<link rel="alternate" type="${ACTIVITY_TYPE}" href="/x">`
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><body>${deep}${link}</body></html>`)
    },
  },
  'a flood of headers': {
    requests: 1,
    answer: () => response => json(response, { '@context': CONTEXT }, MANY_HEADERS),
  },
  'half of a document': {
    requests: 1,
    answer: () => response => {
      response.writeHead(200, { 'content-type': ACTIVITY_TYPE, 'content-length': '1000' }).write('{"a":')
      response.destroy()
    },
  },
  'a status that does not exist': { requests: 1, answer: () => response => void response.writeHead(999).end() },
}

/** Bob, whom alice follows, boosts what is at a path of the host; waits until that is processed. */
async function boost(server: TestServer, alice: Person, bob: PeerActor, object: string) {
  await bob.send(server, bob.activity('Announce', object, { to: [PUBLIC] }))
  await waitUntilProcessed(server, alice, bob)
}

test('answers that are no documents cause few requests, and nothing is stored', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  const bob = await startFollowedActor(t, server, alice)
  let number = 0
  for (const [name, { requests, answer }] of Object.entries(ANSWERS)) {
    number += 1
    const prefix = `/${number}/`
    host.on(prefix, answer(host))
    await boost(server, alice, bob, `${host.url}${prefix}x`)
    const asked = host.asked.filter(path => path.startsWith(prefix))
    assert.ok(asked.length <= requests, `${name}: ${asked.join(' ')}`)
    assert.ok(asked.length > 0, `${name}: it was asked for`)
  }
  const stored = await sql(server, `select uri from statuses where uri like $1`, [`${host.url}/%`])
  assert.deepEqual(stored, [])
  await assertNoErrors(server)
})

test('a redirecting host cannot serve documents of other hosts', async t => {
  const { alice, server } = await people(t, 'alice')
  const [victim, attacker] = [await startHostile(t), await startHostile(t)]
  const bob = await startFollowedActor(t, server, alice)
  const forged = { ...victim.peer.actor('victim').note('forged'), id: `${victim.url}/go` }
  victim.on('/go', response => void response.writeHead(302, { location: `${attacker.url}/forged` }).end())
  attacker.on('/forged', response => json(response, forged))
  await boost(server, alice, bob, forged.id)
  assert.deepEqual(attacker.asked, ['/forged'])
  assert.deepEqual(await sql(server, `select uri from statuses where uri = $1`, [forged.id]), [])
  await assertNoErrors(server)
})

test('at most a megabyte of an endless document is read', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  const bob = await startFollowedActor(t, server, alice)
  const closed = Promise.withResolvers<number>()
  host.on('/endless', response => {
    response.writeHead(200, { 'content-type': ACTIVITY_TYPE }).write('{"a":"')
    const part = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    const write = (): void => {
      while (!response.destroyed && response.write(part)) sent += part.length
    }
    response.on('drain', write)
    response.on('close', () => closed.resolve(sent))
    write()
  })
  await boost(server, alice, bob, `${host.url}/endless`)
  // What is under way in the sockets is not read.
  const sent = await closed.promise
  assert.ok(sent < 32 * MEGABYTE, `${sent} bytes`)
  await assertNoErrors(server)
})

test('endless threads, quotes and collections are fetched up to a limit', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  const bob = await startFollowedActor(t, server, alice)
  const mallory = host.peer.actor('mallory')
  const note = (id: string, more: Document): Document => ({ ...mallory.note('endless'), id, ...more })
  const following = (url = ''): string => `${host.url}${url.replace(/\d+$/, digits => String(Number(digits) + 1))}`
  host.on('/above/', (response, { url }) =>
    json(response, note(`${host.url}${url ?? ''}`, { inReplyTo: following(url) })),
  )
  host.on('/circle/', (response, { url }) => {
    const other = `${host.url}/circle/${url === '/circle/1' ? 2 : 1}`
    json(response, note(`${host.url}${url ?? ''}`, { inReplyTo: other, quote: other }))
  })
  host.on('/quoted/', (response, { url }) => json(response, note(`${host.url}${url ?? ''}`, { quote: following(url) })))
  host.on('/page/', (response, { url }) => {
    const id = `${host.url}${url ?? ''}`
    json(response, { '@context': CONTEXT, id, type: 'CollectionPage', items: [], next: following(url) })
  })
  const count = (prefix: string): number => host.asked.filter(path => path.startsWith(prefix)).length
  for (const path of ['/above/1', '/circle/1', '/quoted/1']) await boost(server, alice, bob, `${host.url}${path}`)
  await waitForJobs(t, server, 'federation.fetch_parent')
  assert.ok(count('/above/') > 30 && count('/above/') <= 42, `${count('/above/')} above each other`)
  assert.ok(count('/circle/') <= 4, `${count('/circle/')} in a circle`)
  assert.ok(count('/quoted/') <= 3, `${count('/quoted/')} that quote each other`)

  const root = noteTo(server, alice, mallory, 'a question')
  const status = await deliver(server, alice, mallory, root)
  await sql(server, `update statuses set created_at = now() - interval '6 minutes' where id = $1`, [status['id']])
  host.peer.serve({ ...root, replies: { id: `${root.id}/replies`, type: 'Collection', first: `${host.url}/page/1` } })
  await alice.get(`/api/v1/statuses/${status.id}/context`)
  await waitForJobs(t, server, 'federation.fetch_replies')
  assert.ok(count('/page/') >= 1 && count('/page/') <= 21, `${count('/page/')} pages`)
  const featured = host.peer.actor('collector', {
    featured: `${host.url}/page/1000`,
    featuredTags: `${host.url}/page/2000`,
  })
  await waitUntilProcessed(server, alice, featured)
  await waitForJobs(t, server, 'federation.fetch_featured')
  assert.ok(count('/page/1') + count('/page/2') < 30)
  await assertNoErrors(server)
})

test('a server cannot claim the handle, the key or the posts of another server', async t => {
  const { alice, server } = await people(t, 'alice')
  const [host, home] = [await startHostile(t), await startPeer(t)]
  const bob = home.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  const before = await sql(server, 'select username, domain, inbox_url from accounts where uri = $1', [bob.uri])
  // Another's handle; another's key; another's address as its own.
  const named = host.peer.actor('named', { preferredUsername: bob.username, webfinger: bob.acct })
  const keyed = host.peer.actor('keyed')
  const [key] = [host.peer.documentOf(keyed.uri)['publicKey'] as Document]
  host.peer.serve({ ...host.peer.documentOf(keyed.uri), publicKey: [key, { ...key, id: bob.keyId, owner: bob.uri }] })
  const posed = { ...home.documentOf(bob.uri), inbox: `${host.url}/inbox` }
  host.peer.documents.set('/posed', posed)
  for (const actor of [named, keyed]) await actor.send(server, actor.create(noteTo(server, alice, actor, 'x')))
  await keyed.send(server, bob.create(bob.note('posed', { to: [localUri(server, alice.id)] })))
  await waitUntilProcessed(server, alice, keyed)
  const found = await alice.get('/api/v2/search', { q: `${host.url}/posed`, resolve: 'true', type: 'accounts' })
  assert.equal(found.status, 200)
  const after = await sql(server, 'select username, domain, inbox_url from accounts where uri = $1', [bob.uri])
  assert.deepEqual(after, before)
  assert.deepEqual(await sql(server, 'select from accounts where uri = $1', [named.uri]), [])
  assert.deepEqual(await sql(server, `select from statuses where content like '%posed%'`), [])
  // The inbox of another server is written to once, whoever claims it.
  const thief = host.peer.actor('thief', { inbox: `${bob.uri}/inbox`, endpoints: { sharedInbox: `${home.url}/inbox` } })
  const own = host.peer.actor('own', { inbox: `${server.url}/inbox`, endpoints: {} })
  for (const actor of [thief, own, bob]) await actor.send(server, actor.activity('Follow', localUri(server, alice.id)))
  for (const actor of [thief, own, bob]) await waitUntilProcessed(server, alice, actor)
  home.received.length = 0
  await alice.postStatus('for all followers')
  await waitForJobs(t, server, 'federation.send_status')
  // Deliveries to hosts of other tests, which are gone, are repeated for days.
  await waitForJobs(t, server, 'federation.deliver', false)
  const creates = home.received.filter(({ activity }) => activity['type'] === 'Create')
  assert.ok(creates.length >= 1 && creates.length <= 2, `${creates.length} deliveries`)
  await assertNoErrors(server)
})

test('a chunked, compressed or non-JSON body is no activity', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  const mallory = host.peer.actor('mallory')
  const note = noteTo(server, alice, mallory, 'compressed')
  const text = JSON.stringify(mallory.create(note))
  assert.equal(await mallory.sendText(server, text, '/inbox', { 'content-encoding': 'gzip' }), 202)
  await waitUntilProcessed(server, alice, mallory)
  await assertNoErrors(server)
})
