import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { NOTIFICATION_TYPES } from '../../../src/notifications/index.ts'
import { Client } from '../../support/client.ts'
import { makeToken, people, sql } from '../../support/people.ts'

const PATH = '/api/v1/push/subscription'
const PATHS = [PATH, `${PATH}s`]
const P256DH = createECDH('prime256v1').generateKeys()
const AUTH = randomBytes(16)
const keys = { p256dh: P256DH.toString('base64url'), auth: AUTH.toString('base64url') }
const endpoint = 'https://push.example/1'

test('a subscription is created, shown, changed and removed under both paths', async t => {
  const { alice } = await people(t, 'alice')
  const instance = (await alice.get('/api/v2/instance')).json as { configuration: { vapid: { public_key: string } } }
  for (const path of PATHS) {
    const none = await alice.get(path)
    assert.deepEqual([none.status, none.json], [404, { error: 'Not Found' }])
    const absent = await alice.put(path, {})
    assert.deepEqual([absent.status, absent.json], [404, { error: 'Not Found' }])
    const body = {
      subscription: { endpoint, keys },
      data: { alerts: { mention: true, follow: '0' }, policy: 'followed' },
    }
    const made = await alice.post(path, body)
    const { id } = made.json as { id: number }
    const entity = { id, endpoint, standard: false, alerts: { mention: true, follow: false } }
    const known = { server_key: instance.configuration.vapid.public_key, policy: 'followed' }
    assert.equal(typeof id, 'number')
    assert.deepEqual([made.status, made.json], [200, { ...entity, ...known }])
    assert.equal(made.headers.get('cache-control'), 'private, no-store')
    assert.deepEqual((await alice.get(path)).json, made.json)
    const changed = await alice.put(path, {
      subscription: { endpoint: `${endpoint}2`, keys: {}, standard: true },
      data: { alerts: { 'admin.sign_up': true }, policy: 'none' },
    })
    assert.deepEqual(changed.json, { ...entity, ...known, alerts: { 'admin.sign_up': true }, policy: 'none' })
    const reset = await alice.patch(path, {})
    assert.deepEqual(reset.json, { ...entity, ...known, alerts: {}, policy: 'all' })
    assert.deepEqual((await alice.get(path)).json, reset.json)
    for (const _ of [1, 2]) {
      const removed = await alice.delete(path)
      assert.deepEqual([removed.status, removed.json], [200, {}])
    }
    assert.equal((await alice.get(path)).status, 404)
  }
})

test('forms equal JSON, keys may be in any base64 alphabet, and every type can be chosen', async t => {
  const { alice } = await people(t, 'alice')
  const form = new URLSearchParams({
    'subscription[endpoint]': endpoint,
    'subscription[keys][p256dh]': P256DH.toString('base64'),
    'subscription[keys][auth]': AUTH.toString('base64'),
    'subscription[standard]': 'true',
    policy: 'follower',
  })
  for (const type of NOTIFICATION_TYPES) form.append(`data[alerts][${type}]`, '1')
  form.append('data[alerts][nonsense]', '1')
  const { json } = await alice.post(PATH, form)
  const made = json as Record<string, unknown>
  assert.deepEqual(made['alerts'], Object.fromEntries(NOTIFICATION_TYPES.map(type => [type, true])))
  assert.deepEqual([made['standard'], made['policy']], [true, 'follower'])
  const both = await alice.put(PATH, { policy: 'none', data: { policy: 'followed' } })
  assert.equal((both.json as { policy: string }).policy, 'followed')
})

test('a user has at most fifty subscriptions; those of tokens that were not used go', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const subscription = { endpoint, keys }
  await bob.post(PATH, { subscription })
  const clients: Client[] = []
  for (let count = 0; count < 51; count += 1)
    clients.push(new Client(server, await makeToken(server, alice.userId, ['push'])))
  const isThere = async (at: number): Promise<boolean> => (await clients[at]?.get(PATH))?.status === 200
  for (const client of clients.slice(0, 50)) assert.equal((await client.post(PATH, { subscription })).status, 200)
  const age = `update push_subscriptions set updated_at = now() - interval '1 year' where user_id = $1`
  await sql(server, age, [alice.userId])
  const used = `update oauth_tokens k set last_used_at = now() - interval '2 days' - interval '1 hour' * p.place
    from (select token_id, row_number() over (order by id desc) as place from push_subscriptions where user_id = $1) p
    where k.id = p.token_id and p.place <> 50`
  await sql(server, used, [alice.userId])
  const first = `update oauth_tokens k set last_used_at = now() from push_subscriptions p
    where p.token_id = k.id and p.id = (select min(id) from push_subscriptions where user_id = $1)`
  await sql(server, first, [alice.userId])
  assert.equal((await clients[49]?.post(PATH, { subscription }))?.status, 200, 'one that is replaced')
  assert.equal((await clients[50]?.post(PATH, { subscription }))?.status, 200)
  const count = 'select count(*)::integer as count from push_subscriptions where user_id = $1'
  assert.deepEqual(await sql(server, count, [alice.userId]), [{ count: 50 }])
  assert.deepEqual(await Promise.all([0, 1, 2, 49, 50].map(isThere)), [true, false, true, true, true])
  assert.equal((await bob.get(PATH)).status, 200)
})

test('a token has one subscription, which the next one replaces', async t => {
  const { alice, server } = await people(t, 'alice')
  for (const path of PATHS) {
    const first = (await alice.post(path, { subscription: { endpoint, keys }, data: { alerts: { poll: true } } })).json
    const second = await alice.post(path, { subscription: { endpoint: `${endpoint}2`, keys, standard: true } })
    assert.deepEqual(second.json, { ...(first as object), endpoint: `${endpoint}2`, standard: true, alerts: {} })
    const other = new Client(server, await makeToken(server, alice.userId, ['push']))
    assert.equal((await other.get(path)).status, 404)
    assert.equal((await other.post(path, { subscription: { endpoint, keys } })).status, 200)
    assert.deepEqual((await alice.get(path)).json, second.json)
    await alice.delete(path)
  }
})

test('invalid parameters are refused', async t => {
  for (const path of PATHS) {
    const { alice } = await people(t, 'alice')
    const refuses = async (body: unknown, status: number, error: string): Promise<void> => {
      const response = await alice.post(path, body)
      assert.deepEqual([response.status, response.json], [status, { error }], JSON.stringify(body))
    }
    const missing = (name: string): string => `param is missing or the value is empty or invalid: ${name}`
    const badKeys = 'Validation failed: is not a valid Ed25519 or Curve25519 key'
    for (const subscription of [undefined, 'x', {}, [1]]) await refuses({ subscription }, 400, missing('subscription'))
    for (const data of ['x', 1, [1]]) await refuses({ subscription: { endpoint, keys }, data }, 400, missing('data'))
    for (const bad of [
      'push.example',
      'ftp://push.example/',
      'https://',
      'mailto:a@push.example',
      'https://a:b@push.example/',
    ]) {
      await refuses({ subscription: { endpoint: bad, keys } }, 422, 'Validation failed: Endpoint is invalid')
    }
    await refuses({ subscription: { keys } }, 422, "Validation failed: Endpoint can't be blank")
    await refuses(
      { subscription: { endpoint, keys: { auth: keys.auth } } },
      422,
      "Validation failed: Key p256dh can't be blank",
    )
    await refuses(
      { subscription: { endpoint, keys: { p256dh: keys.p256dh } } },
      422,
      "Validation failed: Key auth can't be blank",
    )
    const offCurve = Buffer.from(P256DH)
    offCurve[64] = (offCurve[64] ?? 0) ^ 1
    for (const p256dh of ['x', '€', keys.auth, offCurve.toString('base64url'), `${keys.p256dh}AA`]) {
      await refuses({ subscription: { endpoint, keys: { ...keys, p256dh } } }, 422, badKeys)
    }
    await refuses({ subscription: { endpoint, keys: { ...keys, auth: 'AAAA' } } }, 422, badKeys)
    const policy = 'Validation failed: Policy is not included in the list'
    await refuses({ subscription: { endpoint, keys }, data: { policy: 'friends' } }, 422, policy)
    assert.equal((await alice.get(path)).status, 404)
    await alice.post(path, { subscription: { endpoint, keys } })
    const put = await alice.put(path, { data: 'x' })
    assert.deepEqual([put.status, put.json], [400, { error: missing('data') }])
  }
})

test('subscriptions need the scope push and a user', async t => {
  const { alice, anonymous, server } = await people(t, 'alice')
  const outside = new Client(server, await makeToken(server, alice.userId, ['read', 'write', 'follow']))
  const application = new Client(server, await makeToken(server, null, ['push']))
  const calls = (client: Client) =>
    Promise.all(PATHS.flatMap(path => [client.post(path, {}), client.get(path), client.put(path), client.delete(path)]))
  for (const { status, json } of await calls(outside)) {
    assert.deepEqual([status, json], [403, { error: 'This action is outside the authorized scopes' }])
  }
  for (const { status, json } of await calls(anonymous)) {
    assert.deepEqual([status, json], [401, { error: 'The access token is invalid' }])
  }
  for (const { status } of await calls(application)) assert.equal(status, 422)
})

test('the token of a subscription is stored encrypted', async t => {
  const { alice, server } = await people(t, 'alice')
  await alice.post(PATH, { subscription: { endpoint, keys } })
  const [row] = await sql(
    server,
    'select row_to_json(p)::text as row, sealed_token from push_subscriptions p where user_id = $1',
    [alice.userId],
  )
  const sealed = row?.['sealed_token'] as Buffer
  assert.ok(alice.token !== undefined && sealed.length > alice.token.length)
  assert.ok(!sealed.includes(alice.token) && !String(row?.['row']).includes(alice.token))
})

test('an invalid unsubscribe link gets the same response as a valid one', async t => {
  const { anonymous } = await people(t)
  for (const link of ['x', 'a.b', 'MSAyIDM.AAAA']) {
    const response = await anonymous.delete(`/api/web/push_subscriptions/${link}`)
    assert.deepEqual([response.status, response.text], [200, ''])
  }
})
