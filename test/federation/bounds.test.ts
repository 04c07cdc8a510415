import assert from 'node:assert/strict'
import { test } from 'tap'
import { startPeer } from '../support/federation/peer.ts'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { deliver, noteTo } from './receive/receive_fixtures.ts'

/* What waits is bounded, for each server. */

const BUDGET = 20_000
const MAX_MEGABYTES = 64

test('a server with too many waiting activities gets a 503, and others do not', async t => {
  const server = await startServer(t, { oneProcess: 'each looks now and then at what waits' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [flooding, quiet] = [await startPeer(t), await startPeer(t)]
  const [mallory, carol] = [flooding.actor('mallory'), quiet.actor('carol')]
  // In a lane that is not worked on.
  await sql(
    server,
    `insert into received_activities (lane, host, actor, body) select 99, $1, $2, '{}' from generate_series(1, ${BUDGET})`,
    [flooding.domain, mallory.uri],
  )
  const like = () => mallory.send(server, mallory.activity('Like', `${server.url}/nothing`))
  assert.equal(await like(), 202)
  assert.equal(await like(), 503)
  await deliver(server, alice, carol, noteTo(server, alice, carol, 'hello'))
  assert.equal(await like(), 503)
})

test('a server whose waiting activities are large gets a 503 before they are many', async t => {
  const server = await startServer(t, { oneProcess: 'each looks now and then at what waits' })
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [flooding, quiet] = [await startPeer(t), await startPeer(t)]
  const [mallory, carol] = [flooding.actor('mallory'), quiet.actor('carol')]
  // In a lane that is not worked on.
  await sql(
    server,
    `insert into received_activities (lane, host, actor, body)
     select 99, $1, $2, repeat('x', 1048576) from generate_series(1, ${MAX_MEGABYTES})`,
    [flooding.domain, mallory.uri],
  )
  const like = () => mallory.send(server, mallory.activity('Like', `${server.url}/nothing`))
  assert.equal(await like(), 202)
  assert.equal(await like(), 503)
  await deliver(server, alice, carol, noteTo(server, alice, carol, 'hello'))
})
