import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test, type Test } from 'tap'
import { Browser, type Page } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql, type Person } from '../../support/people.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'
import { openReset } from '../account_settings/credentials/password_reset.ts'
import { Authenticator } from './authenticator.ts'

const PAGE = '/settings/security_keys'
const SIGN_IN = '/auth/sign_in'
const OPTIONS = '/auth/sessions/security_key_options'

interface Setting {
  readonly server: TestServer
  readonly alice: Person & { email: string }
  readonly browser: Browser
  readonly codes: string[]
}

/** A signed-in person with one-time codes, who has just confirmed the password. */
async function withCodes(t: Test): Promise<Setting> {
  const server = await sharedServer()
  const codes = ['aaaa1111', 'bbbb2222', 'cccc3333']
  const alice = await personWithPassword(server, 'alice', {
    user: {
      otp_enabled_at: new Date(),
      otp_backup_code_hashes: codes.map(code => createHash('sha256').update(code).digest('hex')),
    },
  })
  t.after(() => alice.close())
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const factor = await browser.post(SIGN_IN, {
    ...(await browser.signIn(alice.email, PASSWORD)).forms.find(({ action }) => action === SIGN_IN)?.fields,
    'user[otp_attempt]': codes.pop() ?? '',
  })
  assert.equal(factor.status, 303, factor.text)
  const asked = await browser.get(PAGE)
  const confirmed = await browser.submit(asked, '/auth/challenge', { 'form_challenge[current_password]': PASSWORD })
  assert.equal(confirmed.location, PAGE)
  return { server, alice, browser, codes }
}

const challengeIn = (page: Page): string => (JSON.parse(page.text) as { challenge: string }).challenge

async function register({ server, browser }: Setting, nickname: string, key = new Authenticator(server.url)) {
  const page = await browser.get(PAGE)
  const challenge = challengeIn(await browser.get(`${PAGE}/options`))
  const response = await browser.sendJson(page, PAGE, { security_key: { nickname, credential: key.create(challenge) } })
  return { key, answer: response }
}

/** Signs in up to the second factor, in another browser. */
async function toFactor({ server, alice }: Setting): Promise<[Browser, Page]> {
  const browser = new Browser(server)
  return [browser, await browser.signIn(alice.email, PASSWORD)]
}

test('a security key is registered, named, used for signing in, and removed', async t => {
  const setting = await withCodes(t)
  const { browser, server } = setting
  const { key, answer: response } = await register(setting, 'Blue key')
  assert.deepEqual([response.status, JSON.parse(response.text)], [200, { redirect_path: PAGE }], response.text)
  const shown = await browser.get(PAGE)
  assert.match(shown.text, /Blue key/)
  assert.match(shown.headers.get('content-security-policy') ?? '', /script-src 'self'; connect-src 'self'/)
  assert.equal((await browser.get('/assets/security_key.js')).status, 200)
  const [other, page] = await toFactor(setting)
  assert.match(page.text, /Sign in with a security key/)
  const options = await other.get(OPTIONS)
  const { allowCredentials, rpId, userVerification } = JSON.parse(options.text) as Record<string, unknown>
  assert.deepEqual(
    { allowCredentials, rpId, userVerification },
    {
      allowCredentials: [{ id: key.id.toString('base64url'), transports: ['usb'], type: 'public-key' }],
      rpId: new URL(server.url).hostname,
      userVerification: 'discouraged',
    },
  )
  const credential = key.get(challengeIn(options))
  const entered = await other.sendJson(page, SIGN_IN, { user: { credential } })
  assert.deepEqual([entered.status, JSON.parse(entered.text)], [200, { redirect_path: '/' }], entered.text)
  assert.match((await other.get('/settings/login_activities')).text, /password and security key/)
  const again = await browser.get(PAGE)
  assert.doesNotMatch(again.text, /last used –/)
  const removal = again.forms.find(({ action }) => action.startsWith(`${PAGE}/`))?.action ?? ''
  assert.equal((await browser.submit(again, removal, {}, 'delete')).location, PAGE)
  assert.equal((await browser.submit(again, removal, {}, 'delete')).status, 404)
  assert.equal((await other.get(OPTIONS)).status, 401)
  const [last, codePage] = await toFactor(setting)
  assert.doesNotMatch(codePage.text, /security key/)
  const none = await last.get(OPTIONS, { accept: 'application/json' })
  assert.deepEqual([none.status, JSON.parse(none.text)], [401, { error: "You haven't enabled WebAuthn yet" }])
})

test('what a key did not sign for this server and this challenge is refused', async t => {
  const setting = await withCodes(t)
  const { key } = await register(setting, 'Key')
  const [other, page] = await toFactor(setting)
  const attempt = async (credential: object): Promise<void> => {
    const { status, text } = await other.sendJson(page, SIGN_IN, { user: { credential } })
    assert.equal(status, 422, text)
    assert.match((JSON.parse(text) as { error: string }).error, /not accepted/)
  }
  const challenge = async (): Promise<string> => challengeIn(await other.get(OPTIONS))
  await attempt(key.get('AAAA'))
  await attempt(key.get(await challenge(), { origin: 'https://evil.example' }))
  await attempt(new Authenticator(setting.server.url).get(await challenge()))
  await attempt({ id: 'x', response: { signature: 5 } })
  const used = key.get(await challenge())
  const entered = await other.sendJson(page, SIGN_IN, { user: { credential: used } })
  assert.equal(entered.status, 200, entered.text)
  const [third, form] = await toFactor(setting)
  const replayed = await third.sendJson(form, SIGN_IN, { user: { credential: used } })
  assert.equal(replayed.status, 422, 'an answer counts once')
  const copy = key.get(challengeIn(await third.get(OPTIONS)), { rewind: 3 })
  assert.equal((await third.sendJson(form, SIGN_IN, { user: { credential: copy } })).status, 422, 'a copied key')
  const stranger = new Browser(setting.server)
  const start = await stranger.get(SIGN_IN)
  assert.equal((await stranger.get(OPTIONS)).status, 401)
  const early = await stranger.sendJson(start, SIGN_IN, { user: { credential: key.get('AAAA') } })
  assert.equal(early.status, 422)
  const forged = await third.sendJson(form, SIGN_IN, { authenticity_token: 'x.y', user: { credential: copy } })
  assert.equal(forged.status, 422)
})

test('the answer of a key that does not count signs in once, also with the cookies of before', async t => {
  const setting = await withCodes(t)
  const { key } = await register(setting, 'Passkey', new Authenticator(setting.server.url, { counts: false }))
  const [first, page] = await toFactor(setting)
  const credential = key.get(challengeIn(await first.get(OPTIONS)))
  const copy = new Browser(setting.server)
  for (const [name, value] of first.cookies) copy.cookies.set(name, value)
  assert.equal((await first.sendJson(page, SIGN_IN, { user: { credential } })).status, 200)
  const replayed = await copy.sendJson(page, SIGN_IN, { user: { credential } })
  assert.equal(replayed.status, 422, replayed.text)
  assert.match((JSON.parse(replayed.text) as { error: string }).error, /not accepted/)
  const [next, form] = await toFactor(setting)
  const answer = key.get(challengeIn(await next.get(OPTIONS)))
  assert.equal((await next.sendJson(form, SIGN_IN, { user: { credential: answer } })).status, 200, 'a new answer')
})

test('a key does not complete a sign-in whose password was reset', async t => {
  const setting = await withCodes(t)
  const { server, alice } = setting
  const { key } = await register(setting, 'Key')
  const [other, page] = await toFactor(setting)
  const challenge = challengeIn(await other.get(OPTIONS))
  assert.equal((await (await openReset(server, alice.userId))()).location, SIGN_IN)
  const refused = await other.sendJson(page, SIGN_IN, { user: { credential: key.get(challenge) } })
  assert.equal(refused.status, 422)
  assert.match((JSON.parse(refused.text) as { error: string }).error, /Invalid E-mail address or password\./)
  assert.equal(other.cookies.has('_session_id'), false)
  assert.equal((await other.get('/auth/edit')).location, SIGN_IN)
})

test('one-time codes stay as the other way in, and without them there are no keys', async t => {
  const setting = await withCodes(t)
  const { browser, codes, server, alice } = setting
  await register(setting, 'Key')
  const [other, page] = await toFactor(setting)
  const form = page.forms.find(({ fields }) => 'user[otp_attempt]' in fields)
  assert.ok(form)
  const entered = await other.post(SIGN_IN, { ...form.fields, 'user[otp_attempt]': codes.pop() ?? '' })
  assert.equal(entered.status, 303)
  const overview = await browser.get('/settings/two_factor_authentication_methods')
  assert.match(overview.text, /href="\/settings\/security_keys"/)
  await browser.submit(overview, '/settings/two_factor_authentication_methods/disable')
  assert.deepEqual(await sql(server, 'select id from security_keys where user_id = $1', [alice.userId]), [])
  assert.equal((await browser.get(PAGE)).location, '/settings/two_factor_authentication_methods')
  const [, none] = await toFactor(setting)
  assert.equal(none.status, 303, 'there is no second factor')
})

test('a key that is registered, misnamed or wrong is not stored', async t => {
  const setting = await withCodes(t)
  const { browser, server, alice } = setting
  const { key } = await register(setting, 'One')
  const errorOf = ({ status, text }: Page): [number, string] => [status, (JSON.parse(text) as { error: string }).error]
  const [status, taken] = errorOf((await register(setting, 'Two', key)).answer)
  assert.equal(status, 422)
  assert.match(taken, /in use already/)
  assert.match(errorOf((await register(setting, 'One')).answer)[1], /in use already/)
  assert.match(errorOf((await register(setting, ' ')).answer)[1], /needs a name/)
  const page = await browser.get(PAGE)
  const unasked = new Authenticator(server.url).create('AAAA')
  const wrong = await browser.sendJson(page, PAGE, { security_key: { nickname: 'Three', credential: unasked } })
  assert.match(errorOf(wrong)[1], /not accepted/)
  const bare = await browser.sendJson(page, PAGE, { security_key: { nickname: 'Four' } })
  assert.match(errorOf(bare)[1], /not accepted/)
  const keys = await sql(server, 'select nickname from security_keys where user_id = $1', [alice.userId])
  assert.deepEqual(keys, [{ nickname: 'One' }])
})
