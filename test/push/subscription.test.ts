import assert from 'node:assert/strict'
import test from 'node:test'
import { Client } from '../support/client.ts'
import { makeToken, people, sql } from '../support/people.ts'

test('the subscription of a token is shown and removed, under both paths', async t => {
  const { alice, server } = await people(t, 'alice')
  const path = '/api/v1/push/subscription'
  const none = await alice.get(path)
  assert.deepEqual([none.status, none.json], [404, { error: 'Not Found' }])
  const [made] = await sql(
    server,
    `insert into push_subscriptions (token_id, user_id, endpoint, key_p256dh, key_auth, alerts, policy)
     select k.id, k.user_id, 'https://push.example/1', 'p', 'a', '{"mention": true}', 'followed'
     from oauth_tokens k where k.user_id = $1 returning id::integer`,
    [alice.userId],
  )
  const instance = (await alice.get('/api/v2/instance')).json as { configuration: { vapid: { public_key: string } } }
  const entity = {
    id: made?.['id'],
    endpoint: 'https://push.example/1',
    standard: false,
    alerts: { mention: true },
    server_key: instance.configuration.vapid.public_key,
    policy: 'followed',
  }
  assert.deepEqual((await alice.get(path)).json, entity)
  assert.deepEqual((await alice.get(`${path}s`)).json, entity)
  const other = new Client(server, await makeToken(server, alice.userId, ['push']))
  assert.equal((await other.get(path)).status, 404)
  const outside = new Client(server, await makeToken(server, alice.userId, ['read', 'write']))
  assert.equal((await outside.get(path)).status, 403)
  for (const _ of [1, 2]) {
    const removed = await alice.delete(`${path}s`)
    assert.deepEqual([removed.status, removed.json], [200, {}])
  }
  assert.equal((await alice.get(path)).status, 404)
})
