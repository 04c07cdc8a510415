import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser, readHtml, type Page } from '../../../support/browser.ts'
import { startMailServer, type MailServer } from '../../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { sql, type Person } from '../../../support/people.ts'
import { startServer, type TestServer } from '../../../support/server.ts'
import { becomes } from '../../../platform/settings/pair.ts'
import { NEW_PASSWORD, openReset } from './password_reset.ts'

interface Owner {
  readonly person: Person & { email: string }
  readonly browser: Browser
  /** Requests another e-mail address on the page. */
  requests(email: string): Promise<Page>
}

async function owner(server: TestServer, name: string): Promise<Owner> {
  const person = await personWithPassword(server, name)
  const browser = new Browser(server)
  await browser.signIn(person.email, PASSWORD)
  const change = async (email: string): Promise<Page> =>
    browser.submit(
      await browser.get('/auth/edit'),
      '/auth',
      { 'user[email]': email, 'user[current_password]': PASSWORD },
      'put',
    )
  return { person, browser, requests: change }
}

async function linkTo(mail: MailServer, email: string): Promise<string> {
  const { text } = await mail.email(email, /Confirm your new e-mail address/)
  const link = new URL(/https?:\/\/\S+confirmation_token=\S+/.exec(text)?.[0] ?? '')
  return `${link.pathname}${link.search}`
}

const addressesOf = async (server: TestServer, { userId }: Person): Promise<unknown> =>
  (await sql(server, 'select email, unconfirmed_email from users where id = $1', [userId]))[0]

test('an e-mail address that cannot sign up is refused as a new address', async t => {
  const server = await startServer(t, { env: { EMAIL_DOMAIN_DENYLIST: 'never.example' } })
  const alice = await owner(server, 'alice')
  const bob = await personWithPassword(server, 'bob')
  await sql(server, `insert into email_domain_blocks (domain) values ('spam.example')`)
  for (const [email, fault] of [
    ['no address', 'is invalid'],
    ['a,b@example.com', 'is invalid'],
    [bob.email.toUpperCase(), 'has already been taken'],
    ['a@mail.spam.example', 'uses a disallowed e-mail provider'],
    ['a@never.example', 'uses a disallowed e-mail provider'],
    [`a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(63)}.com`, 'is too long'],
  ] as const) {
    const page = await alice.requests(email)
    assert.equal(page.status, 200, email)
    assert.ok(readHtml(page.text).includes(fault), `${fault} for ${email}`)
  }
  const same = await alice.requests(alice.person.email.toUpperCase())
  assert.equal(same.status, 302)
  const told = readHtml((await alice.browser.get('/auth/edit')).text)
  assert.ok(told.includes('Nothing was changed') && !told.includes('Your account was changed'))
  assert.deepEqual(await addressesOf(server, alice.person), { email: alice.person.email, unconfirmed_email: null })
})

test('a form of the account with an error keeps the new e-mail address', async t => {
  const server = await startServer(t)
  const { browser, person } = await owner(server, 'alice')
  const wanted = { 'user[email]': 'later@example.com', 'user[current_password]': PASSWORD }
  const page = await browser.get('/auth/edit')
  for (const wrong of [
    { 'user[current_password]': 'wrong' },
    { 'user[password]': NEW_PASSWORD, 'user[password_confirmation]': 'another' },
    { 'user[password]': 'short', 'user[password_confirmation]': 'short' },
  ]) {
    const shown = await browser.submit(page, '/auth', { ...wanted, ...wrong }, 'put')
    assert.equal(shown.status, 200)
    const again = shown.forms.find(({ action }) => action === '/auth')
    assert.equal(again?.fields['user[email]'], 'later@example.com')
    assert.deepEqual(await addressesOf(server, person), { email: person.email, unconfirmed_email: null })
  }
  const sent = await browser.submit(page, '/auth', wanted, 'put')
  assert.equal(sent.status, 302)
  assert.match((await browser.get('/auth/edit')).text, /Your account was changed/)
})

test('password managers learn the e-mail address, with which one signs in', async t => {
  const server = await startServer(t, { settings: { registrations_mode: 'open' } })
  const { browser, person } = await owner(server, 'alice')
  const inputs = ({ text }: Page, pattern: RegExp): string[] =>
    [...text.matchAll(/<input[^>]*>/g)].map(([input]) => input).filter(input => pattern.test(input))
  const isUsername = /autocomplete="username"/
  for (const page of [await browser.get('/auth/edit'), await new Browser(server).get('/auth/sign_up')]) {
    assert.deepEqual(inputs(page, isUsername), inputs(page, /name="user\[email\]"/))
    assert.equal(inputs(page, isUsername).length, 1)
  }
  const token = 'secret'
  const set = `update users set reset_password_token_hash = sha256('${token}'), reset_password_sent_at = now() where id = $1`
  await sql(server, set, [person.userId])
  const reset = await new Browser(server).get(`/auth/password/edit?reset_password_token=${token}`)
  const [known = '', ...more] = inputs(reset, isUsername)
  assert.ok(known.includes(` value="${person.email}"`) && known.includes(' hidden') && more.length === 0, known)
})

test('a new e-mail address counts after its confirmation, if nobody else took it first', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const alice = await owner(server, 'alice')
  const bob = await owner(server, 'bob')
  await alice.requests('first@example.com')
  const stale = await linkTo(mail, 'first@example.com')
  await alice.requests('wanted@example.com')
  const hers = await linkTo(mail, 'wanted@example.com')
  assert.match((await alice.browser.get(stale)).text, /invalid or expired/, 'a later request replaced the link')
  assert.equal((await new Browser(server).signIn('wanted@example.com', PASSWORD)).status, 200, 'not yet')
  await bob.requests('wanted@example.com')
  const his = await linkTo(mail, 'wanted@example.com')
  assert.equal((await bob.browser.get(his)).status, 302)
  assert.deepEqual(await addressesOf(server, bob.person), { email: 'wanted@example.com', unconfirmed_email: null })
  assert.match((await alice.browser.get(hers)).text, /invalid or expired/)
  const { email } = alice.person
  assert.deepEqual(await addressesOf(server, alice.person), { email, unconfirmed_email: 'wanted@example.com' })
  assert.equal((await new Browser(server).signIn('wanted@example.com', PASSWORD)).status, 303)
  assert.equal((await new Browser(server).signIn(email, PASSWORD)).status, 303)
})

test('a link to reset the password holds as long as the mail server takes no newer e-mail', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { email } = await personWithPassword(server, 'alice')
  const visitor = new Browser(server)
  const ask = async (): Promise<Page> =>
    visitor.submit(await visitor.get('/auth/password/new'), '/auth/password', { 'user[email]': email })
  const linkIn = async (): Promise<string> => {
    const { text } = await mail.email(email, /Reset your password/)
    return /\/auth\/password\/edit\?reset_password_token=\S+/.exec(text)?.[0] ?? ''
  }
  const isValid = async (link: string): Promise<boolean> => (await visitor.get(link)).text.includes('user[password]')
  await ask()
  const first = await linkIn()
  mail.refusals.set(email, [451, '4.7.1 try later'])
  await ask()
  const failed = `select from graphile_worker._private_jobs where last_error like '%4.7.1%'`
  await becomes(async () => (await sql(server, failed)).length, 1, 'refused for now')
  assert.equal(await isValid(first), true)
  mail.refusals.delete(email)
  await ask()
  assert.equal(await isValid(await linkIn()), true)
  assert.equal(await isValid(first), false, 'a later link replaced it')
})

test('a link to reset the password ends when the address changes', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { person, browser, requests } = await owner(server, 'alice')
  const visitor = new Browser(server)
  await visitor.submit(await visitor.get('/auth/password/new'), '/auth/password', { 'user[email]': person.email })
  const { text } = await mail.email(person.email, /Reset your password/)
  const link = new URL(/https?:\/\/\S+reset_password_token=\S+/.exec(text)?.[0] ?? '')
  const reset = `${link.pathname}${link.search}`
  assert.equal((await visitor.get(reset)).status, 200)
  await requests('later@example.com')
  assert.equal((await browser.get(await linkTo(mail, 'later@example.com'))).status, 302)
  const ended = await visitor.get(reset)
  assert.deepEqual([ended.status, ended.location], [302, '/auth/password/new'])
})

test('a password reset drops an address that was requested before it and is not confirmed', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { person, requests } = await owner(server, 'alice')
  await requests('thief@example.com')
  const link = await linkTo(mail, 'thief@example.com')
  assert.equal((await (await openReset(server, person.userId))()).location, '/auth/sign_in')
  const visitor = new Browser(server)
  assert.match((await visitor.get(link)).text, /invalid or expired/)
  assert.equal((await new Browser(server).signIn('thief@example.com', NEW_PASSWORD)).status, 200)
  assert.equal((await visitor.signIn(person.email, NEW_PASSWORD)).status, 303)
  assert.doesNotMatch((await visitor.get('/auth/edit')).text, /thief@example\.com/)
})

test('a changed password keeps the address that is requested with it', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { person, browser } = await owner(server, 'alice')
  const fields = {
    'user[email]': 'later@example.com',
    'user[password]': NEW_PASSWORD,
    'user[password_confirmation]': NEW_PASSWORD,
    'user[current_password]': PASSWORD,
  }
  assert.equal((await browser.submit(await browser.get('/auth/edit'), '/auth', fields, 'put')).status, 302)
  assert.equal((await browser.get(await linkTo(mail, 'later@example.com'))).status, 302)
  const email = 'later@example.com'
  assert.deepEqual(await addressesOf(server, person), { email, unconfirmed_email: null })
})

test('a password reset ends streams and push subscriptions', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { person } = await owner(server, 'alice')
  const stream = await person.stream('user')
  await sql(
    server,
    `insert into push_subscriptions (user_id, token_id, endpoint, key_p256dh, key_auth, sealed_token)
     select t.user_id, t.id, 'https://push.example/', 'x', 'x', '\\x00' from oauth_tokens t where t.user_id = $1`,
    [person.userId],
  )
  const visitor = new Browser(server)
  await visitor.submit(await visitor.get('/auth/password/new'), '/auth/password', { 'user[email]': person.email })
  const { text } = await mail.email(person.email, /Reset your password/)
  const link = new URL(/https?:\/\/\S+reset_password_token=\S+/.exec(text)?.[0] ?? '')
  const page = await visitor.get(`${link.pathname}${link.search}`)
  for (const [password, fault] of [
    ['short', 'is too short (minimum is 8 characters)'],
    ['x'.repeat(73), 'is too long (maximum is 72 characters)'],
    ['', "can't be blank"],
  ] as const) {
    const fields = { 'user[password]': password, 'user[password_confirmation]': password }
    const response = await visitor.submit(page, '/auth/password', fields, 'put')
    assert.deepEqual([response.status, readHtml(response.text).includes(fault)], [200, true], fault)
  }
  const fields = { 'user[password]': 'another horse', 'user[password_confirmation]': 'another horse' }
  assert.equal((await visitor.submit(page, '/auth/password', fields, 'put')).status, 303)
  await stream.end()
  const left = await sql(server, 'select 1 from push_subscriptions where user_id = $1', [person.userId])
  assert.deepEqual(left, [])
  await mail.email(person.email, /password .* was changed/)
})
