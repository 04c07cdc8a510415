import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities } from '../statuses/status_fixtures.ts'
import { Browser } from '../support/browser.ts'
import { localUri, startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* URLs of posts that their servers do not show to this one. */

async function statusesAt(reader: Person, url: string): Promise<string[]> {
  const { json } = await reader.get('/api/v2/search', { q: url, resolve: 'true' })
  return entities((json as Document)['statuses']).map(({ id }) => id)
}

/** Sends a post to one person alone; returns its id here. */
async function sendTo(server: TestServer, person: Person, actor: PeerActor, id: string, url: string): Promise<string> {
  const note = noteTo(server, person, actor, 'only you', { id, url, to: [localUri(server, person.id)], cc: [] })
  await actor.send(server, actor.create(note))
  await waitUntilProcessed(server, person, actor)
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [id])
  return String(row?.['id'])
}

test('a post for chosen people is found by its URLs, by them alone', async t => {
  const { alice, carol, server } = await people(t, 'alice', 'carol')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  for (const [number, folder] of [
    ['101', `${peer.url}/users/${bob.username}/statuses`],
    ['102', `${bob.uri}/statuses`],
  ] as const) {
    const [uri, url] = [`${folder}/${number}`, `${peer.url}/@${bob.username}/${number}`]
    const id = await sendTo(server, alice, bob, uri, url)
    for (const named of [uri, url]) {
      assert.deepEqual(await statusesAt(alice, named), [id], named)
      assert.deepEqual(await statusesAt(carol, named), [], named)
    }
    assert.deepEqual(await statusesAt(alice, `${peer.url}/@eve/${number}`), [])
  }
})

test('the page for interactions from elsewhere finds it too', async t => {
  const { alice: sender, server } = await people(t, 'alice')
  const alice = await personWithPassword(server, 'reader')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  const url = `${peer.url}/@${bob.username}/7`
  const id = await sendTo(server, sender, bob, `${peer.url}/users/${bob.username}/statuses/7`, url)
  await sql(server, 'insert into mentions (status_id, account_id, silent) values ($1, $2, true)', [id, alice.id])
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get(`/authorize_interaction?${new URLSearchParams({ uri: url }).toString()}`)
  assert.deepEqual([page.status, page.location], [302, `/@${bob.username}@${peer.domain}/${id}`])
})
