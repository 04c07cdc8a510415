import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { Client } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import { registerApplication } from '../../support/oauth.ts'
import {
  VERIFIER,
  PKCE,
  setting,
  exchange,
  parametersOf,
  approve,
  errorOf,
  CLIENT_TEXT,
  GRANT_TEXT,
} from './authorization.ts'

test('a code is valid only for its application, redirect URI and verifier, before it expires', async () => {
  const given = await setting({ redirect_uris: ['https://app.example/callback', 'https://app.example/other'] })
  const { server } = given
  const app = { ...given.app, redirect_uri: 'https://app.example/callback' }
  const { location } = await approve({ ...given, app })
  const { code = '' } = parametersOf(location)
  const other = await registerApplication(server)
  for (const [change, status, error] of [
    [{ client_id: other.client_id, client_secret: other.client_secret }, 400, 'invalid_grant'],
    [{ redirect_uri: 'https://app.example/other' }, 400, 'invalid_grant'],
    [{ code_verifier: VERIFIER }, 400, 'invalid_grant'],
    [{ client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ redirect_uri: '' }, 400, 'invalid_request'],
  ] as const) {
    const response = await exchange(server, app, code, change)
    assert.deepEqual([response.status, errorOf(response)], [status, error])
  }
  assert.equal((await exchange(server, app, code)).status, 200)
  const second = parametersOf((await approve({ ...given, app }, { scope: 'write' })).location)['code'] ?? ''
  const [life] = await sql(
    server,
    'select extract(epoch from expires_at - created_at)::integer as seconds from oauth_grants where revoked_at is null',
  )
  assert.deepEqual(life, { seconds: 600 })
  await sql(server, `update oauth_grants set expires_at = now() - interval '1 second' where revoked_at is null`)
  assert.equal(errorOf(await exchange(server, app, second)), 'invalid_grant')
})

test('the scopes that the user granted are the scopes of the token, whatever the exchange asks for', async () => {
  const given = await setting()
  for (const scope of [undefined, 'read', 'push', 'admin:write']) {
    const { code = '' } = parametersOf((await approve(given, { scope: 'read write', force_login: 'true' })).location)
    const { json } = await exchange(given.server, given.app, code, { scope })
    assert.equal((json as Record<string, unknown>)['scope'], 'read write', scope)
  }
})

test('an exchange is checked in order: code, parameters, client, grant, redirect URI, verifier', async () => {
  const given = await setting()
  const { server, app } = given
  const { code = '' } = parametersOf((await approve(given, PKCE)).location)
  const other = await registerApplication(server)
  const refusals: readonly [status: number, error: string, fault: Record<string, string>][] = [
    [400, 'Missing required parameter: code.', { code: '' }],
    [400, 'Missing required parameter: code_verifier.', { code_verifier: '' }],
    [400, 'Missing required parameter: redirect_uri.', { redirect_uri: '' }],
    [401, CLIENT_TEXT, { client_secret: 'wrong' }],
    [400, GRANT_TEXT, { client_id: other.client_id, client_secret: other.client_secret }],
    [400, GRANT_TEXT, { redirect_uri: 'https://app.example/other' }],
    [400, GRANT_TEXT, { code_verifier: 'wrong' }],
  ]
  for (const [index, [status, text, fault]] of refusals.entries()) {
    let later: Record<string, string> = { code_verifier: VERIFIER }
    // The faults of others are not more faults of this exchange.
    for (const [, , more] of refusals.slice(index + 1).reverse()) later = { ...later, ...more }
    const { status: found, json } = await exchange(server, app, code, { ...later, ...fault })
    assert.deepEqual([found, (json as Record<string, unknown>)['error_description']], [status, text])
  }
  assert.equal((await exchange(server, app, code, { code_verifier: VERIFIER })).status, 200)
})

test('of several simultaneous exchanges of one code, one succeeds', async () => {
  const given = await setting()
  const { code = '' } = parametersOf((await approve(given)).location)
  const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(given.server, given.app, code)))
  assert.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 400, 400, 400],
  )
})

test('reusing a code revokes its token and ends its streams and push subscriptions', async () => {
  const given = await setting()
  const { server, app } = given
  const { code = '' } = parametersOf((await approve(given)).location)
  const { json } = await exchange(server, app, code)
  const holder = new Client(server, String((json as Record<string, unknown>)['access_token']))
  assert.equal((await holder.get('/oauth/token/info')).status, 200)
  const stream = await holder.stream('user')
  await sql(
    server,
    `insert into push_subscriptions (user_id, token_id, endpoint, key_p256dh, key_auth, sealed_token)
     select g.user_id, g.token_id, 'https://push.example/', 'x', 'x', '\\x00' from oauth_grants g where g.token_id is not null
       and g.code_hash = $1`,
    [createHash('sha256').update(code).digest()],
  )
  for (const change of [{ redirect_uri: 'https://app.example/other' }, { client_secret: 'wrong' }]) {
    await exchange(server, app, code, change)
    assert.equal((await holder.get('/oauth/token/info')).status, 200, 'only a reuse by the application itself counts')
  }
  assert.equal(errorOf(await exchange(server, app, code)), 'invalid_grant')
  await stream.end()
  const refused = await holder.get('/api/v1/apps/verify_credentials')
  assert.deepEqual([refused.status, errorOf(refused)], [401, 'The access token was revoked'])
  const left = await sql(server, `select 1 from push_subscriptions where endpoint = 'https://push.example/'`)
  assert.deepEqual(left, [])
  const next = await exchange(server, app, parametersOf((await approve(given)).location)['code'] ?? '')
  const fresh = new Client(server, String((next.json as Record<string, unknown>)['access_token']))
  assert.equal((await fresh.get('/api/v1/apps/verify_credentials')).status, 200)
})

test('reusing a code leaves a token that other codes gave too', async () => {
  const given = await setting()
  const { server, app } = given
  const codes: string[] = []
  const tokens = new Set<unknown>()
  for (const _ of ['a phone', 'a browser']) {
    const { code = '' } = parametersOf((await approve(given, { force_login: 'true' })).location)
    codes.push(code)
    tokens.add(((await exchange(server, app, code)).json as Record<string, unknown>)['access_token'])
  }
  assert.equal(tokens.size, 1)
  const holder = new Client(server, String([...tokens][0]))
  for (const code of codes) {
    assert.equal(errorOf(await exchange(server, app, code)), 'invalid_grant')
    assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  }
})

test('a challenge that no verifier has, such as one beyond ASCII, is an invalid grant', async () => {
  const given = await setting()
  for (const challenge of [`é${'a'.repeat(42)}`, `é${'a'.repeat(41)}`, 'a'.repeat(43), 'a']) {
    const approved = await approve(given, { ...PKCE, code_challenge: challenge })
    const { code = '' } = parametersOf(approved.location)
    const response = await exchange(given.server, given.app, code, { code_verifier: VERIFIER })
    assert.deepEqual([response.status, errorOf(response)], [400, 'invalid_grant'], challenge)
  }
})
