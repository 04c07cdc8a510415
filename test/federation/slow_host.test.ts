import assert from 'node:assert/strict'
import { test } from 'tap'
import { PeerActor, PUBLIC, startPeer } from '../support/federation/peer.ts'
import { people, person } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { waitForJobs } from './federation_fixtures.ts'
import { assertNoErrors, startHostile, ACTIVITY_TYPE } from './hostile_fixtures.ts'
import { deliver, followActor, noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'

/* A host that is slow, or asks for much, delays nobody else. */

test('many keys of one host cause one request each, and other requests are answered meanwhile', async t => {
  const { alice, server } = await people(t, 'alice')
  const host = await startHostile(t)
  host.on('/nobody/', response => void response.writeHead(404).end())
  const mallory = host.peer.actor('mallory')
  const bob = (await startPeer(t)).actor('bob')
  const body = JSON.stringify(mallory.create(noteTo(server, alice, mallory, 'x')))
  const send = (at: number): Promise<number> =>
    new PeerActor(host.peer, mallory.username, mallory.uri, `${host.url}/nobody/${at}`).sendText(server, body)
  for (let round = 0; round < 10; round += 1) {
    const answers = Promise.all(Array.from({ length: 50 }, (_, at) => send(round * 50 + at)))
    if (round === 5) await waitUntilProcessed(server, alice, bob)
    assert.deepEqual(new Set(await answers), new Set([401]))
  }
  assert.equal(host.asked.length, 500)
  assert.equal((await alice.get('/api/v1/timelines/home')).status, 200)
})

test('a host that answers slowly delays no other, and soon gets no more requests', async t => {
  const server = await startServer(t, { oneProcess: 'each process has its own budget of waiting' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const host = await startHostile(t)
  const actors = Array.from({ length: 8 }, (_, at) => host.peer.actor(`mallory${at}`))
  const bob = (await startPeer(t)).actor('bob')
  for (const actor of actors) await followActor(server, alice, actor)
  host.on('/drip/', response => {
    response.writeHead(200, { 'content-type': ACTIVITY_TYPE })
    const timer = setInterval(() => response.write(' '), 200)
    response.on('close', () => clearInterval(timer))
  })
  for (let round = 0; round < 3; round += 1)
    for (const actor of actors)
      await actor.send(
        server,
        actor.activity('Announce', `${host.url}/drip/${round}${actor.username}`, { to: [PUBLIC] }),
      )
  await deliver(server, alice, bob, noteTo(server, alice, bob, 'meanwhile'))
  await waitForJobs(t, server, 'federation.receive_lane')
  assert.ok(host.asked.length >= 1 && host.asked.length <= 5, `${host.asked.length} requests`)
  await assertNoErrors(server)
})
