import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'tap'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { Peer, startPeer } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { hasType } from './federation_fixtures.ts'

/* Accounts of other servers that nobody here has met. */

/** A mention has no room for another port. */
const HTTP_PORT = 80

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

const noPort = !(await isFree(HTTP_PORT)) && 'port 80 is not free'

const mentionsOf = (status: unknown): unknown[] => entities(entity(status)['mentions']).map(({ acct }) => acct)

test('a mentioned account that is not known here is looked up on its server', { skip: noPort }, async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const peer = await startPeer(t, new Peer(HTTP_PORT))
  const [far, other, blocked] = [peer.actor('far'), peer.actor('other'), peer.actor('blocked')]
  const text = `@${far.username}@${peer.domain} @nobody@${peer.domain} hello`
  const status = await alice.postStatus(text, { visibility: 'direct' })
  assert.deepEqual(mentionsOf(status), [`${far.username}@${peer.domain}`])
  assert.match(
    String(status['content']),
    new RegExp(`class="u-url mention">@<span>${far.username}</span></a></span> @nobody@`),
  )
  const { activity } = await peer.next(hasType('Create'))
  assert.deepEqual(entity(activity['object'])['to'], [far.uri])
  const edited = await alice.put(`/api/v1/statuses/${status.id}`, { status: `@${other.username}@${peer.domain} hello` })
  assert.deepEqual(mentionsOf(edited.json), [`${other.username}@${peer.domain}`])

  await bob.postStatus(`@${blocked.username}@${peer.domain} hello`)
  const found = await bob.get('/api/v1/accounts/lookup', { acct: `${blocked.username}@${peer.domain}` })
  await bob.post(`/api/v1/accounts/${entity(found.json).id}/block`)
  const asked = peer.asked.length
  assert.deepEqual(mentionsOf(await bob.postStatus(`@${blocked.username}@${peer.domain} bye`)), [])
  assert.equal(peer.asked.length, asked, 'a known account is not looked up')
})

test('accounts of international domains are mentioned as they are shown', async t => {
  const { alice, server } = await people(t, 'alice')
  const [far] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('far_' || snowflake(), 'xn--bcher-kva.example', 'https://xn--bcher-kva.example/' || snowflake())
     returning username`,
  )
  const name = String(far?.['username'])
  const acct = `${name}@b\u00fccher.example`
  for (const domain of ['b\u00fccher.example', 'B\u00dcCHER.example', 'xn--bcher-kva.example']) {
    const status = await alice.postStatus(`@${name}@${domain} hello`)
    assert.deepEqual(mentionsOf(status), [acct], domain)
    const { text } = entity((await alice.get(`/api/v1/statuses/${status.id}/source`)).json)
    assert.equal(text, `@${acct} hello`)
  }
  const profile = await alice.patch('/api/v1/accounts/update_credentials', { note: `with @${acct}` })
  assert.match(String(entity(profile.json)['note']), new RegExp(`<span>${name}</span>`))
})
