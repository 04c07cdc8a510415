import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

test('the directory lists discoverable accounts by activity or age, without those the viewer blocks or mutes', async t => {
  const server = await startServer(t)
  const anonymous = new Client(server)
  const discoverable = { account: { discoverable: true } }
  const [alice, bob, carol] = [
    await person(server, 'alice', discoverable),
    await person(server, 'bob', discoverable),
    await person(server, 'carol', discoverable),
  ]
  const dora = await person(server, 'dora')
  await person(server, 'unconfirmed', { ...discoverable, user: { confirmed_at: null } })
  await person(server, 'silenced', { account: { discoverable: true, silenced_at: new Date() } })
  await bob.postStatus('hello')
  await alice.postStatus('hello')
  await dora.postStatus('hello')
  const names = async (client: Client, query: Record<string, string> = {}): Promise<string[]> =>
    ((await client.get('/api/v1/directory', query)).json as Person[]).map(one => one.username.replace(/_.*/, ''))
  assert.deepEqual(await names(anonymous), ['alice', 'bob', 'carol'])
  assert.deepEqual(await names(anonymous, { order: 'new' }), ['carol', 'bob', 'alice'])
  assert.deepEqual(await names(anonymous, { limit: '1', offset: '1' }), ['bob'])
  assert.deepEqual(await names(anonymous, { limit: '0' }), [])
  await dora.post(`/api/v1/accounts/${bob.id}/mute`)
  await carol.post(`/api/v1/accounts/${dora.id}/block`)
  assert.deepEqual(await names(dora), ['alice'])
  await dora.post(`/api/v1/accounts/${alice.id}/block`)
  assert.deepEqual(await names(dora), [])
  await dora.post(`/api/v1/accounts/${alice.id}/unblock`)
  await sql(
    server,
    `insert into accounts (username, domain, discoverable, uri) values ('far', 'other.example', true, 'https://other.example/users/far')`,
  )
  assert.deepEqual(await names(dora, { order: 'new' }), ['far', 'alice'])
  assert.deepEqual(await names(dora, { order: 'new', local: '1' }), ['alice'])
  await sql(server, `insert into account_domain_blocks (account_id, domain) values ($1, 'other.example')`, [dora.id])
  assert.deepEqual(await names(dora, { order: 'new' }), ['alice'])
  const open = await anonymous.get('/api/v1/directory')
  assert.match(open.headers.get('cache-control') ?? '', /^max-age=15, public/)
  assert.equal(open.headers.get('link'), null)
  assert.equal((await anonymous.get('/api/v1/directory', { order: 'unheard-of' })).status, 422)
})

test('accounts of other servers that have not posted are last among the active ones', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  for (const one of [alice, bob]) await one.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  const peer = await startPeer(t)
  for (const name of ['far', 'farther']) {
    const actor = peer.actor(name)
    peer.serve({ ...peer.documentOf(actor.uri), discoverable: true })
    assert.equal((await carol.get('/api/v2/search', { q: actor.acct, resolve: 'true', type: 'accounts' })).status, 200)
  }
  await bob.postStatus('hello')
  const names = async (query: Record<string, string> = {}): Promise<string[]> =>
    ((await carol.get('/api/v1/directory', query)).json as Person[]).map(one => one.username.replace(/_.*/, ''))
  assert.deepEqual(await names(), ['bob', 'alice', 'farther', 'far'])
  assert.deepEqual(await names({ limit: '1', offset: '2' }), ['farther'])
  assert.deepEqual(await names({ limit: '2', offset: '3' }), ['far'])
  assert.deepEqual(await names({ offset: '2147483647' }), [])
  assert.deepEqual(await names({ local: 'true' }), ['bob', 'alice'])
})

test('a disabled directory answers 404', async t => {
  const server = await startServer(t)
  await sql(server, `insert into settings (key, value) values ('profile_directory', 'false')`)
  const other = await startServer(t, { databaseUrl: server.databaseUrl })
  const response = await new Client(other).get('/api/v1/directory')
  assert.deepEqual([response.status, response.json], [404, { error: 'Not Found' }])
})
