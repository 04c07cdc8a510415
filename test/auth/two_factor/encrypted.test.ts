import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { codeAt, stepAt } from '../../../src/auth/two_factor/totp.ts'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer, type TestServer } from '../../support/server.ts'

const OVERVIEW = '/settings/two_factor_authentication_methods'
const CONFIRM = '/settings/two_factor_authentication/confirmation'
/** A secret from before secrets were encrypted. */
const PLAIN = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

const codeNow = (secret: string, steps = 0): string => codeAt(secret, stepAt(Date.now()) + steps)

async function signsIn(server: TestServer, email: string, code: string): Promise<boolean> {
  const browser = new Browser(server)
  const asked = await browser.signIn(email, PASSWORD)
  await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
  return browser.cookies.has('_session_id')
}

const storedOf = async (server: TestServer, userId: string): Promise<string> => {
  const [row] = await sql(server, 'select u::text as row from users u where id = $1', [userId])
  return String(row?.['row'])
}

test('the secret of an authenticator app is stored encrypted, bound to its user', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  await browser.submit(await browser.get(OVERVIEW), '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
  const begun = await browser.submit(await browser.get(OVERVIEW), '/settings/otp_authentication')
  const scan = await browser.get(begun.location)
  const secret = /<p class="code whole">([A-Z2-7 ]+)<\/p>/.exec(scan.text)?.[1]?.replaceAll(' ', '') ?? ''
  assert.equal(secret.length, 32)
  assert.ok(!(await storedOf(server, alice.userId)).includes(secret), 'before the confirmation')
  await browser.submit(scan, CONFIRM, { 'form_two_factor_confirmation[otp_attempt]': codeNow(secret) })
  assert.ok(!(await storedOf(server, alice.userId)).includes(secret), 'after the confirmation')
  assert.equal(await signsIn(server, alice.email, codeNow(secret, 1)), true)

  const mallory = await personWithPassword(server, 'mallory')
  await sql(
    server,
    `update users set otp_enabled_at = now(), otp_secret = (select a.otp_secret from users a where a.id = $2) where id = $1`,
    [mallory.userId, alice.userId],
  )
  assert.equal(await signsIn(server, mallory.email, codeNow(secret)), false, 'a copy in another row is useless')
})

test('an unencrypted secret still works and is encrypted at its next use', async () => {
  const server = await sharedServer()
  const user = { otp_secret: PLAIN, otp_enabled_at: new Date() }
  const alice = await personWithPassword(server, 'alice', { user })
  assert.equal(await signsIn(server, alice.email, codeNow(PLAIN)), true)
  assert.ok(!(await storedOf(server, alice.userId)).includes(PLAIN))
  assert.equal(await signsIn(server, alice.email, codeNow(PLAIN, 1)), true)
})

test('a daily job encrypts old secrets and removes unconfirmed ones', async t => {
  const server = await startServer(t)
  const hash = createHash('sha256').update('x').digest('hex')
  const user = { otp_secret: PLAIN, otp_enabled_at: new Date(), otp_backup_code_hashes: [hash] }
  const alice = await personWithPassword(server, 'alice', { user })
  await personWithPassword(server, 'bob', {
    user: { otp_pending_secret: PLAIN, otp_pending_at: new Date(Date.now() - 31 * 60_000) },
  })
  await sql(server, `select graphile_worker.add_job('two_factor.encrypt')`)
  const plain = (): Promise<Record<string, unknown>[]> =>
    sql(server, 'select id from users where $1 in (otp_secret, otp_pending_secret)', [PLAIN])
  await until(plain, rows => rows.length === 0, 'the secrets to be encrypted')
  assert.equal(await signsIn(server, alice.email, codeNow(PLAIN)), true)
})
