import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere, type Ran } from '../../cli/command.ts'
import { entities, entity, type Entity } from '../../statuses/status_fixtures.ts'
import { startPeer, type PeerActor } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { waitForJobs } from '../federation_fixtures.ts'
import { accountOf, waitUntilProcessed } from './receive_fixtures.ts'

/* What others keep after an account of another server and its row are gone. */

const ctl = (server: TestServer, ...given: string[]): Promise<Ran> =>
  runHere(given, {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
    ALLOW_PRIVATE_ADDRESSES: 'on',
  })

async function assertConsistent(server: TestServer): Promise<void> {
  const { code, out } = await ctl(server, 'check')
  assert.deepEqual([code, out], [0, ''])
}

const conversationsOf = async (person: Person): Promise<unknown[]> =>
  entities((await person.get('/api/v1/conversations')).json).map(one => [
    entities(one['accounts']).map(account => account.id),
    one['last_status'] === null ? null : entity(one['last_status']).id,
  ])

const isStored = async (server: TestServer, { id }: Entity): Promise<boolean> =>
  (await sql(server, 'select from accounts where id = $1', [id])).length > 0

/** An account of a peer under a domain that posts can mention: they do not mention ports. */
async function mentionable(server: TestServer, alice: Person, actor: PeerActor): Promise<Entity> {
  const { id } = accountOf(await waitUntilProcessed(server, alice, actor))
  const domain = `${actor.peer.domain.replace(/\D+/g, '-')}.example`
  await sql(server, 'update accounts set domain = $2 where id = $1', [id, domain])
  return { id, domain, handle: `@${actor.username}@${domain}` }
}

test('who is alone in a conversation after the other account is gone is shown as its participant', async t => {
  const { alice, server } = await people(t, 'alice')
  const bob = (await startPeer(t)).actor('bob')
  const { id, handle } = await mentionable(server, alice, bob)
  const post = await alice.postStatus(`${String(handle)} psst`, { visibility: 'direct' })
  assert.deepEqual(await conversationsOf(alice), [[[id], post.id]])
  const stream = await alice.stream('direct')
  await bob.send(server, bob.activity('Delete', bob.uri))
  await stream.next('conversation')
  await waitForJobs(t, server, 'account_removal.remove')
  assert.equal(await isStored(server, { id }), false)
  assert.deepEqual(await conversationsOf(alice), [[[alice.id], post.id]])
  await assertConsistent(server)
})

/** Alice wrote to bob, and to both in the same thread. */
async function writeToBoth(
  server: TestServer,
  alice: Person,
  [bob, dora]: readonly [PeerActor, PeerActor],
): Promise<{ accounts: Entity[]; posts: string[] }> {
  const accounts: Entity[] = []
  for (const actor of [bob, dora]) accounts.push(await mentionable(server, alice, actor))
  const [one = '', other = ''] = accounts.map(account => String(account['handle']))
  const first = await alice.postStatus(`${one} psst`, { visibility: 'direct' })
  const more = { visibility: 'direct', in_reply_to_id: first.id }
  const second = await alice.postStatus(`${one} ${other} psst`, more)
  return { accounts, posts: [first.id, second.id] }
}

test('conversations that differed by accounts which are gone become one', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const { posts, accounts } = await writeToBoth(server, alice, [peer.actor('bob'), peer.actor('dora')])
  const [bob, dora] = accounts.map(account => account.id)
  assert.deepEqual(await conversationsOf(alice), [
    [[bob, dora], posts[1]],
    [[bob], posts[0]],
  ])
  const { code, err } = await ctl(server, 'domains', 'purge', String(accounts[0]?.['domain']))
  assert.deepEqual([code, err], [0, ''])
  assert.deepEqual(await conversationsOf(alice), [[[alice.id], posts[1]]])
  await assertConsistent(server)
  await alice.delete(`/api/v1/statuses/${String(posts[1])}`)
  assert.deepEqual(await conversationsOf(alice), [[[alice.id], posts[0]]])
})

test('ctl check joins conversations whose members no longer exist', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const { posts, accounts } = await writeToBoth(server, alice, [peer.actor('bob'), peer.actor('dora')])
  // Without the removal of their data, as versions before did it.
  for (const { id } of accounts) await sql(server, 'delete from accounts where id = $1', [id])
  const found = await ctl(server, 'check', 'conversations')
  assert.equal(found.code, 1)
  assert.match(found.out, /^(conversation \d+: it has members that do not exist\n){2}$/)
  const mended = await ctl(server, 'check', 'conversations', '--fix')
  assert.deepEqual([mended.code, mended.out.match(/\(mended\)/g)?.length], [0, 2])
  assert.deepEqual(await conversationsOf(alice), [[[alice.id], posts[1]]])
  await assertConsistent(server)
  await alice.delete(`/api/v1/statuses/${String(posts[1])}`)
  assert.deepEqual(await conversationsOf(alice), [[[alice.id], posts[0]]])
})

test('ctl check joins a conversation with one that has the members already', async t => {
  const { alice, server } = await people(t, 'alice')
  const [near, far] = [await startPeer(t), await startPeer(t)]
  const { posts, accounts } = await writeToBoth(server, alice, [near.actor('bob'), far.actor('dora')])
  const [bob, dora] = accounts.map(account => account.id)
  await sql(server, 'delete from accounts where id = $1', [dora])
  const mended = await ctl(server, 'check', 'conversations', '--fix')
  assert.deepEqual([mended.code, mended.out.match(/\(mended\)/g)?.length], [0, 1])
  assert.deepEqual(await conversationsOf(alice), [[[bob], posts[1]]])
  await alice.delete(`/api/v1/statuses/${String(posts[1])}`)
  assert.deepEqual(await conversationsOf(alice), [[[bob], posts[0]]])
})

test('moderators lose the notifications of reports that go with the reported account', async t => {
  const { alice, server } = await people(t, 'alice')
  const moderator = await person(server, 'moderator', { roleId: 3 })
  t.after(() => moderator.close())
  const peer = await startPeer(t)
  const [bob, dora] = [peer.actor('bob'), peer.actor('dora')]
  const { id } = accountOf(await waitUntilProcessed(server, alice, bob))
  const { json } = await alice.post('/api/v1/reports', { account_id: id, comment: 'rude' })
  const notified = async (): Promise<unknown[]> => {
    const listed = entities((await moderator.get('/api/v1/notifications', { 'types[]': 'admin.report' })).json)
    const grouped = entity((await moderator.get('/api/v2/notifications', { 'types[]': 'admin.report' })).json)
    const unread = entity((await moderator.get('/api/v2/notifications/unread_count')).json)
    return [listed.length, entities(grouped['notification_groups']).length, unread['count']]
  }
  assert.deepEqual(await notified(), [1, 1, 1])
  const resolved = await moderator.post(`/api/v1/admin/reports/${entity(json).id}/resolve`)
  assert.equal(resolved.status, 200, resolved.text)
  await bob.send(server, bob.activity('Delete', bob.uri))
  await waitUntilProcessed(server, alice, dora)
  await waitForJobs(t, server, 'account_removal.remove')
  assert.equal(await isStored(server, { id }), false)
  assert.deepEqual(await notified(), [0, 0, 0])
  await assertConsistent(server)
})

test('replies to an account that is gone stay replies', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const [bob, dora] = [peer.actor('bob'), peer.actor('dora')]
  const asked = await waitUntilProcessed(server, alice, bob)
  const first = await alice.postStatus('an answer', { in_reply_to_id: asked.id })
  const second = await alice.postStatus('and more', { in_reply_to_id: first.id })
  const plain = await alice.postStatus('no answer')
  const idsOf = async (path: string): Promise<string[]> => {
    const listed = entities((await alice.get(path)).json).map(one => one.id)
    return listed.filter(id => id === first.id || id === second.id || id === plain.id)
  }
  const answered = async ({ id }: Entity): Promise<unknown[]> => {
    const shown = entity((await alice.get(`/api/v1/statuses/${id}`)).json)
    return [shown['in_reply_to_id'], shown['in_reply_to_account_id']]
  }
  assert.deepEqual(await answered(second), [first.id, accountOf(asked).id])
  await bob.send(server, bob.activity('Delete', bob.uri))
  await waitUntilProcessed(server, alice, dora)
  await waitForJobs(t, server, 'account_removal.remove')
  assert.equal(await isStored(server, accountOf(asked)), false)
  assert.deepEqual(
    [await answered(first), await answered(second)],
    [
      [null, null],
      [first.id, null],
    ],
  )
  const above = `min_id=${BigInt(first.id) - 1n}`
  for (const path of [
    `/api/v1/accounts/${alice.id}/statuses?exclude_replies=true`,
    '/api/v1/timelines/public',
    `/api/v1/timelines/public?local=true&${above}`,
  ])
    assert.deepEqual(await idsOf(path), [plain.id], path)
  assert.equal((await idsOf(`/api/v1/accounts/${alice.id}/statuses`)).length, 3)
  await assertConsistent(server)
  const third = await alice.postStatus('and still more', { in_reply_to_id: second.id })
  assert.deepEqual(await answered(third), [second.id, alice.id])
  await assertConsistent(server)
})
