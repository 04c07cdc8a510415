import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForJobs } from '../../federation/federation_fixtures.ts'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD, personWithPassword, registerApplication } from '../../support/oauth.ts'
import { makeToken, sql } from '../../support/people.ts'
import {
  OPEN_REGISTRATIONS,
  shareServerWith,
  sharedServer,
  startServer,
  type TestServer,
} from '../../support/server.ts'
import { backdateForm, confirmationOf, fieldsOf, newName, signUp } from './form_fixtures.ts'

shareServerWith(OPEN_REGISTRATIONS)

const check = async (browser: Browser): Promise<unknown> =>
  JSON.parse((await browser.get('/api/v1/emails/check_confirmation')).text)

test('a person signs up, confirms the e-mail address and can use the server', async () => {
  const server = await sharedServer()
  const browser = new Browser(server)
  const name = newName()
  const { status, location } = await signUp(browser, name, {})
  assert.deepEqual([status, location], [303, '/auth/setup'])
  const waiting = await browser.get('/auth/setup')
  assert.ok(readHtml(waiting.text).includes(`${name}@example.com`))
  assert.equal(await check(browser), false)
  const app = await registerApplication(server)
  const authorize = `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri }).toString()}`
  assert.equal((await browser.get(authorize)).location, '/auth/setup')

  const link = await confirmationOf(server, `${name}@example.com`)
  const confirmed = await browser.get(link)
  assert.equal(confirmed.status, 302)
  assert.ok(confirmed.location.startsWith('/oauth/authorize?'), 'continues with the interrupted authorization')
  assert.equal(await check(browser), true)
  assert.equal((await browser.get(confirmed.location)).status, 200)
  assert.equal((await browser.get('/auth/setup')).location, '/')
  const [row] = await sql(server, 'select display_name, pending from accounts where username = $1', [name])
  assert.deepEqual(row, { display_name: 'New Comer', pending: false })
})

test('a confirmation link in another browser leads to sign-in, an invalid one to a form for a new e-mail', async () => {
  const server = await sharedServer()
  const name = newName()
  const browser = new Browser(server)
  await signUp(browser, name)
  const first = await confirmationOf(server, `${name}@example.com`)
  const other = new Browser(server)
  const wrong = await other.get('/auth/confirmation?confirmation_token=wrong')
  assert.equal(wrong.status, 200)
  assert.match(wrong.text, /invalid or expired/)
  const sent = await other.submit(wrong, '/auth/confirmation', { 'user[email]': `${name}@example.com`.toUpperCase() })
  assert.deepEqual([sent.status, sent.location], [303, '/auth/sign_in'])
  const nobody = await other.submit(wrong, '/auth/confirmation', { 'user[email]': 'nobody@example.com' })
  assert.deepEqual([nobody.status, nobody.location], [303, '/auth/sign_in'])
  const old = await sql(
    server,
    `update users set confirmation_sent_at = now() - interval '3 days' where email = $1 returning 1`,
    [`${name}@example.com`],
  )
  assert.equal(old.length, 1)
  assert.match((await other.get(first)).text, /invalid or expired/)
  await sql(server, 'update users set confirmation_sent_at = now() where email = $1', [`${name}@example.com`])
  const confirmed = await other.get(await confirmationOf(server, `${name}@example.com`))
  assert.deepEqual([confirmed.status, confirmed.location], [302, '/auth/sign_in'])
})

test('a member who wants the address of a newcomer does not get the e-mail that was meant for the newcomer', async t => {
  const server = await sharedServer()
  const name = newName()
  const address = `${name}@example.com`
  const member = await personWithPassword(server, 'member', { user: { unconfirmed_email: address } })
  const browser = new Browser(server)
  await signUp(browser, name)
  await confirmationOf(server, address)
  await browser.submit(await browser.get('/auth/confirmation/new'), '/auth/confirmation', { 'user[email]': address })
  for (const job of ['registration.resend_confirmation', 'accounts.send_confirmation'])
    await waitForJobs(t, server, job)
  await browser.get(await confirmationOf(server, address))
  const users = await sql(
    server,
    'select email, confirmed_at is not null as confirmed from users where email = any ($1::text[]) order by id',
    [[member.email, address]],
  )
  assert.deepEqual(users, [
    { email: member.email, confirmed: true },
    { email: address, confirmed: true },
  ])
})

test('the form shows its errors next to the fields', async () => {
  const server = await sharedServer()
  const taken = await personWithPassword(server, 'taken')
  const browser = new Browser(server)
  for (const [change, message] of [
    [{ 'user[account_attributes][username]': taken.username }, 'has already been taken'],
    [{ 'user[account_attributes][username]': 'no spaces' }, 'must contain only letters, numbers and underscores'],
    [{ 'user[email]': taken.email }, 'has already been taken'],
    [{ 'user[email]': 'no address' }, 'is invalid'],
    [{ 'user[password]': 'short', 'user[password_confirmation]': 'short' }, 'is too short (minimum is 8 characters)'],
    [{ 'user[password_confirmation]': 'another' }, "doesn't match Password"],
    [{ 'user[agreement]': '0' }, 'must be accepted'],
    [{ 'user[account_attributes][display_name]': 'x'.repeat(41) }, 'is too long (maximum is 40 characters)'],
    [{ 'user[website]': 'https://spam.example' }, 'Form submitted too fast, try again.'],
  ] as const) {
    const name = newName()
    const page = await signUp(browser, name, change)
    assert.equal(page.status, 200)
    assert.ok(readHtml(page.text).includes(message), `${message} in ${page.text}`)
    assert.ok(!page.text.includes(PASSWORD))
    const made = await sql(server, 'select from accounts where username = $1', [name])
    assert.equal(made.length, 0)
  }
})

test('a form that is submitted at once is refused as automated', async () => {
  const browser = new Browser(await sharedServer())
  const page = await browser.get('/auth/sign_up')
  const response = await browser.submit(page, '/auth', fieldsOf(newName()))
  assert.equal(response.status, 200)
  assert.match(response.text, /Form submitted too fast, try again\./)
})

test('registrations can be closed or need approval, and an invite opens them', async t => {
  const server = await startServer(t, OPEN_REGISTRATIONS)
  const inviter = await personWithPassword(server, 'inviter')
  await sql(server, `insert into invites (user_id, code) values ($1, 'AbCdEfGh')`, [inviter.userId])
  const set = (mode: string): Promise<unknown> =>
    sql(
      server,
      `with changed as (insert into settings (key, value) values ('registrations_mode', to_jsonb($1::text)) on conflict (key) do update set value = excluded.value)
       insert into events (kind, data) values ('settings.changed', '{"keys": ["registrations_mode"]}')`,
      [mode],
    )
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    const deadline = Date.now() + 10_000
    while (!(await holds())) assert.ok(Date.now() < deadline, 'the setting has not arrived')
  }
  const start = async (): Promise<string> => (await new Browser(server).get('/')).text
  assert.match(await start(), /Create an account/)
  await set('approved')
  await until(async () => (await start()).includes('Request an account'))
  const browser = new Browser(server)
  const name = newName()
  await signUp(browser, name, { 'user[invite_request_attributes][text]': 'I like tapirs' })
  const [row] = await sql(server, 'select approved, sign_up_reason from users where email = $1', [
    `${name}@example.com`,
  ])
  assert.deepEqual(row, { approved: false, sign_up_reason: 'I like tapirs' })
  await browser.get(await confirmationOf(server, `${name}@example.com`))
  assert.match((await browser.get('/auth/setup')).text, /Waiting for approval/)
  await set('none')
  await until(async () => !(await start()).includes('/auth/sign_up'))
  const visitor = new Browser(server)
  const closed = await visitor.get('/auth/sign_up')
  assert.deepEqual([closed.status, closed.location], [302, '/auth/sign_in'])
  assert.match((await visitor.get('/auth/sign_in')).text, /Sign-ups are closed/)
  const long = `Write to *us*.\n\n${'mill '.repeat(200)}\n\nThe end`
  await sql(
    server,
    `with changed as (insert into settings (key, value) values ('closed_registrations_message', to_jsonb($1::text)))
     insert into events (kind, data) values ('settings.changed', '{"keys": ["closed_registrations_message"]}')`,
    [long],
  )
  await until(async () => (await start()).includes('The end'))
  const told = (await visitor.get('/auth/sign_in')).text
  for (const text of [told, await start()]) assert.match(text, /<p>Write to <em>us<\/em>\.<\/p>[\s\S]*<p>The end<\/p>/)
  const invited = await visitor.get('/invite/AbCdEfGh')
  assert.ok(invited.text.includes(`@${inviter.username}`))
  await backdateForm(visitor)
  assert.equal((await visitor.submit(invited, '/auth', fieldsOf(newName()))).location, '/auth/setup')
  const client = new Client(server)
  const json = { accept: 'application/json' }
  const info = await client.get('/invite/AbCdEfGh', {}, json)
  assert.deepEqual(info.json, {
    invite_code: 'AbCdEfGh',
    instance_api_url: `${server.config.publicUrl}/api/v2/instance`,
  })
  assert.equal((await client.get('/invite/nothing', {}, json)).status, 404)
  await sql(server, 'update invites set expires_at = now()')
  assert.equal((await client.get('/invite/AbCdEfGh', {}, json)).status, 401)
})

test('the rules are shown before the form', async t => {
  const server = await startServer(t, OPEN_REGISTRATIONS)
  const translations = { de: { text: 'Sei nett', hint: '' } }
  await sql(server, `insert into rules (text, hint, translations) values ('Be nice', 'To all <b>', $1)`, [translations])
  const browser = new Browser(server)
  const rules = await browser.get('/auth/sign_up')
  assert.ok(rules.text.includes('Be nice') && rules.text.includes('To all &lt;b&gt;'))
  assert.match((await browser.get('/auth/sign_up', { 'accept-language': 'de-AT,en;q=0.5' })).text, /Sei nett/)
  assert.ok(!rules.text.includes('user[password]'))
  const { status, location } = await browser.submit(rules, '/auth/acceptance')
  assert.equal(status, 302)
  assert.ok((await browser.get(location)).text.includes('user[password]'))
  assert.ok(!(await browser.get('/auth/sign_up?accept=forged.x')).text.includes('user[password]'))
  const long = 'x'.repeat(60_000)
  const forged = await browser.submit(rules, '/auth/acceptance', { accept: long, invite_code: long })
  assert.deepEqual([forged.status, forged.location], [302, '/auth/sign_up?'], 'nothing long goes into the address')
})

test('the application that created the account can resend the confirmation e-mail', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server)
  const user = { confirmed_at: null, created_by_application_id: app.id }
  const waiting = await personWithPassword(server, 'waiting', { user })
  const path = '/api/v1/emails/confirmations'
  const stranger = new Client(server, await makeToken(server, waiting.userId, ['write']))
  const application = new Client(server, await makeToken(server, null, ['write']))
  for (const client of [stranger, application]) {
    const { status, json } = await client.post(path)
    const error = 'This method is only available to the application the user originally signed-up with'
    assert.deepEqual([status, json], [403, { error }])
  }
  const fresh = await tokenOf(server, waiting.userId, app.id)
  assert.deepEqual((await fresh.get('/api/v1/emails/check_confirmation')).json, false)
  const resent = await fresh.post(path)
  assert.deepEqual([resent.status, resent.json], [200, {}])
  assert.match(await confirmationOf(server, waiting.email), /confirmation_token=/)
  const invalid = await fresh.post(path, { email: 'no address' })
  assert.deepEqual([invalid.status, invalid.json], [422, { error: 'Validation failed: E-mail address is invalid' }])
  const other = await personWithPassword(server, 'other')
  const taken = await fresh.post(path, { email: other.email })
  const message = 'Validation failed: E-mail address has already been taken'
  assert.deepEqual([taken.status, taken.json], [422, { error: message }])
  const moved = `${newName()}@example.com`
  const sent = await fresh.post(path, { email: moved })
  assert.deepEqual([sent.status, sent.json], [200, {}])
  const link = await confirmationOf(server, moved)
  assert.match(link, /redirect_to_app=true/)
  const browser = new Browser(server)
  assert.equal((await browser.get(link)).location, 'https://app.example/callback')
  assert.match((await browser.get(link)).text, /href="https:\/\/app\.example\/callback"/)
  const [row] = await sql(server, 'select email, unconfirmed_email from users where id = $1', [waiting.userId])
  assert.deepEqual(row, { email: moved, unconfirmed_email: null })
  assert.deepEqual((await fresh.get('/api/v1/emails/check_confirmation')).json, true)
  const done = await fresh.post(path)
  const confirmed = 'This method is only available while the e-mail is awaiting confirmation'
  assert.deepEqual([done.status, done.json], [403, { error: confirmed }])
  await sql(server, 'update users set unconfirmed_email = $2 where id = $1', [
    waiting.userId,
    `${newName()}@example.com`,
  ])
  const pending = await fresh.post(path)
  assert.deepEqual([pending.status, pending.json], [200, {}])
})

test('a user who waits for approval can resend the confirmation e-mail and ask for its state', async () => {
  const server = await sharedServer()
  const app = await registerApplication(server)
  const user = { confirmed_at: null, approved: false, created_by_application_id: app.id }
  const { userId } = await personWithPassword(server, 'waiting', { user })
  const client = await tokenOf(server, userId, app.id)
  const sent = await client.post('/api/v1/emails/confirmations')
  assert.deepEqual([sent.status, sent.json], [200, {}])
  assert.equal((await client.get('/api/v1/emails/check_confirmation')).json, false)
})

/** Creates a token of an application for a user. */
async function tokenOf(server: TestServer, userId: string, applicationId: string): Promise<Client> {
  const secret = await makeToken(server, userId, ['write', 'read'])
  await sql(server, 'update oauth_tokens set application_id = $1 where user_id = $2', [applicationId, userId])
  return new Client(server, secret)
}

test('only the owner can check whether the e-mail address is confirmed', async () => {
  const server = await sharedServer()
  const path = '/api/v1/emails/check_confirmation'
  const alice = await personWithPassword(server, 'alice')
  assert.deepEqual((await alice.get(path)).json, true)
  const error = 'This method requires an authenticated user'
  for (const client of [
    new Client(server),
    new Client(server, 'unknown'),
    new Client(server, await makeToken(server, null)),
  ]) {
    const { status, json } = await client.get(path)
    assert.deepEqual([status, json], [401, { error }])
  }
  const writer = new Client(server, await makeToken(server, alice.userId, ['write']))
  assert.equal((await writer.get(path)).status, 403)
})
