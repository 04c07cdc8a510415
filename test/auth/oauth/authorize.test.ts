import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { sharedServer } from '../../support/server.ts'
import {
  VERIFIER,
  PKCE,
  setting,
  authorizePath,
  exchange,
  parametersOf,
  approve,
  errorOf,
  CLIENT_TEXT,
} from './authorization.ts'

const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob'

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
  const response = await exchange(server, app, code, { code_verifier: VERIFIER, scope: 'push' })
  assert.equal(response.status, 200, response.text)
  const token = response.json as Record<string, string>
  assert.equal(token['scope'], 'read write')
  for (const secret of [token['access_token'], app.client_id, app.client_secret])
    assert.match(String(secret), /^[A-Za-z0-9_-]{43}$/)
  const holder = new Client(server, token['access_token'])
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  assert.equal(errorOf(await exchange(server, app, code, { code_verifier: VERIFIER })), 'invalid_grant')
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
  const secret = (response: ClientResponse): unknown => (response.json as Record<string, unknown>)['access_token']
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
  // A browser runs the script that submits the form only if its text, with white space, has the
  // hash of the policy.
  const script = /<script>(.*?)<\/script>/s.exec(posted.text)?.[1]
  assert.match(script ?? '', /submit\(\)/)
  const hash = createHash('sha256')
    .update(script ?? '')
    .digest('base64')
  assert.ok(posted.headers.get('content-security-policy')?.includes(`script-src 'sha256-${hash}'`))
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

const SCOPE_TEXT = 'The requested scope is invalid, unknown, or malformed.'
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
  [400, 'invalid_code_challenge_method', METHOD_TEXT, { code_challenge: PKCE.code_challenge }],
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
      const response = await browser.submit(page, '/oauth/authorize', blanked)
      const body = { error, error_description: text }
      if ('client_id' in fault || 'redirect_uri' in fault) {
        assert.deepEqual([response.status, JSON.parse(response.text)], [status, body])
      } else {
        assert.equal(response.status, 302)
        assert.deepEqual(parametersOf(response.location), { ...body, state: 'x' })
      }
    })
  }
})

test('every error for a code to copy is JSON', async () => {
  const { app, browser } = await setting({ redirect_uris: OUT_OF_BAND })
  const page = await browser.get(authorizePath(app))
  for (const [status, error, text, fault] of FAULTS) {
    const blanked = Object.fromEntries(Object.entries(fault).map(([name, value]) => [name, value ?? '']))
    const response = await browser.submit(page, '/oauth/authorize', blanked)
    assert.deepEqual([response.status, JSON.parse(response.text)], [status, { error, error_description: text }])
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
