import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'tap'
import { waitForMail } from '../../accounts/waiting.ts'
import { Browser } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql, type Person } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'

async function enter(user: Record<string, unknown> = {}): Promise<{ person: Person; browser: Browser }> {
  const server = await sharedServer()
  const made = await personWithPassword(server, 'newcomer', { user })
  const browser = new Browser(server)
  await browser.signIn(made.email, PASSWORD)
  return { person: made, browser }
}

/** The path of a confirmation link that was sent so long ago. */
async function linkOf({ server, userId }: Person, ago: string): Promise<string> {
  const token = randomBytes(16).toString('hex')
  const hash = createHash('sha256').update(token).digest()
  await sql(
    server,
    `update users set confirmation_token_hash = $2, confirmation_sent_at = now() - $3::interval where id = $1`,
    [userId, hash, ago],
  )
  return `/auth/confirmation?confirmation_token=${token}`
}

test('the set-up page changes the unconfirmed address and sends the confirmation again', async () => {
  const { person: made, browser } = await enter({ confirmed_at: null })
  const earlier = await linkOf(made, '1 hour')
  const page = await browser.get('/auth/setup')
  const form = page.forms.find(({ action }) => action === '/auth/setup')
  assert.ok(form && 'user[email]' in form.fields && !('user[current_password]' in form.fields))
  const address = `moved_${made.username}@example.com`
  const sent = await browser.submit(page, '/auth/setup', { 'user[email]': address }, 'put')
  assert.ok([302, 303].includes(sent.status), sent.text)
  assert.match(await waitForMail(await sharedServer(), address), /confirmation_token=/)
  assert.match((await browser.get(earlier)).text, /invalid or expired/, 'it was sent to another address')
  assert.ok((await browser.get('/auth/setup')).text.includes(address))
  assert.equal((await new Browser(made.server).get('/auth/setup')).location, '/auth/sign_in')
  assert.equal((await (await enter()).browser.get('/auth/setup')).location, '/')
})

test('a confirmation link works for two days, and leads on those who are confirmed', async () => {
  const { person: late, browser } = await enter({ confirmed_at: null })
  const old = await browser.get(await linkOf(late, '2 days'))
  assert.match(old.text, /invalid or expired/)
  assert.ok(old.forms.some(({ action }) => action === '/auth/confirmation'))
  const fresh = await browser.get(await linkOf(late, '1 day 23 hours 59 minutes'))
  assert.deepEqual([fresh.status, fresh.location], [302, '/start'])
  assert.equal((await browser.get('/auth/confirmation/new')).location, '/')
  const waiting = await enter({ confirmed_at: null, approved: false })
  await waiting.browser.get(await linkOf(waiting.person, '1 hour'))
  const [row] = await sql(late.server, 'select confirmed_at is not null as confirmed from users where id = $1', [
    waiting.person.userId,
  ])
  assert.equal(row?.['confirmed'], true)
})

test('the link of a password reset that does not work says so, and changes nothing', async () => {
  const { person: made } = await enter()
  const visitor = new Browser(made.server)
  const invalid = await visitor.get('/auth/password/edit?reset_password_token=wrong')
  assert.deepEqual([invalid.status, invalid.location], [302, '/auth/password/new'])
  assert.match((await visitor.get('/auth/password/new')).text, /invalid or expired|not valid/i)
  const set = `update users set reset_password_token_hash = sha256('real'), reset_password_sent_at = now() where id = $1`
  await sql(made.server, set, [made.userId])
  const page = await visitor.get('/auth/password/edit?reset_password_token=real')
  const passwords = { 'user[password]': 'another horse', 'user[password_confirmation]': 'another horse' }
  const refused = await visitor.submit(
    page,
    '/auth/password',
    { ...passwords, 'user[reset_password_token]': 'wrong' },
    'put',
  )
  assert.equal(refused.status, 200)
  const email = `${made.username}@example.com`
  assert.equal((await new Browser(made.server).signIn(email, 'another horse')).status, 200)
  assert.equal((await new Browser(made.server).signIn(email, PASSWORD)).status, 303)
})

test('everybody can sign out, and those who cannot use the server are led to their account', async () => {
  const server = await sharedServer()
  const { id } = (await enter()).person
  for (const [user, account] of [
    [{ disabled: true }, {}],
    [{ approved: false }, {}],
    [{}, { suspended_at: new Date() }],
    [{}, { moved_to_account_id: id }],
  ] as const) {
    const made = await personWithPassword(server, 'idle', { user, account })
    const browser = new Browser(server)
    assert.equal((await browser.signIn(made.email, PASSWORD)).status, 303)
    assert.equal((await browser.get('/settings/preferences/reading')).location, '/auth/edit')
    const page = await browser.get('/auth/edit')
    const out = await browser.submit(page, '/auth/sign_out', {}, 'delete')
    assert.deepEqual([out.status, browser.cookies.has('_session_id')], [303, false])
  }
})
