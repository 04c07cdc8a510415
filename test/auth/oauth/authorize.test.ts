import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { Browser, readHtml, type Page } from '../../support/browser.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { person, sql, waitForEventLog } from '../../support/people.ts'
import { PASSWORD, personWithPassword, registerApplication, type TestApplication } from '../../support/oauth.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'

const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'
const VERIFIER = 'a-verifier-that-is-long-enough-to-be-hard-to-guess'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

interface Setting {
  server: TestServer
  app: TestApplication
  browser: Browser
  username: string
}

/** Creates a signed-in browser and an application. */
async function setting(change: Record<string, unknown> = {}): Promise<Setting> {
  const server = await sharedServer()
  const [app, alice] = await Promise.all([registerApplication(server, change), personWithPassword(server, 'alice')])
  const browser = new Browser(server)
  const { status, location } = await browser.signIn(alice.email, PASSWORD)
  assert.deepEqual([status, location], [303, '/'])
  return { server, app, browser, username: alice.username }
}

function authorizePath(app: TestApplication, change: Record<string, string | undefined> = {}): string {
  const parameters = { response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri, ...change }
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`
}

const exchange = (server: TestServer, app: TestApplication, code: string, change = {}): Promise<ClientResponse> =>
  new Client(server).post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: app.redirect_uri,
    code,
    ...change,
  })

const parametersOf = (location: string): Record<string, string> =>
  Object.fromEntries(new URL(location).searchParams.entries())

const approve = async ({ browser, app }: Setting, change: Record<string, string | undefined> = {}): Promise<Page> =>
  browser.submit(await browser.get(authorizePath(app, change)), '/oauth/authorize')

const errorOf = (answer: ClientResponse): unknown => (answer.json as Record<string, unknown>)['error']

test('a user signs in and consents, and the application gets a token with PKCE', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server, { client_name: 'Tapir <3' })
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  const path = authorizePath(app, { scope: 'read write', state: 'a b&c', ...PKCE })
  const first = await browser.get(path)
  assert.deepEqual([first.status, first.location], [302, '/auth/sign_in'])
  const signedIn = await browser.signIn(alice.email.toUpperCase(), PASSWORD)
  assert.equal(signedIn.status, 303)
  assert.ok(signedIn.location.startsWith('/oauth/authorize?client_id='), signedIn.location)
  const consent = await browser.get(signedIn.location)
  assert.equal(consent.status, 200)
  assert.equal(consent.headers.get('cache-control'), 'private, no-store')
  assert.equal(consent.headers.get('x-frame-options'), 'DENY')
  assert.match(consent.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(!consent.text.includes('<3') && readHtml(consent.text).includes('Authorize Tapir <3?'))
  assert.ok(consent.text.includes(`@${alice.username}@`))
  const { status, location } = await browser.submit(consent, '/oauth/authorize')
  assert.equal(status, 302)
  assert.ok(location.startsWith('https://app.example/callback?'))
  const { code = '', state } = parametersOf(location)
  assert.match(code, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(state, 'a b&c')
  const stored = await sql(server, 'select g::text as row from oauth_grants g')
  assert.ok(!stored.some(({ row }) => String(row).includes(code)))

  const missing = await exchange(server, app, code)
  assert.deepEqual(
    [missing.status, missing.json],
    [400, { error: 'invalid_request', error_description: 'Missing required parameter: code_verifier.' }],
  )
  assert.equal(errorOf(await exchange(server, app, code, { code_verifier: 'wrong' })), 'invalid_grant')
  const answer = await exchange(server, app, code, { code_verifier: VERIFIER, scope: 'push' })
  assert.equal(answer.status, 200, answer.text)
  const token = answer.json as Record<string, string>
  assert.equal(token['scope'], 'read write')
  for (const secret of [token['access_token'], app.client_id, app.client_secret])
    assert.match(String(secret), /^[A-Za-z0-9_-]{43}$/)
  const holder = new Client(server, token['access_token'])
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  assert.equal(errorOf(await exchange(server, app, code, { code_verifier: VERIFIER })), 'invalid_grant')
})

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
    const answer = await exchange(server, app, code, change)
    assert.deepEqual([answer.status, errorOf(answer)], [status, error])
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

test('a repeated authorization skips the consent page and returns the same token', async () => {
  const given = await setting()
  const { server, app, browser } = given
  const scope = 'read write'
  const first = await approve(given, { scope })
  const token = await exchange(server, app, parametersOf(first.location)['code'] ?? '')
  const straight = await browser.get(authorizePath(app, { scope: 'write read', state: 's' }))
  assert.equal(straight.status, 302)
  assert.equal(parametersOf(straight.location)['state'], 's')
  const again = await exchange(server, app, parametersOf(straight.location)['code'] ?? '')
  const secret = (answer: ClientResponse): unknown => (answer.json as Record<string, unknown>)['access_token']
  assert.equal(secret(again), secret(token))
  assert.equal((await browser.get(authorizePath(app, { scope, force_login: 'true' }))).status, 200)
  assert.equal((await browser.get(authorizePath(app, { scope: 'read' }))).status, 200, 'other scopes need consent')
})

test('a code can be shown for copying', async () => {
  const given = await setting({ redirect_uris: OUT_OF_BAND })
  const { status, location } = await approve(given)
  assert.equal(status, 302)
  const code = /^\/oauth\/authorize\/native\?code=([A-Za-z0-9_-]{43})$/.exec(location)?.[1] ?? ''
  const page = await given.browser.get(location)
  assert.match(page.text, new RegExp(`<input[^>]*value="${code}"[^>]*readonly`))
  assert.equal((await exchange(given.server, given.app, code)).status, 200)
  const stranger = await new Browser(given.server).get(location)
  assert.deepEqual([stranger.status, stranger.location], [302, '/auth/sign_in'])
})

test('the response parameters are sent in the query, the fragment or a form', async () => {
  const given = await setting({ redirect_uris: 'https://app.example/callback?kept=1' })
  const query = await approve(given, { state: 'x' })
  assert.deepEqual(Object.keys(parametersOf(query.location)), ['kept', 'code', 'state'])
  const fragment = await approve(given, { response_mode: 'fragment', state: 'x' })
  assert.match(fragment.location, /^https:\/\/app\.example\/callback\?kept=1#code=[^&]{43}&state=x$/)
  const posted = await approve(given, { response_mode: 'form_post', state: '"><' })
  assert.equal(posted.status, 200)
  const [form] = posted.forms
  assert.equal(form?.action, 'https://app.example/callback?kept=1')
  assert.deepEqual([Object.keys(form.fields), form.fields['state']], [['code', 'state'], '"><'])
})

test('the consent page is in the language of the user', async () => {
  const { app, browser } = await setting({ scopes: 'read write:statuses' })
  const requestPath = authorizePath(app, { scope: 'read write:statuses' })
  const texts = {
    en: ['Read all of your account’s data', 'Publish and delete posts'],
    de: ['Alle Daten Ihres Kontos lesen', 'Beiträge veröffentlichen und löschen'],
    fr: ['Lire toutes les données de votre compte', 'Publier et supprimer des messages'],
  }
  for (const [language, expected] of Object.entries(texts)) {
    const page = readHtml((await browser.get(requestPath, { 'accept-language': language })).text)
    for (const text of expected) assert.ok(page.includes(text), `${language}: ${text}`)
  }
  const refused = await browser.get(authorizePath(app, { scope: 'nonsense' }), { 'accept-language': 'de' })
  assert.match(refused.text, /Diese Anwendung kann nicht autorisiert werden[\s\S]*invalid_scope/)
})

test('a user can deny the authorization', async () => {
  const given = await setting({ redirect_uris: ['https://app.example/callback', OUT_OF_BAND] })
  const app = { ...given.app, redirect_uri: 'https://app.example/callback' }
  const page = await given.browser.get(authorizePath(app, { state: 'x' }))
  const { status, location } = await given.browser.submit(page, '/oauth/authorize', {}, 'delete')
  assert.equal(status, 302)
  const description = 'The resource owner or authorization server denied the request.'
  assert.deepEqual(parametersOf(location), { error: 'access_denied', error_description: description, state: 'x' })
  const native = await given.browser.get(authorizePath({ ...app, redirect_uri: OUT_OF_BAND }, { state: 'x' }))
  const refused = await given.browser.submit(native, '/oauth/authorize', {}, 'delete')
  assert.equal(refused.status, 400)
  const body = { error: 'access_denied', error_description: description, state: 'x' }
  assert.deepEqual(JSON.parse(refused.text), body)
})

const CLIENT_TEXT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
const SCOPE_TEXT = 'The requested scope is invalid, unknown, or malformed.'
const GRANT_TEXT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'
const METHOD_TEXT = 'The code_challenge_method must be S256.'

// In the order of the checks: each request also contains all later faults.
const FAULTS: readonly [status: number, error: string, text: string, fault: Record<string, string | undefined>][] = [
  [400, 'invalid_request', 'Missing required parameter: client_id.', { client_id: undefined }],
  [401, 'invalid_client', CLIENT_TEXT, { client_id: 'unknown' }],
  [400, 'invalid_redirect_uri', 'The redirect uri included is not valid.', { redirect_uri: 'https://evil.example/' }],
  [400, 'invalid_redirect_uri', 'The redirect uri included is not valid.', { redirect_uri: undefined }],
  [400, 'invalid_redirect_uri', 'The redirect uri included is not valid.', { redirect_uri: 'https://[app.example' }],
  [400, 'invalid_request', 'Missing required parameter: response_type.', { response_type: undefined }],
  [
    400,
    'unsupported_response_type',
    'The authorization server does not support this response type.',
    { response_type: 'token' },
  ],
  [
    400,
    'unsupported_response_mode',
    'The authorization server does not support this response mode.',
    { response_mode: 'x' },
  ],
  [400, 'invalid_scope', SCOPE_TEXT, { scope: 'write:statuses' }],
  [400, 'invalid_scope', SCOPE_TEXT, { scope: 'nonsense' }],
  [400, 'invalid_code_challenge_method', METHOD_TEXT, { code_challenge: CHALLENGE }],
  [400, 'invalid_code_challenge_method', METHOD_TEXT, { code_challenge: 'x', code_challenge_method: 'plain' }],
]

test('a faulty request shows an error page and never redirects', async t => {
  const { app, browser } = await setting()
  for (const [index, [status, error, text, fault]] of FAULTS.entries()) {
    await t.test(`${error}: ${text}`, async () => {
      let later: Record<string, string | undefined> = {}
      for (const [, , , more] of FAULTS.slice(index)) later = { ...more, ...later }
      const page = await browser.get(authorizePath(app, { ...later, ...fault }))
      assert.equal(page.status, status)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.ok(readHtml(page.text).includes(text), page.text)
    })
  }
})

test('a visitor who must sign in first learns of the application, or that it is unknown', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server, { client_name: 'Tapir <3' })
  const browser = new Browser(server)
  const unknown = await browser.get(authorizePath(app, { client_id: 'unknown' }))
  assert.deepEqual([unknown.status, unknown.location], [401, ''])
  assert.doesNotMatch((await browser.get('/auth/sign_in')).text, /asks to use your account/)
  assert.equal((await browser.get(authorizePath(app))).location, '/auth/sign_in')
  const page = await browser.get('/auth/sign_in')
  assert.match(
    page.text,
    /<strong>Tapir &lt;3<\/strong> asks to use your account\. [^<]*<strong>127\.0\.0\.1:\d+<\/strong>/,
  )
})

test('a faulty form redirects to the application when that is safe, otherwise it answers JSON', async t => {
  const { app, browser } = await setting()
  const page = await browser.get(authorizePath(app, { state: 'x' }))
  for (const [status, error, text, fault] of FAULTS) {
    await t.test(`${error}: ${text}`, async () => {
      const blanked = Object.fromEntries(Object.entries(fault).map(([name, value]) => [name, value ?? '']))
      const answer = await browser.submit(page, '/oauth/authorize', blanked)
      const body = { error, error_description: text }
      if ('client_id' in fault || 'redirect_uri' in fault) {
        assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, body])
      } else {
        assert.equal(answer.status, 302)
        assert.deepEqual(parametersOf(answer.location), { ...body, state: 'x' })
      }
    })
  }
})

test('every error for a code to copy is JSON', async () => {
  const { app, browser } = await setting({ redirect_uris: OUT_OF_BAND })
  const page = await browser.get(authorizePath(app))
  for (const [status, error, text, fault] of FAULTS) {
    const blanked = Object.fromEntries(Object.entries(fault).map(([name, value]) => [name, value ?? '']))
    const answer = await browser.submit(page, '/oauth/authorize', blanked)
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, { error, error_description: text }])
  }
})

test('a form without its CSRF token, or with that of another browser, is refused', async () => {
  const { app, browser, server } = await setting()
  const page = await browser.get(authorizePath(app))
  const stranger = await setting()
  const theirs = await stranger.browser.get(authorizePath(stranger.app))
  const token = theirs.forms.find(({ action }) => action === '/oauth/authorize')?.fields['authenticity_token'] ?? ''
  for (const authenticity_token of ['', 'x.y', token]) {
    const refused = await browser.submit(page, '/oauth/authorize', { authenticity_token })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Unprocessable Content/)
  }
  const json = await browser.post('/oauth/authorize', {}, { accept: 'application/json' })
  assert.deepEqual([json.status, JSON.parse(json.text)], [422, { error: 'Unprocessable Content' }])
  const anonymous = await new Browser(server).post('/oauth/authorize', {})
  assert.equal(anonymous.status, 422)
})

// The registered URI, the requested one, and whether they match.
const REDIRECTS: readonly [string, string, boolean][] = [
  ['https://app.example/callback', 'https://app.example/callback', true],
  ['https://app.example/callback', 'https://app.example/callback/', false],
  ['https://app.example/callback', 'https://app.example/Callback', false],
  ['https://app.example/callback', 'https://app.example/callback?x=1', false],
  ['https://app.example/callback', 'https://app.example/callback#x', false],
  ['https://app.example/callback', '//app.example/callback', false],
  ['https://app.example/callback', 'app.example/callback', false],
  ['https://app.example/callback', 'https:///callback', false],
  ['https://app.example/callback', 'https:/callback', false],
  ['https://app.example/callback', 'https://app.example:8443/callback', false],
  ['https://app.example/callback', 'http://app.example/callback', false],
  ['https://app.example/callback', 'https://app.example.evil.example/callback', false],
  ['https://app.example/callback', 'https://app.example@evil.example/callback', false],
  ['https://app.example/?a=1&b=2', 'https://app.example/?b=2&a=1', true],
  ['http://127.0.0.1/callback', 'http://127.0.0.1:51234/callback', true],
  ['http://127.0.0.1:1/callback', 'http://127.0.0.1:2/callback', true],
  ['http://127.0.0.1/callback', 'http://127.0.0.2:2/callback', false],
  ['http://[::1]/callback', 'http://[::1]:51234/callback', true],
  ['http://localhost/callback', 'http://localhost:51234/callback', false],
  ['http://192.0.2.1/callback', 'http://192.0.2.1:81/callback', false],
  ['app://callback', 'app://callback', true],
  ['com.example.app:/callback', 'com.example.app:/callback', true],
  [OUT_OF_BAND, OUT_OF_BAND, true],
  [OUT_OF_BAND, `${OUT_OF_BAND}:auto`, false],
]

test('redirect URIs match exactly, except for the order of parameters and the port of loopback addresses', async () => {
  const { server, browser } = await setting()
  for (const [registered, given, matches] of REDIRECTS) {
    const app = await registerApplication(server, { redirect_uris: registered })
    const { status } = await browser.get(authorizePath(app, { redirect_uri: given }))
    assert.equal(status, matches ? 200 : 400, `${registered} and ${given}`)
  }
})

test('users who cannot use the server yet are redirected to the page that explains why', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server)
  for (const [user, place] of [
    [{ confirmed_at: null }, '/auth/setup'],
    [{ approved: false }, '/auth/edit'],
    [{ disabled: true }, '/auth/edit'],
  ] as const) {
    const bob = await personWithPassword(server, 'bob', { user })
    const browser = new Browser(server)
    await browser.signIn(bob.email, PASSWORD)
    assert.equal((await browser.get(authorizePath(app))).location, place)
    assert.equal((await browser.get('/oauth/authorized_applications')).status, 200)
  }
  const [role] = await sql(server, `insert into roles (name, require_2fa) values ('Careful', true) returning id`)
  const carol = await personWithPassword(server, 'carol', { user: { role_id: role?.['id'] } })
  const browser = new Browser(server)
  await browser.signIn(carol.email, PASSWORD)
  assert.match((await browser.get(authorizePath(app))).location, /^\/settings\/two_factor_authentication_methods/)
})

test('an application of the server itself needs no consent', async () => {
  const { server, app, browser } = await setting()
  await sql(server, 'update applications set superapp = true where id = $1', [app.id])
  const { status, location } = await browser.get(authorizePath(app))
  assert.deepEqual([status, Object.keys(parametersOf(location))], [302, ['code']])
})

test('withdrawing an application ends its push subscriptions and streams; a suspended user may not', async () => {
  const given = await setting()
  const { server, browser, app, username } = given
  const answer = await exchange(
    server,
    app,
    parametersOf((await approve(given, { scope: 'read push' })).location)['code'] ?? '',
  )
  const holder = new Client(server, (answer.json as Record<string, string>)['access_token'])
  const second = await exchange(
    server,
    app,
    parametersOf((await approve(given, { scope: 'read' })).location)['code'] ?? '',
  )
  const { code: unused = '' } = parametersOf((await approve(given, { scope: 'write' })).location)
  const stream = await holder.stream('user')
  await sql(
    server,
    `insert into push_subscriptions (user_id, token_id, endpoint, key_p256dh, key_auth, sealed_token)
     select t.user_id, t.id, 'https://push.example/withdrawn', 'x', 'x', '\\x00' from oauth_tokens t where t.application_id = $1`,
    [app.id],
  )
  const page = await browser.get('/oauth/authorized_applications')
  await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.equal((await stream.end()).code, 1000)
  assert.deepEqual(await sql(server, `select 1 from push_subscriptions where endpoint like '%withdrawn'`), [])
  const other = new Client(server, (second.json as Record<string, string>)['access_token'])
  for (const client of [holder, other]) assert.equal((await client.get('/api/v1/apps/verify_credentials')).status, 401)
  assert.equal(errorOf(await exchange(server, app, unused)), 'invalid_grant')
  await sql(
    server,
    `with gone as (update accounts set suspended_at = now() where username = $1 returning id)
     insert into events (kind, account_id, data) select 'account.changed', id, '{"change": "suspended"}' from gone`,
    [username],
  )
  const witness = await person(server, 'witness')
  await waitForEventLog(witness)
  await witness.close()
  const refused = await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.equal(refused.status, 403)
})

test('a user sees the authorized applications and revokes one', async () => {
  const given = await setting({ client_name: 'Withdrawn' })
  const { server, browser, app } = given
  const answer = await exchange(server, app, parametersOf((await approve(given)).location)['code'] ?? '')
  const holder = new Client(server, (answer.json as Record<string, string>)['access_token'])
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  const { client_id, client_secret, client_secret_expires_at, ...known } = app as TestApplication &
    Record<string, unknown>
  const secrets = [client_id, client_secret, client_secret_expires_at]
  assert.deepEqual((await holder.get('/api/v1/apps/verify_credentials')).json, known)
  assert.deepEqual([known['scopes'], secrets.includes(undefined)], [['read', 'write', 'push', 'profile'], false])
  const page = await browser.get('/oauth/authorized_applications')
  assert.equal(page.headers.get('cache-control'), 'private, no-store')
  assert.match(page.text, /Withdrawn/)
  const listed = JSON.parse((await browser.get('/oauth/authorized_applications', { accept: 'application/json' })).text)
  assert.equal(listed.length >= 1 && listed.some((one: { id: string }) => one.id === app.id), true)
  const withdrawn = await browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  assert.deepEqual([withdrawn.status, withdrawn.location], [302, '/oauth/authorized_applications'])
  const after = await holder.get('/api/v1/apps/verify_credentials')
  assert.deepEqual([after.status, after.json], [401, { error: 'The access token was revoked' }])
  const stranger = await new Browser(server).get('/oauth/authorized_applications')
  assert.deepEqual([stranger.status, stranger.location], [302, '/auth/sign_in'])
})

test('/oauth/applications answers 403', async () => {
  const client = new Client(await sharedServer())
  for (const path of ['', '/new', '/1', '/1/edit']) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, text } = await client.request(method, `/oauth/applications${path}`)
      assert.deepEqual([status, text], [403, ''])
    }
  }
})
