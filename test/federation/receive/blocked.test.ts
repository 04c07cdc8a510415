import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { localUri, startPeer } from '../../support/federation/peer.ts'
import { people } from '../../support/people.ts'
import { waitForFederationJobs, hasType } from '../federation_fixtures.ts'
import { waitUntilProcessed } from './receive_fixtures.ts'

test('nothing is delivered to a remote account that blocks the author, until the block is undone', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), (await startPeer(t)).actor('carol')]
  const status = await waitUntilProcessed(server, alice, bob)
  const { id } = entity(status['account'])
  await alice.post(`/api/v1/accounts/${id}/follow`)
  const follow = (await peer.next(hasType('Follow'))).activity
  await bob.send(server, bob.activity('Accept', follow))
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await peer.next(hasType('Accept'))
  const block = bob.activity('Block', localUri(server, alice.id))
  await bob.send(server, block)
  await waitForFederationJobs(t, server)
  const relation = async (name: string): Promise<unknown> =>
    entities((await alice.get(`/api/v1/accounts/relationships?id[]=${id}`)).json)[0]?.[name]
  const names = ['following', 'followed_by', 'blocked_by']
  assert.deepEqual(await Promise.all(names.map(relation)), [false, false, true])
  peer.received.length = 0
  const shown = `/api/v1/statuses/${status.id}`
  for (const path of [`/api/v1/accounts/${id}/follow`, `${shown}/favourite`, `${shown}/reblog`])
    assert.ok([403, 404].includes((await alice.post(path)).status), path)
  await alice.postStatus('for followers', { visibility: 'private' })
  await alice.postStatus('for all')
  await waitForFederationJobs(t, server)
  assert.deepEqual(peer.received, [])
  await bob.send(server, bob.activity('Undo', block))
  await waitUntilProcessed(server, alice, carol)
  await waitForFederationJobs(t, server)
  assert.equal(await relation('blocked_by'), false)
  assert.equal((await alice.post(`/api/v1/accounts/${id}/follow`)).status, 200)
  await peer.next(hasType('Follow'))
})

test('a ban by a moderator of a community is no block, and lifting it ends none', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [mod, cats] = [peer.actor('mod'), peer.actor('cats', { type: 'Group' })]
  const { id } = entity((await waitUntilProcessed(server, alice, mod))['account'])
  await mod.send(server, mod.activity('Follow', localUri(server, alice.id)))
  await peer.next(hasType('Accept'))
  const relation = async (...names: string[]): Promise<unknown[]> => {
    const [relationship] = entities((await alice.get(`/api/v1/accounts/relationships?id[]=${id}`)).json)
    return names.map(name => relationship?.[name])
  }
  const object = localUri(server, alice.id)
  const community = mod.activity('Block', object, { target: cats.uri, cc: [cats.uri] })
  const site = mod.activity('Block', object, { target: { type: 'Application', id: `${peer.url}/` } })
  for (const ban of [community, site]) await mod.send(server, ban)
  await waitForFederationJobs(t, server)
  assert.deepEqual(await relation('followed_by', 'blocked_by'), [true, false])
  await mod.send(server, mod.activity('Block', object))
  for (const ban of [community, site]) await mod.send(server, mod.activity('Undo', ban))
  await waitForFederationJobs(t, server)
  assert.deepEqual(await relation('followed_by', 'blocked_by'), [false, true])
})
