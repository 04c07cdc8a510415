import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { localUri, startPeer, type Document, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { followActor, waitUntilProcessed } from './receive/receive_fixtures.ts'

/*
 * Actors and posts in the forms that other software sends, written from its documentation, with the
 * account and the statuses that they become. `peer.example` and `here.example` stand for the peer
 * and this server, `alice` for the reader.
 */

const FOLDER = new URL('documents/', import.meta.url)

type Actor = Parameters<Peer['adopt']>[0]

interface Kind {
  readonly software: string
  /** The first is the one that is looked at. */
  readonly actors: readonly [Actor, ...Actor[]]
  /** What the peer serves besides. */
  readonly others?: readonly Document[]
  readonly activities: readonly (Document & { actor: string })[]
  readonly account: Document
  /** By their URIs. */
  readonly statuses: Readonly<Record<string, Document>>
}

/** A document with the addresses of this test. */
function readKind(name: string, peer: Peer, server: TestServer, alice: Person): Kind {
  const text = readFileSync(new URL(name, FOLDER), 'utf8')
    .replaceAll('https://peer.example', peer.url)
    .replaceAll('peer.example', peer.domain)
    .replaceAll('https://here.example/users/alice', localUri(server, alice.id))
    .replaceAll('alice@here.example', `${alice.username}@${server.config.localDomain}`)
    .replaceAll('"acct": "alice"', `"acct": "${alice.username}"`)
  return JSON.parse(text) as Kind
}

/** The members that are expected, and all elements of lists. */
function narrowed(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((one: unknown, place) => narrowed(one, expected[place]))
  const isObject = typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null
  if (!isObject || Array.isArray(expected) || Array.isArray(actual)) return actual
  const [all, wanted] = [entity(actual), entity(expected)]
  return Object.fromEntries(Object.keys(wanted).map(name => [name, narrowed(all[name], wanted[name])]))
}

const compare = (actual: unknown, expected: unknown, what: string): void =>
  assert.deepEqual(narrowed(actual, expected), expected, what)

async function statusOf(server: TestServer, reader: Person, uri: string): Promise<unknown> {
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [uri])
  assert.ok(row, `${uri} was not received`)
  return (await reader.get(`/api/v1/statuses/${String(row['id'])}`)).json
}

for (const name of readdirSync(FOLDER))
  test(`what ${name.replace('.json', '')} sends is understood`, async t => {
    const { alice, server } = await people(t, 'alice')
    const peer = await startPeer(t)
    const kind = readKind(name, peer, server, alice)
    const actors = new Map<string, PeerActor>(kind.actors.map(actor => [actor.id, peer.adopt(actor)]))
    for (const other of kind.others ?? []) peer.serve(other)

    const handle = `@${kind.actors[0].preferredUsername}@${peer.domain}`
    const found = await alice.get('/api/v2/search', { q: handle, type: 'accounts', resolve: 'true' })
    const [account] = entities(entity(found.json)['accounts'])
    compare(account, kind.account, 'the account')

    for (const uri of new Set(kind.activities.map(({ actor }) => actor))) {
      const sender = actors.get(uri)
      assert.ok(sender, `${uri} is no actor of ${kind.software}`)
      await followActor(server, alice, sender)
      for (const activity of kind.activities.filter(({ actor }) => actor === uri)) {
        assert.equal(await sender.send(server, activity), 202)
        await waitUntilProcessed(server, alice, sender)
      }
    }
    for (const [uri, status] of Object.entries(kind.statuses)) compare(await statusOf(server, alice, uri), status, uri)
  })
