import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { codeAt, stepAt } from '../../../src/auth/two_factor/totp.ts'
import { Browser } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sharedServer, startServer } from '../../support/server.ts'

test('signing in sets a cookie that scripts and other sites cannot read', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  const { headers } = await browser.signIn(alice.email, PASSWORD)
  const cookie = headers.getSetCookie().find(one => one.startsWith('_session_id=')) ?? ''
  assert.match(cookie, /^_session_id=[A-Za-z0-9_-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
  const secret = browser.cookies.get('_session_id') ?? ''
  const [row] = await sql(server, 'select s::text as row from sessions s where s.user_id = $1', [alice.userId])
  assert.ok(row && !String(row['row']).includes(secret))
  const again = await browser.get('/auth/sign_in')
  assert.deepEqual([again.status, again.location], [302, '/'])
})

test('the cookies are Secure when the public URL is https', async t => {
  const server = await startServer(t, { env: { PUBLIC_URL: 'https://social.example' } })
  const local = { ...server, url: `http://127.0.0.1:${server.config.port}` }
  const alice = await personWithPassword(local, 'alice')
  const { headers } = await new Browser(local).signIn(alice.email, PASSWORD)
  for (const cookie of headers.getSetCookie()) assert.match(cookie, /; Secure(;|$)/)
})

test('a wrong password or e-mail address shows the form again without signing in', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const ghost = await personWithPassword(server, 'ghost', { account: { memorial: true } })
  for (const [email, password] of [
    [alice.email, 'wrong'],
    ['nobody@example.com', PASSWORD],
    [ghost.email, PASSWORD],
    ['', ''],
  ] as const) {
    const browser = new Browser(server)
    const page = await browser.signIn(email, password)
    assert.equal(page.status, 200)
    assert.match(page.text, /Invalid E-mail address or password\./)
    assert.equal(browser.cookies.has('_session_id'), false)
  }
})

test('the sign-in form needs its CSRF token and its fields', async () => {
  const browser = new Browser(await sharedServer())
  const page = await browser.get('/auth/sign_in')
  const refused = await browser.submit(page, '/auth/sign_in', { authenticity_token: 'x' })
  assert.equal(refused.status, 422)
  const token = page.forms[0]?.fields['authenticity_token'] ?? ''
  const scalar = await browser.post('/auth/sign_in', { authenticity_token: token, user: 'x' })
  assert.equal(scalar.status, 400)
})

test('a page that needs a sign-in is shown afterwards with its query', async () => {
  const server = await sharedServer()
  const owner = await personWithPassword(server, 'owner', { roleId: 3 })
  for (const [path, location] of [
    ['/admin/accounts?status=pending&order=recent', '/admin/accounts?status=pending&order=recent'],
    ['/settings/filters', '/settings/filters'],
    // Too long for the cookie: the list itself is better than the start page.
    [`/admin/accounts?display_name=${'x'.repeat(2600)}`, '/admin/accounts'],
  ] as const) {
    const browser = new Browser(server)
    assert.equal((await browser.get(path)).location, '/auth/sign_in')
    assert.equal((await browser.signIn(owner.email, PASSWORD)).location, location)
  }
})

test('signing out deletes the session from the database', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const cookies = new Map(browser.cookies)
  const refused = await browser.post('/auth/sign_out', { _method: 'delete' })
  assert.equal(refused.status, 422)
  const page = await browser.get('/oauth/authorized_applications')
  const { status, location } = await browser.submit(page, '/auth/sign_out', {}, 'delete')
  assert.deepEqual([status, location], [303, '/auth/sign_in'])
  assert.equal(browser.cookies.has('_session_id'), false)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  assert.equal((await browser.get('/oauth/authorized_applications')).location, '/auth/sign_in')
})

test('a user has at most ten sessions', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const first = new Browser(server)
  await first.signIn(alice.email, PASSWORD)
  for (let index = 0; index < 10; index += 1) await new Browser(server).signIn(alice.email, PASSWORD)
  const [row] = await sql(server, 'select count(*)::integer as sessions from sessions where user_id = $1', [
    alice.userId,
  ])
  assert.equal(row?.['sessions'], 10)
  assert.equal((await first.get('/oauth/authorized_applications')).status, 302)
})

test('the limit of sessions is a setting', async t => {
  const server = await startServer(t, { env: { MAX_SESSION_ACTIVATIONS: '2' } })
  const alice = await personWithPassword(server, 'alice')
  const browsers = [new Browser(server), new Browser(server), new Browser(server)]
  for (const browser of browsers) await browser.signIn(alice.email, PASSWORD)
  const seen = []
  for (const browser of browsers) seen.push((await browser.get('/oauth/authorized_applications')).status)
  assert.deepEqual(seen, [302, 200, 200])
})

test('forged cookies are ignored', async () => {
  const browser = new Browser(await sharedServer())
  const memory = Buffer.from(JSON.stringify({ id: 'x', returnTo: 'https://evil.example/' })).toString('base64url')
  for (const forged of [`${memory}.x`, memory, '', 'x.y.z']) {
    browser.cookies.set('_mastodon_session', forged)
    browser.cookies.set('_session_id', forged)
    assert.equal((await browser.get('/auth/sign_in')).status, 200)
  }
})

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test('one-time codes match the test vectors of RFC 6238', async () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const) {
    assert.equal(codeAt(SECRET, stepAt(seconds * 1000)), code)
  }
})

test('a second factor accepts each code and each recovery code once', async () => {
  const server = await sharedServer()
  const recovery = createHash('sha256').update('recovery-code').digest('hex')
  const user = { otp_secret: SECRET, otp_enabled_at: new Date(), otp_backup_code_hashes: [recovery] }
  const alice = await personWithPassword(server, 'alice', { user })
  const attempt = async (code: string): Promise<{ status: number; text: string; signedIn: boolean }> => {
    const browser = new Browser(server)
    const asked = await browser.signIn(alice.email, PASSWORD)
    assert.equal(browser.cookies.has('_session_id'), false)
    const { status, text } = await browser.submit(asked, '/auth/sign_in', { 'user[otp_attempt]': code })
    return { status, text, signedIn: browser.cookies.has('_session_id') }
  }
  const wrong = await attempt('000')
  assert.deepEqual([wrong.status, wrong.signedIn], [200, false])
  assert.match(wrong.text, /Invalid two-factor code/)
  const code = codeAt(SECRET, stepAt(Date.now()))
  assert.deepEqual([(await attempt(code)).signedIn, (await attempt(code)).signedIn], [true, false])
  assert.equal((await attempt('recovery-code')).signedIn, true)
  assert.equal((await attempt('recovery-code')).signedIn, false)
  for (let failures = 3; failures < 10; failures += 1) await attempt('000')
  const later = await attempt(codeAt(SECRET, stepAt(Date.now()) + 1))
  assert.equal(later.signedIn, false)
  assert.match(later.text, /Too many authentication attempts, try again later\./)
})
