import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { startPeer, type PeerActor } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { waitForJobs } from '../federation_fixtures.ts'
import { accountOf, deliver, findAccountId, noteTo, waitUntilProcessed } from './receive_fixtures.ts'

/* Accounts of other servers that delete themselves while moderators have something about them. */

interface Scene {
  readonly server: TestServer
  readonly alice: Person
  readonly moderator: Person
  readonly bob: PeerActor
  /** Another account of bob's server: what comes from one server is processed in order. */
  readonly dora: PeerActor
  /** A post of bob's, which mentions alice. */
  readonly status: Entity
}

async function prepare(t: Test): Promise<Scene> {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 3 })
  t.after(() => moderator.close())
  const peer = await startPeer(t)
  const [bob, dora] = [peer.actor('bob'), peer.actor('dora')]
  const status = await deliver(server, alice, bob, noteTo(server, alice, bob, 'rude'))
  return { server, alice, moderator, bob, dora, status }
}

const accountSeenBy = async (moderator: Person, id: string): Promise<Entity | undefined> => {
  const { status, json } = await moderator.get(`/api/v1/admin/accounts/${id}`)
  return status === 200 ? entity(json) : undefined
}

/** Bob deletes himself; what he sent before arrives late, and then the time for that is over. */
async function deleteBob(t: Test, { server, alice, moderator, bob, dora, status }: Scene): Promise<void> {
  await bob.send(server, bob.activity('Delete', bob.uri))
  await waitUntilProcessed(server, alice, dora)
  await waitForJobs(t, server, 'account_removal.remove')
  await bob.send(server, bob.activity('Update', bob.peer.documentOf(bob.uri)))
  await waitUntilProcessed(server, alice, dora)
  const seen = await accountSeenBy(moderator, accountOf(status).id)
  assert.notEqual(seen?.['suspended'], false, 'the Update does not bring the account back')
  await sql(server, `update tombstones set created_at = now() - interval '7 hours'`)
}

/** Bob tries to come back; what of his is stored then. */
async function comeBack({ server, alice, bob, dora }: Scene): Promise<Entity | undefined> {
  await bob.send(server, bob.activity('Update', bob.peer.documentOf(bob.uri)))
  const note = noteTo(server, alice, bob, 'here again')
  await bob.send(server, bob.create(note))
  await waitUntilProcessed(server, alice, dora)
  await alice.get('/api/v2/search', { q: bob.uri, resolve: 'true' })
  const notified = entities((await alice.get('/api/v1/notifications', { 'types[]': 'mention' })).json)
  return notified.map(one => entity(one['status'])).find(one => one['uri'] === note.id)
}

const act = async ({ moderator }: Scene, account: string, type: string): Promise<void> => {
  const done = await moderator.post(`/api/v1/admin/accounts/${account}/action`, { type })
  assert.equal(done.status, 200, done.text)
}

test('an account elsewhere that is suspended here and deletes itself stays suspended', async t => {
  const scene = await prepare(t)
  const { id } = accountOf(scene.status)
  await act(scene, id, 'suspend')
  await deleteBob(t, scene)
  assert.equal(await comeBack(scene), undefined)
  assert.equal((await accountSeenBy(scene.moderator, id))?.['suspended'], true)
  assert.equal(await findAccountId(scene.server, scene.bob), id)
})

test('an account elsewhere that is reported and deletes itself leaves the evidence', async t => {
  const scene = await prepare(t)
  const { alice, moderator, status } = scene
  const { id } = accountOf(status)
  const report = await alice.post('/api/v1/reports', { account_id: id, status_ids: [status.id], comment: 'rude' })
  assert.equal(report.status, 200, report.text)
  await deleteBob(t, scene)
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404)
  const reports = entities((await moderator.get('/api/v1/admin/reports', { target_account_id: id })).json)
  assert.deepEqual(
    reports.map(one => entities(one['statuses']).map(found => [found.id, found['content']])),
    [[[status.id, '<p>rude</p>']]],
  )
  const back = await comeBack(scene)
  assert.equal(back && accountOf(back).id, id, 'it is the account of the report')
})

test('an account elsewhere that is limited here, deletes itself and comes back is limited', async t => {
  const scene = await prepare(t)
  const { id } = accountOf(scene.status)
  await act(scene, id, 'silence')
  await deleteBob(t, scene)
  const shown = entity((await scene.alice.get(`/api/v1/accounts/${id}`)).json)
  assert.deepEqual([shown['suspended'], shown['display_name']], [true, ''], 'nothing of it is left')
  await comeBack(scene)
  const seen = await accountSeenBy(scene.moderator, id)
  assert.deepEqual([seen?.['silenced'], seen?.['suspended']], [true, false])
})

test('an account elsewhere without a record that deletes itself leaves nothing, also under a limited domain', async t => {
  const scene = await prepare(t)
  const { server, bob, status } = scene
  await sql(
    server,
    `with rule as (insert into domain_blocks (domain, severity) values ($1, 'silence') returning created_at)
     update accounts a set silenced_at = rule.created_at from rule where a.domain = $1`,
    [bob.peer.domain],
  )
  const { id } = accountOf(status)
  await deleteBob(t, { ...scene, dora: (await startPeer(t)).actor('erin') })
  assert.equal(await accountSeenBy(scene.moderator, id), undefined)
})

test('culling keeps what moderators have about an account', async t => {
  const { server, alice, moderator, bob, status } = await prepare(t)
  const { id } = accountOf(status)
  await act({ server, alice, moderator, bob, dora: bob, status }, id, 'silence')
  bob.peer.documents.set(new URL(bob.uri).pathname, 410)
  await sql(server, `update accounts set fetched_at = now() - interval '8 days' where id = $1`, [id])
  await sql(server, `update account_stats set last_status_at = now() - interval '8 days' where account_id = $1`, [id])
  const { databaseUrl, config } = server
  const { code, err } = await runHere(['accounts', 'cull', bob.peer.domain], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    PUBLIC_URL: config.publicUrl,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  })
  assert.deepEqual([code, err], [0, ''])
  assert.equal((await accountSeenBy(moderator, id))?.['silenced'], true)
})
