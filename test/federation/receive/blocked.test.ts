import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../../statuses/status_fixtures.ts'
import { localUri, startPeer } from '../../support/federation/peer.ts'
import { people } from '../../support/people.ts'
import { settled, typed } from '../federation_fixtures.ts'
import { settle } from './receive_fixtures.ts'

test('to somebody elsewhere who blocks her nothing of alice leaves, until the block is undone', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, carol] = [peer.actor('bob'), (await startPeer(t)).actor('carol')]
  const status = await settle(server, alice, bob)
  const { id } = entity(status['account'])
  await alice.post(`/api/v1/accounts/${id}/follow`)
  const follow = (await peer.next(typed('Follow'))).activity
  await bob.send(server, bob.activity('Accept', follow))
  await bob.send(server, bob.activity('Follow', localUri(server, alice.id)))
  await peer.next(typed('Accept'))
  const block = bob.activity('Block', localUri(server, alice.id))
  await bob.send(server, block)
  await settled(t, server)
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
  await settled(t, server)
  assert.deepEqual(peer.received, [])
  await bob.send(server, bob.activity('Undo', block))
  await settle(server, alice, carol)
  await settled(t, server)
  assert.equal(await relation('blocked_by'), false)
  assert.equal((await alice.post(`/api/v1/accounts/${id}/follow`)).status, 200)
  await peer.next(typed('Follow'))
})
