import assert from 'node:assert/strict'
import { test } from 'tap'
import type { Client } from '../support/client.ts'
import { people, sql, uncachedAnonymous } from '../support/people.ts'
import { entities, entity, relate, tell } from './status_fixtures.ts'

async function read(viewer: Client, id: string): Promise<{ ancestors: string[]; descendants: string[] }> {
  const context = entity((await viewer.get(`/api/v1/statuses/${id}/context`)).json)
  const ids = (list: unknown): string[] => entities(list).map(one => one.id)
  return { ancestors: ids(context['ancestors']), descendants: ids(context['descendants']) }
}

test('a thread is listed depth first, with self-replies in front', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const root = await alice.postStatus('root')
  const a = await bob.postStatus('a', { in_reply_to_id: root.id })
  const b = await bob.postStatus('b', { in_reply_to_id: root.id })
  const aa = await alice.postStatus('aa', { in_reply_to_id: a.id })
  const own = await alice.postStatus('own', { in_reply_to_id: root.id })
  const ownA = await bob.postStatus('under own', { in_reply_to_id: own.id })
  const expected = [own.id, a.id, aa.id, b.id, ownA.id]
  for (const viewer of [alice, anonymous]) {
    assert.deepEqual(await read(viewer, root.id), { ancestors: [], descendants: expected })
    assert.deepEqual(await read(viewer, aa.id), { ancestors: [root.id, a.id], descendants: [] })
  }
})

test('hidden statuses are skipped, but not the replies to them', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const anonymous = uncachedAnonymous(server)
  const root = await alice.postStatus('root')
  const hidden = await bob.postStatus('hidden', { in_reply_to_id: root.id })
  const below = await carol.postStatus('below', { in_reply_to_id: hidden.id })
  const secret = await carol.postStatus(`@${bob.username} psst`, { in_reply_to_id: below.id, visibility: 'direct' })
  assert.deepEqual((await read(anonymous, root.id)).descendants, [hidden.id, below.id])
  assert.deepEqual((await read(bob, root.id)).descendants, [hidden.id, below.id, secret.id])
  await relate(server, 'mutes', dave, bob)
  assert.deepEqual((await read(dave, root.id)).descendants, [below.id])
  assert.deepEqual((await read(dave, below.id)).ancestors, [root.id])
  await tell(server, 'update accounts set silenced_at = now() where id = $1', [bob.id])
  assert.deepEqual((await read(anonymous, root.id)).descendants, [below.id])
  assert.deepEqual((await read(bob, root.id)).descendants, [hidden.id, below.id, secret.id], 'own ones stay')
})

test('of a thread of very long texts the nearest are shown', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const anonymous = uncachedAnonymous(server)
  const above: string[] = []
  for (let index = 0; index < 9; index += 1)
    above.push((await alice.postStatus(`above ${index}`, { in_reply_to_id: above.at(-1) })).id)
  const middle = (await alice.postStatus('middle', { in_reply_to_id: above.at(-1) })).id
  const below: string[] = []
  for (let index = 0; index < 9; index += 1) {
    const parent = below.at(-1) ?? middle
    below.push((await bob.postStatus(`below ${index}`, { in_reply_to_id: parent })).id)
  }
  const around = [...above, ...below]
  assert.deepEqual(await read(anonymous, middle), { ancestors: above, descendants: below })
  // As other servers may send them: 300 KB each.
  await tell(server, `update statuses set content = repeat('漢', 100000) where id = any ($1)`, [around])
  assert.deepEqual(await read(anonymous, middle), { ancestors: above.slice(-3), descendants: below.slice(0, 3) })
  assert.deepEqual(await read(bob, middle), { ancestors: above, descendants: below })
})

test('a thread leaves out those whom the caller blocks, themselves or by domain, and is not paginated', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const root = await alice.postStatus('root')
  const byBob = await bob.postStatus('blocked', { in_reply_to_id: root.id })
  const below = await carol.postStatus('below', { in_reply_to_id: byBob.id })
  const byCarol = await carol.postStatus('of a domain', { in_reply_to_id: root.id })
  await tell(server, `update accounts set domain = 'far.example', uri = 'https://far.example/' || id where id = $1`, [
    carol.id,
  ])
  await relate(server, 'blocks', dave, bob)
  assert.deepEqual((await read(dave, root.id)).descendants, [below.id, byCarol.id])
  await dave.post('/api/v1/domain_blocks', { domain: 'far.example' })
  assert.deepEqual((await read(dave, root.id)).descendants, [])
  assert.deepEqual((await read(dave, below.id)).ancestors, [root.id])
  const page = await alice.get(`/api/v1/statuses/${root.id}/context`, { limit: '1', max_id: root.id })
  assert.equal(page.headers.get('link'), null)
  assert.deepEqual(
    entities(entity(page.json)['descendants']).map(one => one.id),
    [byBob.id, below.id, byCarol.id],
  )
})

test('a user gets 4,096 statuses of a thread in each direction, at any depth', async t => {
  const { alice, server } = await people(t, 'alice')
  const root = await alice.postStatus('root')
  await tell(
    server,
    `insert into statuses (id, account_id, visibility, text, in_reply_to_id, in_reply_to_account_id)
     select $1::bigint + n, $2, 'public', 'deep', $1::bigint + n - 1, $2 from generate_series(1, 4200) n`,
    [root.id, alice.id],
  )
  const [row] = await sql(server, 'select max(id)::text as id from statuses where account_id = $1', [alice.id])
  assert.equal((await read(alice, root.id)).descendants.length, 4096)
  assert.equal((await read(alice, String(row?.['id']))).ancestors.length, 4096)
})

test('an anonymous caller gets a part of a long thread', async t => {
  const { alice, server } = await people(t, 'alice')
  const anonymous = uncachedAnonymous(server)
  const root = await alice.postStatus('root')
  await tell(
    server,
    `insert into statuses (id, account_id, visibility, text, in_reply_to_id, in_reply_to_account_id)
     select $1::bigint + n, $2, 'public', 'deep', $1::bigint + n - 1, $2 from generate_series(1, 60) n`,
    [root.id, alice.id],
  )
  const deepest = (
    await sql(server, 'select max(id)::text as id from statuses where account_id = $1', [alice.id])
  )[0]?.['id']
  assert.equal((await read(alice, root.id)).descendants.length, 60)
  assert.equal((await read(anonymous, root.id)).descendants.length, 20)
  assert.equal((await read(alice, String(deepest))).ancestors.length, 60)
  assert.equal((await read(anonymous, String(deepest))).ancestors.length, 40)
  await tell(
    server,
    `insert into statuses (account_id, visibility, text, in_reply_to_id, in_reply_to_account_id)
     select $2, 'public', 'wide', $1, $2 from generate_series(1, 100)`,
    [deepest, alice.id],
  )
  assert.equal((await read(anonymous, String(deepest))).descendants.length, 60)
  assert.equal((await read(alice, String(deepest))).descendants.length, 100)
})
