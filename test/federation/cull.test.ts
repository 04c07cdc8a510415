import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../cli/command.ts'
import { startPeer, type Peer } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { waitUntilProcessed } from './receive/receive_fixtures.ts'

test('accounts that their servers have deleted are culled', async t => {
  const { alice, server } = await people(t, 'alice')
  const [near, far] = [await startPeer(t), await startPeer(t)]
  const settled = async (peer: Peer, name: string, response: number): Promise<void> => {
    const actor = peer.actor(name)
    await waitUntilProcessed(server, alice, actor)
    if (response !== 200) peer.documents.set(new URL(actor.uri).pathname, response)
  }
  await settled(near, 'stays', 200)
  await settled(near, 'gone', 410)
  await settled(near, 'missing', 404)
  await settled(near, 'active', 410)
  await settled(far, 'unknown', 500)
  await sql(server, `update accounts set fetched_at = now() - interval '8 days' where domain is not null`)
  await sql(
    server,
    `update account_stats set last_status_at = now() - interval '8 days'
     where account_id in (select id from accounts where domain is not null and display_name <> 'active')`,
  )

  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  }
  const cull = async (...given: string[]): Promise<string> => {
    const { code, out, err } = await runHere(['accounts', 'cull', ...given], environment)
    assert.deepEqual([code, err], [0, ''])
    return out
  }
  const left = async (): Promise<unknown[]> =>
    (await sql(server, 'select display_name as name from accounts where domain is not null order by id')).map(
      ({ name }) => name,
    )
  const unavailable = `The following domains were not available during the check:\n    ${far.domain}\n`

  assert.equal(await cull(far.domain), `Visited 1 accounts, removed 0\n${unavailable}`)
  assert.equal(await cull('--dry-run'), `Visited 4 accounts, removed 2 (DRY RUN)\n${unavailable}`)
  assert.deepEqual(await left(), ['stays', 'gone', 'missing', 'active', 'unknown'])
  assert.equal(await cull('-c', '1'), `Visited 4 accounts, removed 2\n${unavailable}`)
  assert.deepEqual(await left(), ['stays', 'active', 'unknown'])
  assert.equal(await cull(near.domain.toUpperCase()), 'Visited 1 accounts, removed 0\n')
})
