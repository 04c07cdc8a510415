import assert from 'node:assert/strict'
import { test } from 'tap'
import { startPeer } from '../support/federation/peer.ts'
import { people, sql } from '../support/people.ts'
import { entity } from '../statuses/status_fixtures.ts'
import { waitForJobs, storeRemoteAccount, runScheduled, hasType } from './federation_fixtures.ts'

test('a changed profile reaches recent contacts of the account, and its reporters', async t => {
  const { alice, server } = await people(t, 'alice')
  const names = ['mentioned', 'followed', 'reporter', 'stranger', 'mentioned long ago', 'named silently'] as const
  const peers = new Map<string, { peer: Awaited<ReturnType<typeof startPeer>>; id: string }>()
  for (const name of names) {
    const peer = await startPeer(t)
    peers.set(name, { peer, id: await storeRemoteAccount(server, peer.actor('somebody')) })
  }
  const of = (name: (typeof names)[number]) => peers.get(name) ?? assert.fail()
  const mention = async (name: (typeof names)[number], more: { id?: string; silent?: boolean } = {}) => {
    const { id } = await alice.postStatus('hello', { visibility: 'direct' })
    await sql(server, 'insert into mentions (status_id, account_id, silent) values ($1, $2, $3)', [
      id,
      of(name).id,
      more.silent ?? false,
    ])
    return id
  }
  await mention('mentioned')
  await mention('named silently', { silent: true })
  const old = await mention('mentioned long ago')
  await sql(server, `update mentions set status_id = status_id where status_id = $1`, [old])
  await sql(
    server,
    `with old as (
       insert into statuses (id, account_id, visibility, content, local) values
         (first_snowflake(now() - interval '3 days'), $1, 'direct', '', true) returning id
     )
     update mentions m set status_id = old.id from old where m.status_id = $2`,
    [alice.id, old],
  )
  await alice.post(`/api/v1/accounts/${of('followed').id}/follow`)
  await of('followed').peer.next(hasType('Follow'))
  await sql(
    server,
    `insert into reports (account_id, target_account_id, category, comment) values ($1, $2, 'other', '')`,
    [of('reporter').id, alice.id],
  )
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice II' })
  await runScheduled(t, server, 'federation.send_account')
  for (const name of ['mentioned', 'followed', 'reporter'] as const) {
    const { activity } = await of(name).peer.next(hasType('Update'))
    assert.equal(entity(activity['object'])['name'], 'Alice II')
  }
  await waitForJobs(t, server, 'federation.deliver')
  for (const { peer } of peers.values())
    assert.deepEqual(
      peer.received.filter(({ activity }) => hasType('Update')(activity)),
      [],
    )
})
