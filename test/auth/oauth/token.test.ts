import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, sql } from '../../support/people.ts'
import { PASSWORD, personWithPassword, registerApplication, type TestApplication } from '../../support/oauth.ts'
import { sharedServer, startServer, type ServerAddress } from '../../support/server.ts'

const INVALID_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'

async function application(change: Record<string, unknown> = {}): Promise<{ app: TestApplication; client: Client }> {
  const server = await sharedServer()
  return { app: await registerApplication(server, change), client: new Client(server) }
}

const credentials = (app: TestApplication): Record<string, string> => ({
  client_id: app.client_id,
  client_secret: app.client_secret,
})

const basic = (app: TestApplication): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
})

function assertRefused(response: ClientResponse, status: number, error: string, description: string): void {
  assert.deepEqual(
    { status: response.status, json: response.json },
    { status, json: { error, error_description: description } },
  )
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const challenge = `Bearer realm="Doorkeeper", error="${error}", error_description="${description}"`
  assert.equal(response.headers.get('www-authenticate'), challenge)
}

const secretOf = (response: ClientResponse): string =>
  String((response.json as Record<string, unknown>)['access_token'])

test('an application gets its own token by parameters or HTTP Basic, in form, JSON or query', async () => {
  const { app, client } = await application()
  const grant_type = 'client_credentials'
  const answers = [
    await client.post('/oauth/token', { grant_type, ...credentials(app) }),
    await client.post('/oauth/token', new URLSearchParams({ grant_type, ...credentials(app) })),
    await client.request('POST', '/oauth/token', { query: { grant_type, ...credentials(app) } }),
    await client.post('/oauth/token', { grant_type, client_id: 'ignored' }, basic(app)),
  ]
  for (const response of answers) {
    assert.equal(response.status, 200, response.text)
    const token = response.json as Record<string, unknown>
    assert.deepEqual(Object.keys(token), ['access_token', 'token_type', 'scope', 'created_at'])
    assert.match(String(token['access_token']), /^[A-Za-z0-9_-]{43}$/)
    assert.equal(token['token_type'], 'Bearer')
    assert.equal(token['scope'], 'read')
    assert.ok(Math.abs(Number(token['created_at']) - Date.now() / 1000) < 100)
    assert.equal(response.headers.get('cache-control'), 'no-store, no-cache')
    assert.equal(response.headers.get('pragma'), 'no-cache')
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
  }
  assert.equal(new Set(answers.map(secretOf)).size, 1, 'the same application and scopes have the same token')
})

test('the database does not store tokens and client secrets in plain text', async () => {
  const { app, client } = await application()
  const secret = secretOf(await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app) }))
  const rows = await sql(
    client.server,
    'select t::text as row from oauth_tokens t union all select a::text from applications a',
  )
  for (const { row } of rows) {
    assert.ok(!String(row).includes(secret))
    assert.ok(!String(row).includes(app.client_secret))
  }
})

test('an application gets only the scopes that it registered', async () => {
  const { app, client } = await application({ scopes: 'write push' })
  const ask = (scope?: string): Promise<ClientResponse> =>
    client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app), scope })
  const granted = await ask('push write')
  assert.equal((granted.json as Record<string, unknown>)['scope'], 'push write')
  const text = 'The requested scope is invalid, unknown, or malformed.'
  assertRefused(await ask(), 400, 'invalid_scope', text)
  assertRefused(await ask('write:statuses'), 400, 'invalid_scope', text)
  assertRefused(await ask('nonsense'), 400, 'invalid_scope', text)
})

test('an invalid token request gets the matching OAuth error', async () => {
  const { app, client } = await application()
  const ask = (body: Record<string, unknown>): Promise<ClientResponse> => client.post('/oauth/token', body)
  const missing = (name: string): string => `Missing required parameter: ${name}.`
  const grant_type = 'authorization_code'
  assertRefused(await ask(credentials(app)), 400, 'invalid_request', missing('grant_type'))
  for (const unsupported of ['refresh_token', 'implicit', 'x']) {
    const text = 'The authorization grant type is not supported by the authorization server.'
    assertRefused(await ask({ grant_type: unsupported, ...credentials(app) }), 400, 'unsupported_grant_type', text)
  }
  assertRefused(await ask({ grant_type, ...credentials(app) }), 400, 'invalid_request', missing('code'))
  assertRefused(
    await ask({ grant_type, code: 'x', ...credentials(app) }),
    400,
    'invalid_request',
    missing('redirect_uri'),
  )
  const complete = { grant_type, code: 'x', redirect_uri: app.redirect_uri }
  assertRefused(await ask(complete), 401, 'invalid_client', INVALID_CLIENT)
  const withoutSecret = { ...complete, client_id: app.client_id }
  assertRefused(await ask(withoutSecret), 401, 'invalid_client', INVALID_CLIENT)
  const wrong = { ...credentials(app), client_secret: 'wrong' }
  assertRefused(await ask({ ...complete, ...wrong }), 401, 'invalid_client', INVALID_CLIENT)
  assertRefused(await ask({ grant_type: 'client_credentials', ...wrong }), 401, 'invalid_client', INVALID_CLIENT)
  const { json } = await ask({ ...complete, ...credentials(app) })
  assert.equal((json as Record<string, unknown>)['error'], 'invalid_grant')
})

test('the password grant gives a token to confirmed users only', async () => {
  const { app, client } = await application()
  const alice = await personWithPassword(client.server, 'alice')
  const ask = (change: Record<string, unknown> = {}): Promise<ClientResponse> =>
    client.post('/oauth/token', {
      grant_type: 'password',
      ...credentials(app),
      username: alice.email.toUpperCase(),
      password: PASSWORD,
      scope: 'read write',
      ...change,
    })
  const response = await ask()
  assert.equal(response.status, 200, response.text)
  const me = await new Client(client.server, secretOf(response)).get('/oauth/token/info')
  assert.equal((me.json as Record<string, unknown>)['resource_owner_id'], Number(alice.userId))
  for (const change of [{ password: 'wrong' }, { username: 'nobody@example.com' }, { password: 'x'.repeat(5000) }]) {
    const refused = await ask(change)
    assert.equal(refused.status, 400)
    assert.equal((refused.json as Record<string, unknown>)['error'], 'invalid_grant')
  }
  const unconfirmed = await personWithPassword(client.server, 'new', { user: { confirmed_at: null } })
  assert.equal((await ask({ username: unconfirmed.email })).status, 400)
})

test('password attempts are limited', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const app = await registerApplication(server)
  const alice = await personWithPassword(server, 'alice')
  const guess = (password: string): Promise<ClientResponse> =>
    new Client(server).post('/oauth/token', {
      grant_type: 'password',
      ...credentials(app),
      username: alice.email,
      password,
    })
  for (let tries = 0; tries < 25; tries += 1) assert.equal((await guess('wrong')).status, 400)
  const refused = await guess(PASSWORD)
  assert.deepEqual([refused.status, refused.json], [429, { error: 'Too many requests' }])
})

test('a revoked token is refused with another error than an unknown one', async () => {
  const { app, client } = await application()
  const secret = secretOf(await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app) }))
  const holder = new Client(client.server, secret)
  const { status, json } = await holder.get('/api/v1/apps/verify_credentials')
  assert.equal(status, 200)
  const keys = ['id', 'name', 'website', 'scopes', 'redirect_uris', 'redirect_uri', 'vapid_key']
  assert.deepEqual(Object.keys(json as object), keys)
  const revoke = (body: Record<string, unknown>, headers = {}): Promise<ClientResponse> =>
    client.post('/oauth/revoke', body, headers)
  const refused = await revoke({ token: secret })
  assertRefused(refused, 403, 'unauthorized_client', 'You are not authorized to revoke this token')
  const other = await registerApplication(client.server)
  for (const stranger of [credentials(other), { ...credentials(app), client_secret: 'wrong' }])
    assertRefused(
      await revoke({ token: secret, ...stranger }),
      403,
      'unauthorized_client',
      'You are not authorized to revoke this token',
    )
  assert.equal((await revoke({ token: secret, token_type_hint: 'refresh_token', ...credentials(app) })).text, '{}')
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  assert.equal((await revoke({ token: secret }, basic(app))).text, '{}')
  const after = await holder.get('/api/v1/apps/verify_credentials')
  assert.deepEqual([after.status, after.json], [401, { error: 'The access token was revoked' }])
  for (const token of [secret, 'unknown', undefined])
    assert.equal((await revoke({ token, ...credentials(app) })).text, '{}')
  const stranger = await new Client(client.server, 'unknown').get('/api/v1/apps/verify_credentials')
  assert.deepEqual([stranger.status, stranger.json], [401, { error: 'The access token is invalid' }])
  assert.equal((await client.get('/api/v1/apps/verify_credentials')).status, 401)
  const again = await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app) })
  assert.notEqual(secretOf(again), secret)
})

test('a revocation takes effect in other processes', async t => {
  const { app, client } = await application()
  const other = await startServer(t, { databaseUrl: client.server.databaseUrl })
  const secret = secretOf(await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app) }))
  const holder = new Client(other, secret)
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  await client.post('/oauth/revoke', { token: secret, ...credentials(app) })
  const deadline = Date.now() + 10_000
  let status = 200
  while (status === 200 && Date.now() < deadline) {
    status = (await holder.get('/api/v1/apps/verify_credentials')).status
  }
  assert.equal(status, 401)
})

test('token info describes a token to its holder, whatever its scopes', async t => {
  const { alice, server } = await people(t, 'alice')
  const push = new Client(server, await makeToken(server, alice.userId, ['push']))
  const { json } = await push.get('/oauth/token/info')
  const info = json as Record<string, unknown>
  assert.deepEqual(Object.keys(info), ['resource_owner_id', 'scope', 'expires_in', 'application', 'created_at'])
  assert.deepEqual(info['scope'], ['push'])
  assert.equal((await push.get('/api/v1/apps/verify_credentials')).status, 200)
  const ownToken = await new Client(server, await makeToken(server, null, [])).get('/oauth/token/info')
  const { resource_owner_id, scope } = ownToken.json as Record<string, unknown>
  assert.deepEqual([ownToken.status, resource_owner_id, scope], [200, null, []])
  const body = { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' }
  for (const token of [undefined, 'unknown', await revokedToken(server, alice.userId)]) {
    const { status, json: refused } = await new Client(server, token).get('/oauth/token/info')
    assert.deepEqual([status, refused], [401, body], token)
  }
})

/** A token that was revoked before anybody used it. */
async function revokedToken(server: ServerAddress, userId: string | null): Promise<string> {
  const token = await makeToken(server, userId)
  await sql(server, 'update oauth_tokens set revoked_at = now() where token_hash = $1', [
    createHash('sha256').update(token).digest(),
  ])
  return token
}

test('introspection describes a token only to its own application', async () => {
  const { app, client } = await application()
  const ask = async (scope: string): Promise<string> =>
    secretOf(await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app), scope }))
  const inspected = await ask('push')
  const bearer = await ask('write')
  const introspect = (token: string | undefined, body = {}, headers = {}): Promise<ClientResponse> =>
    client.post('/oauth/introspect', { token, ...body }, headers)
  const live = await introspect(inspected, credentials(app))
  const about = live.json as Record<string, unknown>
  assert.deepEqual(Object.keys(about), ['active', 'scope', 'client_id', 'token_type', 'iat'])
  assert.deepEqual([about['active'], about['scope'], about['client_id']], [true, 'push', app.client_id])
  assert.equal(about['token_type'], 'Bearer')
  assert.ok(Math.abs(Number(about['iat']) - Date.now() / 1000) < 100)
  const byBearer = await introspect(inspected, {}, { authorization: `Bearer ${bearer}` })
  assert.deepEqual(byBearer.json, live.json)
  const other = await registerApplication(client.server)
  assert.deepEqual((await introspect(inspected, credentials(other))).json, { active: false })
  assert.deepEqual((await introspect('unknown', credentials(app))).json, { active: false })
  const revoked = await ask('read')
  await client.post('/oauth/revoke', { token: revoked, ...credentials(app) })
  const gone = await introspect(revoked, credentials(app))
  assert.deepEqual([gone.status, gone.json], [200, { active: false }])
  const nobody = await introspect(inspected)
  const text = 'Request need to be authorized. Required parameter for authorizing request is missing or invalid.'
  assertRefused(nobody, 400, 'invalid_request', text)
  assertRefused(
    await introspect(inspected, { ...credentials(app), client_secret: 'x' }),
    401,
    'invalid_client',
    INVALID_CLIENT,
  )
  const foreign = await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(other) })
  for (const secret of [inspected, 'unknown', revoked, secretOf(foreign)]) {
    const refused = await introspect(inspected, {}, { authorization: `Bearer ${secret}` })
    const body = { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' }
    assert.deepEqual([refused.status, refused.json], [401, body])
  }
})

test('userinfo needs the scope profile and a user', async t => {
  const { alice, server } = await people(t, 'alice')
  const userinfo = async (userId: string | null, scopes: string[], method = 'GET'): Promise<ClientResponse> =>
    new Client(server, await makeToken(server, userId, scopes)).request(method, '/oauth/userinfo')
  for (const method of ['GET', 'POST']) {
    const { status, json } = await userinfo(alice.userId, ['profile'], method)
    assert.equal(status, 200)
    const claims = json as Record<string, unknown>
    assert.deepEqual(Object.keys(claims), ['iss', 'sub', 'name', 'preferred_username', 'profile', 'picture'])
    assert.equal(claims['iss'], `${server.url}/`)
    assert.equal(claims['preferred_username'], alice.username)
    assert.equal(claims['profile'], `${server.url}/@${alice.username}`)
  }
  for (const method of ['GET', 'POST'])
    for (const scope of ['read', 'read:accounts']) {
      const outside = await userinfo(alice.userId, [scope], method)
      assert.deepEqual([outside.status, outside.json], [403, { error: 'This action is outside the authorized scopes' }])
    }
  const nobody = await userinfo(null, ['profile'])
  assert.deepEqual([nobody.status, nobody.json], [422, { error: 'This method requires an authenticated user' }])
})

test('the authorization server metadata lists scopes and grant types', async () => {
  const server = await sharedServer()
  const { status, json, headers } = await new Client(server).get('/.well-known/oauth-authorization-server')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  const metadata = json as Record<string, unknown>
  assert.equal(metadata['issuer'], `${server.url}/`)
  assert.equal(metadata['token_endpoint'], `${server.url}/oauth/token`)
  assert.equal((metadata['scopes_supported'] as string[]).length, 47)
  assert.deepEqual(metadata['response_types_supported'], ['code'])
  assert.deepEqual(metadata['response_modes_supported'], ['query', 'fragment', 'form_post'])
  assert.deepEqual(metadata['grant_types_supported'], ['authorization_code', 'client_credentials'])
  assert.deepEqual(metadata['token_endpoint_auth_methods_supported'], ['client_secret_basic', 'client_secret_post'])
  assert.deepEqual(metadata['code_challenge_methods_supported'], ['S256'])
  assert.equal(metadata['service_documentation'], 'https://docs.joinmastodon.org/')
  assert.equal(metadata['app_registration_endpoint'], `${server.url}/api/v1/apps`)
})

test('a closed server registers applications and describes its authorization', async t => {
  const server = await startServer(t, { settings: { disallow_unauthenticated_api_access: true } })
  const client = new Client(server)
  assert.equal((await client.get('/api/v1/custom_emojis')).status, 401)
  assert.equal((await client.get('/.well-known/oauth-authorization-server')).status, 200)
  const app = await registerApplication(server)
  const token = await client.post('/oauth/token', { grant_type: 'client_credentials', ...credentials(app) })
  assert.equal(token.status, 200)
})
