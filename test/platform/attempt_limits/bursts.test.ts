import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { waitForMail } from '../../accounts/waiting.ts'
import { Browser } from '../../support/browser.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const CODE = 'recovery-code'
const FACTOR = {
  otp_secret: SECRET,
  otp_enabled_at: new Date(),
  otp_backup_code_hashes: [createHash('sha256').update(CODE).digest('hex')],
}

const countFailures = async (server: TestServer, kind: string, userId: string): Promise<unknown> => {
  const [row] = await sql(
    server,
    `select count(*)::integer as failures from login_activities where user_id = $1 and not success and method = $2`,
    [userId, kind],
  )
  return row?.['failures']
}

/** Counts the responses that call the code wrong: only checked guesses get them. */
const countChecked = (pages: readonly { text: string }[]): number =>
  pages.filter(({ text }) => /Invalid two-factor code/.test(text)).length

test('of many simultaneous codes only ten are checked, and one e-mail is sent', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice', { user: FACTOR })
  const browser = new Browser(server)
  const asked = await browser.signIn(alice.email, PASSWORD)
  const guess = (code: string) => browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
  const pages = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(`wrong ${index}`)))
  // The response to the tenth wrong code says that there were too many attempts.
  assert.equal(countChecked(pages), 9)
  assert.ok(pages.every(({ text }) => /Invalid two-factor code|Too many authentication attempts/.test(text)))
  assert.match(await waitForMail(server, alice.email), /Subject:/)
  assert.equal(await countFailures(server, 'otp', alice.userId), 1)
  const [row] = await sql(server, 'select otp_backup_code_hashes as hashes from users where id = $1', [alice.userId])
  assert.deepEqual(row?.['hashes'], FACTOR.otp_backup_code_hashes)
  assert.match((await guess(CODE)).text, /Too many authentication attempts/)
})

test('correct codes do not count as attempts', async () => {
  const server = await sharedServer()
  const codes = Array.from({ length: 11 }, (_, index) => `code-${index}`)
  const hashes = codes.map(code => createHash('sha256').update(code).digest('hex'))
  const alice = await personWithPassword(server, 'alice', { user: { ...FACTOR, otp_backup_code_hashes: hashes } })
  for (const code of codes) {
    const browser = new Browser(server)
    const asked = await browser.signIn(alice.email, PASSWORD)
    await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
    assert.ok(browser.cookies.has('_session_id'), code)
  }
})

test('of many simultaneous passwords at the token endpoint only 25 are checked', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const app = await registerApplication(server)
  const alice = await personWithPassword(server, 'alice')
  const guess = (password: string): Promise<ClientResponse> =>
    new Client(server).post('/oauth/token', {
      grant_type: 'password',
      client_id: app.client_id,
      client_secret: app.client_secret,
      username: alice.email,
      password,
    })
  assert.equal((await guess(PASSWORD)).status, 200)
  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => guess(`wrong ${index}`)))
  assert.equal(answers.filter(({ status }) => status === 400).length, 25)
  assert.equal(answers.filter(({ status }) => status === 429).length, 35)
  assert.equal((await guess(PASSWORD)).status, 429)
})

test('of many simultaneous current passwords only ten are checked', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get('/settings/two_factor_authentication_methods')
  const guess = (password: string) =>
    browser.submit(page, '/auth/challenge', { 'form_challenge[current_password]': password })
  for (let times = 0; times < 11; times += 1) assert.equal((await guess(PASSWORD)).status, 302)
  const pages = await Promise.all(Array.from({ length: 40 }, (_, index) => guess(`wrong ${index}`)))
  assert.equal(pages.filter(({ status }) => status === 200).length, 10)
  assert.equal(pages.filter(({ status }) => status === 429).length, 30)
})
