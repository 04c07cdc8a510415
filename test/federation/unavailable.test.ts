import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeKeyPair, startPeer, type Document } from '../support/federation/peer.ts'
import { watchPutOff } from '../support/federation/put_off.ts'
import { people, sql } from '../support/people.ts'
import { waitForJobs, storeRemoteAccount, hasType } from './federation_fixtures.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'

/* Servers that are away for long. */

test('a server at which deliveries failed on seven days gets no deliveries until it sends an activity', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  const id = await storeRemoteAccount(server, carol)
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [id, alice.id])
  const putOff = await watchPutOff(t, server)
  const state = async (): Promise<Record<string, unknown> | undefined> =>
    (
      await sql(
        server,
        `select cardinality(failed_days) as days, unavailable_since is not null as unavailable
         from delivery_hosts where host = $1`,
        [peer.domain],
      )
    )[0]
  peer.refuses = 503
  await alice.postStatus('on the sixth day')
  await putOff(1)
  assert.deepEqual(await state(), { days: 1, unavailable: false })
  await sql(
    server,
    `update delivery_hosts set failed_days = array(select current_date - n from generate_series(1, 6) n) where host = $1`,
    [peer.domain],
  )
  await alice.postStatus('on the seventh day')
  await putOff(2)
  assert.deepEqual(await state(), { days: 7, unavailable: true })
  peer.refuses = undefined
  peer.received.length = 0
  await alice.postStatus('while it is away')
  await waitForJobs(t, server, 'federation.send_status')
  assert.equal((await putOff(2)).length, 2, 'no delivery was planned')
  assert.deepEqual(peer.received, [])
  peer.serve(peer.documentOf(carol.uri))
  await alice.post(`/api/v1/accounts/${id}/follow`)
  assert.equal((await peer.next(hasType('Follow'))).activity['object'], carol.uri, 'a Follow is tried once')

  await waitUntilProcessed(server, alice, carol)
  assert.equal(await state(), undefined)
  await alice.postStatus('when it is back')
  // On a slow machine the retries of the earlier posts are due by now, and arrive too.
  await peer.next(
    activity =>
      hasType('Create')(activity) && /when it is back/.test(String((activity['object'] as Document)['content'])),
  )
})

test('a signed request for a document ends the pause of a server, too', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  await storeRemoteAccount(server, carol)
  const state = () =>
    sql(
      server,
      `select failures, cardinality(failed_days) as days, paused_until is not null as paused,
         unavailable_since is not null as unavailable
       from delivery_hosts where host = $1`,
      [peer.domain],
    )
  const fail = (column: string): Promise<unknown> =>
    sql(
      server,
      `insert into delivery_hosts (host, failures, failed_days, ${column})
       values ($1, 12, array[current_date], now() + interval '1 minute')`,
      [peer.domain],
    )
  const paths = [`/ap/users/${alice.id}`, `/ap/users/${alice.id}/followers_synchronization`]
  await fail('unavailable_since')
  await fetch(`${server.url}${paths[0]}`, { headers: { accept: 'application/activity+json' } })
  const keys = carol.keys
  carol.keys = makeKeyPair()
  for (const path of paths) await carol.get(server, path)
  carol.keys = keys
  assert.equal((await state()).length, 1, 'no request was from there')
  for (const path of paths) {
    assert.equal(await carol.get(server, path), 200)
    assert.deepEqual(await state(), [], path)
    await fail('paused_until')
    assert.equal(await carol.get(server, path), 200)
    const failing = { failures: 0, days: 1, paused: false, unavailable: false }
    assert.deepEqual(await state(), [failing], 'deliveries are tried again')
    const version = () => sql(server, 'select xmin::text from delivery_hosts where host = $1', [peer.domain])
    const before = await version()
    assert.equal(await carol.get(server, path), 200)
    assert.deepEqual(await version(), before, 'nothing is written when there is no pause')
    await sql(server, 'delete from delivery_hosts where host = $1', [peer.domain])
    if (path === paths[0]) await fail('unavailable_since')
  }
})
