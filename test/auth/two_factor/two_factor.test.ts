import assert from 'node:assert/strict'
import { test } from 'tap'
import { codeAt, stepAt } from '../../../src/auth/two_factor/totp.ts'
import { Browser, readHtml, type Page } from '../../support/browser.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'
import { signedIn } from '../../support/signed_in.ts'
import { waitForMail } from '../../accounts/waiting.ts'

const OVERVIEW = '/settings/two_factor_authentication_methods'
const BEGIN = '/settings/otp_authentication'
const CONFIRM = '/settings/two_factor_authentication/confirmation'
const CODES = '/settings/two_factor_authentication/recovery_codes'

/** Opens a page of the settings and confirms the password. */
async function openChallenged(browser: Browser, path: string): Promise<Page> {
  const asked = await browser.get(path)
  assert.match(asked.text, /form_challenge\[current_password\]/)
  const passed = await browser.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
  assert.deepEqual([passed.status, passed.location], [302, path])
  return browser.get(path)
}

const secretOn = (page: Page): string =>
  /<p class="code whole">([A-Z2-7 ]+)<\/p>/.exec(page.text)?.[1]?.replaceAll(' ', '') ?? ''

const codesOn = (page: Page): string[] =>
  [...page.text.matchAll(/<code class="code whole">(\w+)<\/code>/g)].map(([, code = '']) => code)

const codeNow = (secret: string, steps = 0): string => codeAt(secret, stepAt(Date.now()) + steps)

async function enrol(browser: Browser, overview: Page): Promise<{ secret: string; codes: string[]; page: Page }> {
  const begun = await browser.submit(overview, BEGIN)
  assert.deepEqual([begun.status, begun.location], [302, `${CONFIRM}/new`])
  const scan = await browser.get(begun.location)
  const secret = secretOn(scan)
  const field = 'form_two_factor_confirmation[otp_attempt]'
  const wrong = await browser.submit(scan, CONFIRM, { [field]: '000000' })
  assert.equal(secretOn(wrong), secret, 'a wrong code shows the same secret again')
  const page = await browser.submit(scan, CONFIRM, { [field]: codeNow(secret) })
  return { secret, codes: codesOn(page), page }
}

async function signInWith(server: TestServer, email: string, code: string): Promise<boolean> {
  const browser = new Browser(server)
  const asked = await browser.signIn(email, PASSWORD)
  await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
  return browser.cookies.has('_session_id')
}

test('two-factor authentication is set up, used, given new recovery codes and switched off', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const overview = await openChallenged(browser, OVERVIEW)
  const { secret, codes, page } = await enrol(browser, overview)
  assert.match(page.text, /Two-factor authentication is on/)
  assert.equal(new Set(codes).size, 10)
  assert.match(await waitForMail(server, alice.email), /Subject: Two-factor authentication is on/)
  const [stored] = await sql(server, 'select otp_backup_code_hashes as hashes from users where id = $1', [alice.userId])
  assert.ok(!JSON.stringify(stored).includes(codes[0] ?? '-'), 'codes are not stored')

  assert.equal(await signInWith(server, alice.email, codeNow(secret)), false, 'the code of the confirmation is used')
  assert.equal(await signInWith(server, alice.email, codeNow(secret, 1)), true, 'a clock may be half a minute ahead')
  assert.equal(await signInWith(server, alice.email, codeNow(secret, 2)), false)
  assert.equal(await signInWith(server, alice.email, ` ${codes[0]?.toUpperCase() ?? ''} `), true)
  assert.equal(await signInWith(server, alice.email, codes[0] ?? ''), false, 'each recovery code works once')
  assert.match((await browser.get(OVERVIEW)).text, /9 codes have not been used/)

  const renewed = codesOn(await browser.submit(await browser.get(OVERVIEW), CODES))
  assert.equal(renewed.length, 10)
  assert.equal(await signInWith(server, alice.email, codes[1] ?? ''), false)
  assert.equal(await signInWith(server, alice.email, renewed[1] ?? ''), true)

  const off = await browser.submit(await browser.get(OVERVIEW), `${OVERVIEW}/disable`)
  assert.deepEqual([off.status, off.location], [302, OVERVIEW])
  assert.equal((await new Browser(server).signIn(alice.email, PASSWORD)).status, 303)
  assert.match(await waitForMail(server, alice.email), /switched off/)
})

test('the secret is shown as an inline QR code for half an hour', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  assert.equal((await browser.get(BEGIN)).location, OVERVIEW)
  const begun = await browser.submit(await openChallenged(browser, OVERVIEW), BEGIN)
  const scan = await browser.get(begun.location)
  assert.match(scan.text, /<div class="qr" role="img" aria-label="QR code for your authenticator app"><svg /)
  assert.equal(secretOn(scan).length, 32)
  assert.ok(!scan.text.includes('style='), 'the content security policy forbids inline styles')
  await sql(server, `update users set otp_pending_at = now() - interval '31 minutes' where id = $1`, [alice.userId])
  assert.equal((await browser.get(begun.location)).location, OVERVIEW, 'the secret expires after half an hour')
})

test('the settings of two-factor authentication ask for the password again', async t => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  assert.equal((await browser.get(OVERVIEW)).location, '/auth/sign_in')
  const back = await browser.signIn(alice.email, PASSWORD)
  assert.equal(back.location, OVERVIEW)
  const asked = await browser.get(OVERVIEW)
  const wrong = await browser.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': 'wrong' })
  assert.deepEqual([wrong.status, /Invalid password/.test(wrong.text)], [200, true])
  const elsewhere = await browser.submit(asked, '/auth/challenge', {
    'form_challenge[current_password]': PASSWORD,
    'form_challenge[return_to]': 'https://evil.example/',
  })
  assert.equal(elsewhere.location, '/auth/edit')
  const { browser: other } = await signedIn(t, 'other', { server })
  const passed = await other.submit(await other.get(`${OVERVIEW}?from=mail`), '/auth/challenge', {
    'form_challenge[current_password]': PASSWORD,
  })
  assert.equal(passed.location, `${OVERVIEW}?from=mail`)
  assert.equal(
    (await browser.get(OVERVIEW)).forms.some(({ action }) => action === BEGIN),
    true,
  )
  const token = asked.forms.find(({ action }) => action === '/auth/challenge')?.fields['authenticity_token'] ?? ''
  const odd = await browser.post('/auth/challenge', { form_challenge: 'x', authenticity_token: token })
  assert.equal(odd.status, 400)
  assert.equal((await browser.post(BEGIN, {})).status, 422, 'without the CSRF token')
})

test('a role that requires a second factor redirects to its setup, then back to the application', async () => {
  const server = await sharedServer()
  const [role] = await sql(server, `insert into roles (name, require_2fa) values ('Careful', true) returning id`)
  const alice = await personWithPassword(server, 'alice', { user: { role_id: role?.['id'] } })
  const browser = new Browser(server)
  const app = await registerApplication(server)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: app.redirect_uri,
  }).toString()
  await browser.get(`/oauth/authorize?${query}`)
  assert.equal((await browser.signIn(alice.email, PASSWORD)).location, OVERVIEW)
  assert.equal((await browser.get(`/oauth/authorize?${query}`)).location, OVERVIEW)
  assert.equal((await browser.get('/invites')).location, OVERVIEW)
  const { page } = await enrol(browser, await openChallenged(browser, OVERVIEW))
  assert.match(readHtml(page.text), /href="\/oauth\/authorize\?/)
  assert.equal((await browser.get(`/oauth/authorize?${query}`)).status, 200)
  const token = (await browser.get(OVERVIEW)).forms[0]?.fields['authenticity_token'] ?? ''
  const off = await browser.post(`${OVERVIEW}/disable`, { authenticity_token: token })
  assert.equal(off.status, 403, 'the role forbids switching it off')
})
