import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { codeAt, stepAt } from '../../../../src/auth/two_factor/totp.ts'
import { Browser, type Page } from '../../../support/browser.ts'
import { Client, type ClientResponse } from '../../../support/client.ts'
import { PASSWORD, personWithPassword, registerApplication, type TestApplication } from '../../../support/oauth.ts'
import { connect, waitForLocks } from '../../../support/other_transaction.ts'
import { sql, type Person } from '../../../support/people.ts'
import { sharedServer, type TestServer } from '../../../support/server.ts'
import { NEW_PASSWORD, openReset } from './password_reset.ts'
import { Authenticator } from '../../security_keys/authenticator.ts'
import { approve, authorizePath, errorOf, exchange, parametersOf, type Setting } from '../../oauth/authorization.ts'

/* A password reset at the same moment as requests that give access. */

type Owner = Person & { email: string }
type World = Setting & { alice: Owner }

/** A person who is signed in, and an application. */
async function world(user: Record<string, unknown> = {}): Promise<World> {
  const server = await sharedServer()
  const app = await registerApplication(server)
  const alice = await personWithPassword(server, 'alice', { user })
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  return { server, app, browser, username: alice.username, alice }
}

const exchangePassword = (server: TestServer, app: TestApplication, email: string): Promise<ClientResponse> =>
  new Client(server).post('/oauth/token', {
    grant_type: 'password',
    client_id: app.client_id,
    client_secret: app.client_secret,
    username: email,
    password: PASSWORD,
  })

/** The status of a request with the token that was issued. */
async function useOf(server: TestServer, { json }: ClientResponse): Promise<number> {
  const token = String((json as Record<string, unknown>)['access_token'])
  return (await new Client(server, token).get('/api/v1/accounts/verify_credentials')).status
}

const codeOf = async (given: World, scope = 'read'): Promise<string> =>
  parametersOf((await approve(given, { scope })).location)['code'] ?? ''

const resets = (page: Page): void => assert.deepEqual([page.status, page.location], [303, '/auth/sign_in'])

/** Runs a request while a reset has changed the password and is not committed. */
async function duringReset<T>(t: Test, given: World, act: () => Promise<T>): Promise<T> {
  const send = await openReset(given.server, given.alice.userId)
  const other = await connect(t, given.server)
  await other.query('begin')
  await other.query('select from oauth_tokens where user_id = $1 for update', [given.alice.userId])
  const reset = send()
  await waitForLocks(given.server, 1, reset)
  const acting = act()
  await waitForLocks(given.server, 2, acting)
  await other.query('commit')
  resets(await reset)
  return acting
}

test('a token is not issued for a password that is being reset', async t => {
  const given = await world()
  const { server, app, alice } = given
  const response = await duringReset(t, given, () => exchangePassword(server, app, alice.email))
  assert.deepEqual([response.status, errorOf(response)], [400, 'invalid_grant'])
})

test('a token is not issued for a code that a password reset is revoking', async t => {
  const given = await world()
  const code = await codeOf(given)
  const response = await duringReset(t, given, () => exchange(given.server, given.app, code))
  assert.deepEqual([response.status, errorOf(response)], [400, 'invalid_grant'])
})

test('a code is not made in a session that a password reset is ending', async t => {
  const given = await world()
  const { browser, app } = given
  const page = await browser.get(authorizePath(app))
  const { status, location } = await duringReset(t, given, () => browser.submit(page, '/oauth/authorize'))
  assert.deepEqual([status, location], [302, '/auth/sign_in'])
})

test('a browser is not signed in with a password that is being reset', async t => {
  const given = await world()
  const browser = new Browser(given.server)
  const page = await duringReset(t, given, () => browser.signIn(given.alice.email, PASSWORD))
  assert.equal(page.status, 200)
  assert.match(page.text, /Invalid E-mail address or password\./)
  assert.equal(browser.cookies.has('_session_id'), false)
  const seen = await sql(given.server, 'select from login_activities where user_id = $1', [given.alice.userId])
  assert.equal(seen.length, 1, 'only the first sign-in')
})

test('a second factor does not complete a sign-in whose password was reset', async () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const given = await world({ otp_secret: secret, otp_enabled_at: new Date() })
  const browser = new Browser(given.server)
  const asked = await browser.signIn(given.alice.email, PASSWORD)
  resets(await (await openReset(given.server, given.alice.userId))())
  const code = codeAt(secret, stepAt(Date.now()))
  const page = await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
  assert.equal(page.status, 200)
  assert.match(page.text, /Invalid E-mail address or password\./)
  assert.equal(browser.cookies.has('_session_id'), false)
})

test('a session that a password reset is ending changes no password', async t => {
  const given = await world()
  const { browser, server, alice } = given
  const page = await browser.get('/auth/edit')
  const stolen = 'a horse of somebody else'
  const fields = {
    'user[password]': stolen,
    'user[password_confirmation]': stolen,
    'user[current_password]': PASSWORD,
  }
  const refused = await duringReset(t, given, () => browser.submit(page, '/auth', fields, 'put'))
  assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'])
  assert.equal((await new Browser(server).signIn(alice.email, NEW_PASSWORD)).status, 303)
})

test('a session that a password reset is ending requests no other address', async t => {
  const given = await world()
  const { browser, server, alice } = given
  const page = await browser.get('/auth/edit')
  const fields = { 'user[email]': 'thief@example.com', 'user[current_password]': PASSWORD }
  const refused = await duringReset(t, given, () => browser.submit(page, '/auth', fields, 'put'))
  assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'])
  const [user] = await sql(server, 'select unconfirmed_email from users where id = $1', [alice.userId])
  assert.equal(user?.['unconfirmed_email'], null)
})

test('a token that a password reset is revoking requests no other address', async t => {
  const given = await world()
  const { server, app, alice } = given
  const waits = 'update users set confirmed_at = null, created_by_application_id = $2 where id = $1'
  await sql(server, waits, [alice.userId, app.id])
  await sql(server, 'update oauth_tokens set application_id = $2 where user_id = $1', [alice.userId, app.id])
  const path = '/api/v1/emails/confirmations'
  const refused = await duringReset(t, given, () => alice.post(path, { email: 'thief@example.com' }))
  assert.deepEqual([refused.status, errorOf(refused)], [401, 'The access token was revoked'])
  const [user] = await sql(server, 'select unconfirmed_email from users where id = $1', [alice.userId])
  assert.equal(user?.['unconfirmed_email'], null)
})

test('a session that a password reset is ending makes no token of an application', async t => {
  const given = await world()
  const { browser, server, alice } = given
  const form = await browser.get('/settings/applications/new')
  const fields = { 'application[name]': 'Mine', 'application[scopes]': 'read' }
  const made = await browser.submit(form, '/settings/applications', fields)
  const path = made.forms.find(({ action }) => action.endsWith('/token'))?.action ?? ''
  const page = await duringReset(t, given, () => browser.submit(made, path))
  assert.deepEqual([page.status, page.location], [302, '/auth/sign_in'])
  const live = await sql(server, 'select from oauth_tokens where user_id = $1 and revoked_at is null', [alice.userId])
  assert.equal(live.length, 0)
})

test('a session that a password reset is ending neither deletes nor moves the account', async t => {
  for (const [path, form] of [
    ['/settings/delete', 'form_delete_confirmation'],
    ['/settings/migration', 'account_migration'],
    ['/settings/migration/redirect', 'redirect'],
  ] as const) {
    const given = await world()
    const { browser, server, alice } = given
    const target = await personWithPassword(server, 'target')
    await sql(server, 'insert into account_aliases (account_id, alias_account_id) values ($1, $2)', [
      target.id,
      alice.id,
    ])
    const page = await browser.get(path.replace(/\/redirect$/, ''))
    const deletes = path === '/settings/delete'
    const fields = deletes
      ? { [`${form}[password]`]: PASSWORD }
      : { [`${form}[current_password]`]: PASSWORD, [`${form}[acct]`]: target.username }
    const method = deletes ? 'delete' : undefined
    const refused = await duringReset(t, given, () => browser.submit(page, path, fields, method))
    assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'], path)
    const kept = await sql(
      server,
      'select from accounts where id = $1 and moved_to_account_id is null and deletion_requested_at is null',
      [alice.id],
    )
    assert.equal(kept.length, 1, path)
  }
})

/** Opens a page of the settings for which the password has to be confirmed. */
async function openChallenged({ browser }: World, path: string): Promise<Page> {
  const asked = await browser.get(path)
  await browser.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
  return browser.get(path)
}

test('a session that a password reset is ending sets up no second factor', async t => {
  const given = await world()
  const { browser, server, alice } = given
  const overview = await openChallenged(given, '/settings/two_factor_authentication_methods')
  const scan = await browser.get((await browser.submit(overview, '/settings/otp_authentication')).location)
  const secret = /<p class="code whole">([A-Z2-7 ]+)<\/p>/.exec(scan.text)?.[1]?.replaceAll(' ', '') ?? ''
  const fields = { 'form_two_factor_confirmation[otp_attempt]': codeAt(secret, stepAt(Date.now())) }
  const confirm = '/settings/two_factor_authentication/confirmation'
  const refused = await duringReset(t, given, () => browser.submit(scan, confirm, fields))
  assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'])
  assert.equal((await new Browser(server).signIn(alice.email, NEW_PASSWORD)).status, 303)
})

test('a session that a password reset is ending neither gets recovery codes nor ends the second factor', async t => {
  for (const path of [
    '/settings/two_factor_authentication/recovery_codes',
    '/settings/two_factor_authentication_methods/disable',
  ]) {
    const given = await world()
    const { browser, server, alice } = given
    await sql(server, 'update users set otp_enabled_at = now() where id = $1', [alice.userId])
    const overview = await openChallenged(given, '/settings/two_factor_authentication_methods')
    const refused = await duringReset(t, given, () => browser.submit(overview, path))
    assert.deepEqual([refused.status, refused.location], [302, '/auth/sign_in'], path)
    const [user] = await sql(
      server,
      'select otp_enabled_at is not null as enabled, otp_backup_code_hashes as codes from users where id = $1',
      [alice.userId],
    )
    assert.deepEqual(user, { enabled: true, codes: [] })
  }
})

test('a session that a password reset is ending adds no security key', async t => {
  const path = '/settings/security_keys'
  const given = await world()
  const { browser, server, alice } = given
  await sql(server, 'update users set otp_enabled_at = now() where id = $1', [alice.userId])
  const page = await openChallenged(given, path)
  const { challenge } = JSON.parse((await browser.get(`${path}/options`)).text) as { challenge: string }
  const security_key = { nickname: 'New key', credential: new Authenticator(server.url).create(challenge) }
  const refused = await duringReset(t, given, () => browser.sendJson(page, path, { security_key }))
  assert.deepEqual(JSON.parse(refused.text), { redirect_path: '/auth/sign_in' })
  const keys = await sql(server, 'select nickname from security_keys where user_id = $1', [alice.userId])
  assert.deepEqual(keys, [])
})

/** Lets a request that gives access wait at its last statement, and resets the password then. */
async function resetDuring<T>(t: Test, given: World, act: () => Promise<T>): Promise<T> {
  const send = await openReset(given.server, given.alice.userId)
  const other = await connect(t, given.server)
  await other.query('begin')
  await other.query('select from applications where id = $1 for update', [given.app.id])
  const acting = act()
  await waitForLocks(given.server, 1, acting)
  const reset = send()
  await waitForLocks(given.server, 2, reset)
  await other.query('commit')
  resets(await reset)
  return acting
}

test('a password reset revokes a token that is being issued for the password', async t => {
  const given = await world()
  const { server, app, alice } = given
  const response = await resetDuring(t, given, () => exchangePassword(server, app, alice.email))
  assert.deepEqual([response.status, await useOf(server, response)], [200, 401])
})

test('a password reset revokes a token that is being issued for a code', async t => {
  const given = await world()
  const { server, app } = given
  const code = await codeOf(given)
  const response = await resetDuring(t, given, () => exchange(server, app, code))
  assert.deepEqual([response.status, await useOf(server, response)], [200, 401])
})

test('a password reset revokes a code that is being made', async t => {
  const given = await world()
  const { server, app, browser } = given
  const page = await browser.get(authorizePath(app))
  const { location } = await resetDuring(t, given, () => browser.submit(page, '/oauth/authorize'))
  const response = await exchange(server, app, parametersOf(location)['code'] ?? '')
  assert.deepEqual([response.status, errorOf(response)], [400, 'invalid_grant'])
})

test('the withdrawal of an authorization revokes a token that is being issued', async t => {
  const given = await world()
  const { server, app, browser } = given
  const codes = [await codeOf(given), await codeOf(given, 'write')]
  assert.equal((await exchange(server, app, codes[0] ?? '')).status, 200)
  const page = await browser.get('/oauth/authorized_applications')
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from applications where id = $1 for update', [app.id])
  // Another scope, for which there is no token yet that could be returned.
  const exchanging = exchange(server, app, codes[1] ?? '')
  await waitForLocks(server, 1, exchanging)
  const withdrawing = browser.submit(page, `/oauth/authorized_applications/${app.id}`, {}, 'delete')
  await waitForLocks(server, 2, withdrawing)
  await other.query('commit')
  assert.equal((await withdrawing).status, 302)
  const response = await exchanging
  assert.deepEqual([response.status, await useOf(server, response)], [200, 401])
})
