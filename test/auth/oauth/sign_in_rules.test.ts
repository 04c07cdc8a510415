import assert from 'node:assert/strict'
import { test } from 'tap'
import { seal, unseal } from '../../../src/auth/sessions/index.ts'
import { codeAt, stepAt } from '../../../src/auth/two_factor/totp.ts'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, sharedServer, startServer, type ServerAddress } from '../../support/server.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const OTP = { otp_secret: SECRET, otp_enabled_at: new Date() }

const cookieSecretOf = async (server: ServerAddress): Promise<string> =>
  String((await sql(server, `select value from secrets where name = 'cookie_secret'`))[0]?.['value'])

test('the sign-in form links to sign-up when that is open, to new passwords and to confirmations', async t => {
  const linksOf = async (server: ServerAddress): Promise<boolean[]> => {
    const { text } = await new Browser(server).get('/auth/sign_in')
    return ['sign_up', 'password/new', 'confirmation/new'].map(path => text.includes(`href="/auth/${path}"`))
  }
  assert.deepEqual(await linksOf(await startServer(t, OPEN_REGISTRATIONS)), [true, true, true])
  const closed = await startServer(t, { settings: { registrations_mode: 'none' } })
  assert.deepEqual(await linksOf(closed), [false, true, true])
})

test('who signs in comes to the requested page, is recorded, and never returns to a landing page', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const secret = await cookieSecretOf(server)
  for (const [path, location] of [
    ['/settings/profile', '/settings/profile'],
    ['/about', '/'],
    ['/explore', '/'],
  ] as const) {
    const browser = new Browser(server)
    assert.equal((await browser.get('/settings/profile')).location, '/auth/sign_in')
    const memory = JSON.parse(unseal(secret, 'memory', browser.cookies.get('_mastodon_session') ?? '') ?? '')
    browser.cookies.set('_mastodon_session', seal(secret, 'memory', JSON.stringify({ ...memory, returnTo: path })))
    const response = await browser.signIn(alice.email, PASSWORD)
    assert.deepEqual([response.status, response.location], [303, location])
    assert.ok(browser.cookies.has('_session_id'))
  }
  const noted = await sql(server, 'select method, success from login_activities where user_id = $1', [alice.userId])
  assert.deepEqual(
    noted,
    Array.from({ length: 3 }, () => ({ method: 'password', success: true })),
  )
})

test('who fails the second factor ten times in an hour gets one e-mail and cannot sign in', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const alice = await personWithPassword(server, 'alice', { user: OTP })
  const attempt = async (code: string): Promise<[text: string, signedIn: boolean]> => {
    const browser = new Browser(server)
    const asked = await browser.signIn(alice.email, PASSWORD)
    const { text } = await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
    return [text, browser.cookies.has('_session_id')]
  }
  for (let failures = 0; failures < 12; failures += 1) await attempt('000')
  const [text, signedIn] = await attempt(codeAt(SECRET, stepAt(Date.now())))
  assert.match(text, /Too many authentication attempts, try again later\./)
  assert.equal(signedIn, false)
  await mail.email(alice.email, /second factor|two-factor/i)
  const jobs = () => sql(server, 'select from graphile_worker.jobs where run_at <= now()')
  await until(jobs, left => left.length === 0, 'the jobs')
  assert.equal(mail.count(alice.email), 1)
  const failed = await sql(server, 'select success from login_activities where user_id = $1', [alice.userId])
  assert.deepEqual(failed, [{ success: false }])
})

test('signing in to another account while a second factor is pending begins anew', async () => {
  const server = await sharedServer()
  const careful = await personWithPassword(server, 'careful', { user: OTP })
  const [plain, other] = [
    await personWithPassword(server, 'plain'),
    await personWithPassword(server, 'other', { user: { ...OTP, otp_secret: 'MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK' } }),
  ]
  const browser = new Browser(server)
  await browser.signIn(careful.email, PASSWORD)
  const asked = await browser.signIn(other.email, PASSWORD)
  const code = codeAt(SECRET, stepAt(Date.now()))
  await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
  assert.equal(browser.cookies.has('_session_id'), false, 'the code of the first account does not count')
  assert.equal((await browser.signIn(plain.email, PASSWORD)).status, 303)
  const edit = await browser.get('/auth/edit')
  assert.ok(readHtml(edit.text).includes(plain.email))
})

test('a confirmed password is not asked for again within an hour', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const path = '/settings/two_factor_authentication_methods'
  const isAsked = async (): Promise<boolean> =>
    (await browser.get(path)).text.includes('form_challenge[current_password]')
  assert.equal(await isAsked(), true)
  const asked = await browser.get(path)
  await browser.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
  const secret = await cookieSecretOf(server)
  for (const [minutes, again] of [
    [59, false],
    [61, true],
  ] as const) {
    const memory = JSON.parse(unseal(secret, 'memory', browser.cookies.get('_mastodon_session') ?? '') ?? '')
    const challenged = { ...memory.challenged, at: Date.now() - minutes * 60_000 }
    browser.cookies.set('_mastodon_session', seal(secret, 'memory', JSON.stringify({ ...memory, challenged })))
    assert.equal(await isAsked(), again, `after ${minutes} minutes`)
  }
})

test('the consent page names application, account and scopes, and works without PKCE', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server, { client_name: 'Plain client' })
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const wanted = { response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri }
  const query = new URLSearchParams({ ...wanted, scope: 'read write push', state: 'kept' }).toString()
  const page = await browser.get(`/oauth/authorize?${query}`)
  const text = readHtml(page.text)
  for (const named of ['Plain client', `@${alice.username}@`, 'read', 'write', 'push', 'Authorize', 'Deny'])
    assert.ok(text.includes(named), named)
  assert.doesNotMatch(page.headers.get('content-security-policy') ?? '', /form-action/)
  const forms = page.forms.filter(({ action }) => action === '/oauth/authorize')
  assert.equal(forms.length, 2)
  const hidden = { ...wanted, scope: 'read write push', state: 'kept', code_challenge: '', code_challenge_method: '' }
  for (const { fields } of forms)
    for (const [name, value] of Object.entries(hidden)) assert.equal(fields[name], value, name)
  const { location } = await browser.submit(page, '/oauth/authorize')
  const response = await new Client(server).post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: app.redirect_uri,
    code: new URL(location).searchParams.get('code'),
  })
  assert.equal(response.status, 200, response.text)

  await sql(server, `update oauth_tokens set last_used_at = '2026-01-02' where application_id = $1`, [app.id])
  const held = await browser.get('/oauth/authorized_applications')
  const [entry = ''] = held.text.match(/<li class="entry">[\s\S]*?<\/li>/g) ?? []
  for (const named of ['Plain client', 'push read write', '2026-01-02']) assert.ok(entry.includes(named), named)
  assert.ok(held.forms.some(({ action, fields }) => action.endsWith(`/${app.id}`) && fields['_method'] === 'delete'))
})
