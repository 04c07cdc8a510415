import assert from 'node:assert/strict'
import { test } from 'tap'
import { startPeer, type Document } from '../support/federation/peer.ts'
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

  await waitUntilProcessed(server, alice, carol)
  assert.equal(await state(), undefined)
  await alice.postStatus('when it is back')
  // On a slow machine the retries of the earlier posts are due by now, and arrive too.
  await peer.next(
    activity =>
      hasType('Create')(activity) && /when it is back/.test(String((activity['object'] as Document)['content'])),
  )
})
