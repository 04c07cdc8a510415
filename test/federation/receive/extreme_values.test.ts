import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { PeerActor, startPeer } from '../../support/federation/peer.ts'
import { people, sql } from '../../support/people.ts'
import { entity } from '../../statuses/status_fixtures.ts'
import { accountOf, waitUntilProcessed } from './receive_fixtures.ts'

/** Does not become shorter when it is compressed. */
const ideographs = (length: number): string =>
  Array.from({ length }, () => String.fromCodePoint(0x4e00 + (randomBytes(2).readUInt16LE() % 20_000))).join('')

test('an actor with dates or texts that the database cannot store or index becomes an account', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const dates = ['-200000-01-01T00:00:00Z', '+200000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '1e400', '']
  const actors = dates.map((published, at) => peer.actor(`dated${at}`, { published, updated: published }))
  for (const actor of actors) {
    const account = accountOf(await waitUntilProcessed(server, alice, actor))
    const year = new Date(String(account['created_at'])).getUTCFullYear()
    assert.equal(year, new Date().getUTCFullYear(), String(account['created_at']))
  }
  const named = peer.actor('named', { name: `${'x'.repeat(2000)}${ideographs(3000)}`, summary: ideographs(25_000) })
  const account = accountOf(await waitUntilProcessed(server, alice, named))
  assert.equal(String(account['display_name']).length, 2016)
  await named.send(server, named.activity('Update', { ...peer.documentOf(named.uri), name: 'x'.repeat(3000) }))
  const changed = accountOf(await waitUntilProcessed(server, alice, named))
  assert.equal(changed['display_name'], 'x'.repeat(2048))
})

test('URLs of an actor that are too long are left out', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const long = (kind: string): string => `${peer.url}/${kind}/${'x'.repeat(100_000)}`
  const image = (url: string) => ({ type: 'Image', mediaType: 'image/png', url })
  const bob = peer.actor('bob', {
    url: long('page'),
    icon: image(long('avatar')),
    image: image(long('header')),
    outbox: long('outbox'),
    alsoKnownAs: [long('alias')],
  })
  const account = accountOf(await waitUntilProcessed(server, alice, bob))
  assert.equal(account['url'], bob.uri)
  for (const name of ['avatar', 'avatar_static', 'header', 'header_static'])
    assert.match(String(account[name]), /\/missing\.png$/, name)
  const [row] = await sql(server, 'select outbox_url, also_known_as from accounts where uri = $1', [bob.uri])
  assert.deepEqual(row, { outbox_url: '', also_known_as: [] })
})

test('a key with an id that is too long to be stored is unknown', async t => {
  const { server } = await people(t)
  const peer = await startPeer(t)
  const { uri, username } = peer.actor('bob')
  const keyId = `${uri}?key=${randomBytes(2000).toString('base64url')}`
  const document = peer.documentOf(uri)
  peer.serve({ ...document, publicKey: { ...entity(document['publicKey']), id: keyId } })
  const bob = new PeerActor(peer, username, uri, keyId)
  assert.equal(await bob.send(server, bob.create(bob.note('hello'))), 401)
  assert.deepEqual(await sql(server, 'select from remote_keys where owner = $1', [uri]), [])
})

test('the keys of an actor whose ids are too long are left out', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  const document = peer.documentOf(bob.uri)
  const key = entity(document['publicKey'])
  const long = { ...key, id: `${bob.uri}#${randomBytes(4000).toString('base64url')}` }
  await bob.send(server, bob.activity('Update', { ...document, name: 'Robert', publicKey: [long, key] }))
  assert.equal(accountOf(await waitUntilProcessed(server, alice, bob))['display_name'], 'Robert')
})
