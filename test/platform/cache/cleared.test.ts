import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

/** Every process forgets what it holds in memory, as after a restore of the database. */

test('when all caches are cleared, tokens, viewers, settings and blocked addresses are read again', async t => {
  const server = await startServer(t, { env: { TRUSTED_PROXIES: 'loopback' } })
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const from = { 'X-Forwarded-For': '203.0.113.77' }
  const state = async () => ({
    alice: (await alice.get('/api/v1/preferences')).status,
    bob: (await bob.get('/api/v1/preferences')).status,
    blocked: (await alice.get('/health', {}, from)).status,
    title: ((await bob.get('/api/v2/instance', {}, { authorization: '' })).json as { title: string }).title,
  })
  const before = await state()
  assert.deepEqual([before.alice, before.bob, before.blocked], [200, 200, 200])
  await sql(server, 'update oauth_tokens set revoked_at = now() where user_id = $1', [alice.userId])
  await sql(server, 'update users set disabled = true where id = $1', [bob.userId])
  await sql(server, `insert into settings (key, value) values ('site_title', '"As restored"')`)
  await sql(server, `insert into ip_blocks (ip, severity) values ('203.0.113.77', 'no_access')`)
  assert.deepEqual(await state(), before, 'nothing tells the server')
  await sql(server, `insert into events (kind, data) values ('caches.cleared', '{"change": "all"}')`)
  const isAll = (now: Awaited<ReturnType<typeof state>>): boolean =>
    now.alice === 401 && now.bob === 403 && now.blocked === 403 && now.title === 'As restored'
  await until(state, isAll, 'all to be read again')
})

test('when all caches are cleared, relationships are read again', async t => {
  const server = await startServer(t)
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const { id } = await bob.postStatus('seen or not')
  const listed = async (): Promise<boolean> => {
    const found = await alice.get('/api/v1/timelines/public')
    return (found.json as { id: string }[]).some(one => one.id === id)
  }
  assert.equal(await listed(), true)
  await sql(server, 'insert into blocks (account_id, target_account_id) values ($1, $2)', [alice.id, bob.id])
  assert.equal(await listed(), true, 'nothing tells the server')
  await sql(server, `insert into events (kind, data) values ('caches.cleared', '{"change": "all"}')`)
  await until(listed, now => !now, 'the block to be read')
})
