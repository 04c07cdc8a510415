import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { localUri, Peer, startPeer, type Document, type PeerActor } from '../../support/federation/peer.ts'
import { people, sql, type Person } from '../../support/people.ts'
import { freePort } from '../../support/port.ts'
import type { TestServer } from '../../support/server.ts'
import { waitForJobs } from '../federation_fixtures.ts'
import { deliver, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* Posts that name accounts and posts of servers that give no answer at first. */

const mention = (actor: PeerActor): Document => ({ type: 'Mention', href: actor.uri, name: `@${actor.acct}` })

const mentioning = (server: TestServer, person: Person, ...actors: readonly PeerActor[]): Document => ({
  tag: [{ type: 'Mention', href: localUri(server, person.id), name: `@${person.username}` }, ...actors.map(mention)],
})

const read = async (person: Person, { id }: Entity): Promise<Entity> =>
  entity((await person.get(`/api/v1/statuses/${id}`)).json)

const namesIn = (status: Entity): string[] => (status['mentions'] as Entity[]).map(({ acct }) => String(acct)).sort()

/** Runs the jobs of a kind that wait for another attempt now, and waits until all have ended. */
async function retry(t: Test, server: TestServer, kind: string): Promise<void> {
  await sql(
    server,
    `with due as (
       select from graphile_worker.reschedule_jobs(
         array(select j.id from graphile_worker.jobs j where j.task_identifier = $1), run_at => now()
       )
     )
     select pg_notify('jobs:insert', '{"count": 1}') from due`,
    [kind],
  )
  await waitForJobs(t, server, kind)
}

test('a post that mentions an account of a server that is away is stored at once, with the mention later', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const away = new Peer(await freePort())
  const [bob, carol] = [peer.actor('bob'), away.actor('carol')]
  const status = await deliver(server, alice, bob, bob.note('to both', mentioning(server, alice, carol)))
  assert.deepEqual(namesIn(status), [alice.username])
  await startPeer(t, away)
  await retry(t, server, 'federation.fetch_mentions')
  assert.deepEqual(namesIn(await read(alice, status)), [alice.username, carol.acct].sort())
  assert.equal(entities((await alice.get('/api/v1/notifications')).json).length, 1, 'she is notified once')
})

test('an edit that mentions an account of a server that is away counts at once', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol, dora] = [peer.actor('bob'), other.actor('carol'), other.actor('dora')]
  const documents = [carol, dora].map(({ uri }) => [new URL(uri).pathname, other.documentOf(uri)] as const)
  for (const [path] of documents) other.documents.set(path, 503)
  const note = bob.note('first', mentioning(server, alice, carol))
  const status = await deliver(server, alice, bob, note)
  const edit = async (content: string, second: number, ...actors: PeerActor[]): Promise<void> => {
    const updated = new Date(Date.now() + second * 1000).toISOString()
    const object = { ...note, content, updated, ...mentioning(server, alice, ...actors) }
    await bob.send(server, bob.activity('Update', object))
    await waitUntilProcessed(server, alice, bob)
    assert.match(String((await read(alice, status))['content']), new RegExp(content))
  }
  await edit('second', 1, dora)
  for (const [path, document] of documents) other.documents.set(path, document)
  // Both jobs wait: of the first version, which mentions carol, and of the second.
  await retry(t, server, 'federation.fetch_mentions')
  assert.deepEqual(namesIn(await read(alice, status)), [alice.username, dora.acct].sort())
})

test('a post that quotes a post of a server that is away is stored at once, with the quote later', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = carol.note('original')
  const path = new URL(quoted.id).pathname
  other.documents.set(path, 503)
  const note = noteTo(server, alice, bob, 'quoting', { quote: quoted.id })
  const status = await deliver(server, alice, bob, note)
  assert.equal(status['quote'], null)
  other.serve(quoted)
  await retry(t, server, 'federation.fetch_quote')
  const quote = entity((await read(alice, status))['quote'])
  assert.equal(quote['state'], 'pending', 'its author has not authorized it')
})

test('a quote whose authorization cannot be fetched is pending until it can', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = other.serve(carol.note('original'))
  const approval = `${carol.uri}/approvals/1`
  const note = noteTo(server, alice, bob, 'quoting', { quote: quoted.id, quoteAuthorization: approval })
  other.documents.set(new URL(approval).pathname, 503)
  const status = await deliver(server, alice, bob, note)
  assert.equal(entity(status['quote'])['state'], 'pending')
  other.serve({
    '@context': 'https://www.w3.org/ns/activitystreams',
    id: approval,
    type: 'QuoteAuthorization',
    attributedTo: carol.uri,
    interactingObject: note.id,
    interactionTarget: quoted.id,
  })
  await retry(t, server, 'federation.fetch_quote')
  const quote = entity((await read(alice, status))['quote'])
  assert.equal(quote['state'], 'accepted')
  assert.equal(entity(quote['quoted_status'])['uri'], quoted.id)
})

test('a quote that is found after its post was deleted is not stored', async t => {
  const { alice, server } = await people(t, 'alice')
  const [peer, other] = [await startPeer(t), await startPeer(t)]
  const [bob, carol] = [peer.actor('bob'), other.actor('carol')]
  const quoted = carol.note('original')
  other.documents.set(new URL(quoted.id).pathname, 503)
  const note = noteTo(server, alice, bob, 'quoting', { quote: quoted.id })
  const status = await deliver(server, alice, bob, note)
  await bob.send(server, bob.activity('Delete', note.id))
  await waitUntilProcessed(server, alice, bob)
  other.serve(quoted)
  await retry(t, server, 'federation.fetch_quote')
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404)
  const found = await alice.get('/api/v2/search', { q: quoted.id, resolve: 'true', type: 'statuses' })
  assert.equal((entity(found.json)['statuses'] as Entity[])[0]?.['quotes_count'], 0)
})
