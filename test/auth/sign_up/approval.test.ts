import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Client } from '../../support/client.ts'
import { Browser } from '../../support/browser.ts'
import { startReceiver } from '../../administration/webhooks/receiver.ts'
import { startMailServer, type MailServer } from '../../support/mailbox.ts'
import { registerApplication } from '../../support/oauth.ts'
import { person, sql } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, startServer, type TestServer } from '../../support/server.ts'

const ctl = async (server: TestServer, ...command: string[]): Promise<void> => {
  const ran = await runHere(command, { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir })
  assert.equal(ran.code, 0, ran.err)
}

/** Signs a person up through an application, in German; returns a client with the token. */
async function signUp(server: TestServer, username: string): Promise<Client> {
  const application = await registerApplication(server, { scopes: 'read write' })
  const token = await new Client(server).post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: application.client_id,
    client_secret: application.client_secret,
    redirect_uri: application.redirect_uri,
    scope: 'read write',
  })
  const wanted = {
    username,
    email: `${username}@example.com`,
    password: 'correct horse',
    agreement: true,
    locale: 'de',
    reason: 'I like tapirs',
  }
  const holder = new Client(server, (token.json as { access_token: string }).access_token)
  const made = await holder.post('/api/v1/accounts', wanted)
  assert.equal(made.status, 200, made.text)
  return new Client(server, (made.json as { access_token: string }).access_token)
}

/** Opens the link of the confirmation e-mail. */
async function confirm(server: TestServer, mail: MailServer, username: string): Promise<void> {
  const email = await mail.email(`${username}@example.com`, /Bestätigen Sie Ihre E-Mail-Adresse/)
  const link = new URL(/https?:\/\/\S+confirmation_token=\S+/.exec(email.text)?.[0] ?? '')
  const opened = await new Browser(server).get(`${link.pathname}${link.search}`)
  assert.equal(opened.status, 302)
}

const own = '/api/v1/accounts/verify_credentials'

test('a sign-up with approval is confirmed, announced to staff with its reason, and approved', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env: { SMTP_URL: mail.url } })
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const stream = await moderator.stream('user:notification')
  await ctl(server, 'settings', 'registrations', 'approved')
  const mode = () => new Client(server, 'unknown').get('/api/v2/instance')
  await until(mode, ({ text }) => text.includes('"approval_required":true'), 'the mode')
  const newcomer = await signUp(server, 'tapir')
  await confirm(server, mail, 'tapir')
  const email = await mail.email(`${moderator.username}@example.com`, /waits for review: @tapir/)
  assert.ok(email.text.includes('I like tapirs') && email.text.includes('tapir@example.com'))
  assert.ok(email.text.includes(`${server.url}/admin/accounts?status=pending`), email.text)
  const waiting = await newcomer.get(own)
  assert.deepEqual([waiting.status, waiting.json], [403, { error: 'Your login is currently pending approval' }])
  assert.deepEqual((await newcomer.get('/api/v1/emails/check_confirmation')).json, true)
  assert.equal((await new Client(server, 'unknown').get('/api/v1/accounts/lookup?acct=tapir')).status, 404)
  await ctl(server, 'accounts', 'approve', 'tapir')
  await until(
    () => newcomer.get(own),
    ({ status }) => status === 200,
    'the approval',
  )
  const notification = (await stream.next('notification')).payload as { type: string; account: { username: string } }
  assert.deepEqual([notification.type, notification.account.username], ['admin.sign_up', 'tapir'])
  await mail.email('tapir@example.com', /Willkommen/)
})

test('an open sign-up is complete when the e-mail address is confirmed', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, {
    ...OPEN_REGISTRATIONS,
    env: { SMTP_URL: mail.url, ALLOW_PRIVATE_ADDRESSES: 'on' },
  })
  const receiver = await startReceiver(t)
  await ctl(server, 'webhooks', 'create', receiver.url, '--events', 'account.created,account.approved')
  const newcomer = await signUp(server, 'heron')
  const early = await newcomer.get(own)
  const { body: created } = await receiver.next('account.created')
  assert.deepEqual([created.object['approved'], created.object['confirmed']], [true, false])
  assert.deepEqual([early.status, early.json], [403, { error: 'Your login is missing a confirmed e-mail address' }])
  await confirm(server, mail, 'heron')
  assert.equal((await newcomer.get(own)).status, 200)
  await mail.email('heron@example.com', /Willkommen/)
  // Programs that welcome newcomers wait for this event.
  const { body: approved } = await receiver.next('account.approved')
  assert.deepEqual([approved.object.id, approved.object['confirmed']], [created.object.id, true])
  const [row] = await sql(server, `select locale, sign_up_reason from users where email = 'heron@example.com'`)
  assert.deepEqual(row, { locale: 'de', sign_up_reason: 'I like tapirs' })
})
