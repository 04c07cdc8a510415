import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForJobs } from '../../federation/federation_fixtures.ts'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { person, sql } from '../../support/people.ts'
import { changeSetting } from '../../web/public/page_fixtures.ts'
import { begin, confirm, linkIn, offer, offered, subscribed, type Setting } from './subscription_fixtures.ts'

const ask = (
  { server, author }: Pick<Setting, 'server' | 'author'>,
  email: unknown,
  headers: Record<string, string> = {},
) => new Client(server).post(`/api/v1/accounts/${author.id}/email_subscriptions`, { email }, headers)

test('the setting, the role and the switch of the owner decide', async t => {
  const setting = await begin(t)
  const { server, author, browser } = setting
  assert.equal(await offered(setting), true)
  const own = (await author.get('/api/v1/accounts/verify_credentials')).json as Record<string, unknown>
  assert.equal(own['email_subscriptions'], true)
  assert.equal((await ask(setting, 'reader@example.com')).status, 200)
  assert.match((await new Browser(server).get(`/@${author.username}`)).text, /action="\/email_subscriptions"/)

  await offer(setting, false)
  assert.equal(await offered(setting), false)
  const closed = await ask(setting, 'reader@example.com')
  assert.deepEqual([closed.status, closed.text], [404, ''])
  assert.doesNotMatch((await new Browser(server).get(`/@${author.username}?x`)).text, /email_subscriptions/)
  await offer(setting)

  const other = await person(server, 'other', { user: { email_subscriptions: true } })
  assert.equal((await ask({ server, author: other as never }, 'reader@example.com')).status, 404, 'no permission')
  const unknown = await new Client(server).post('/api/v1/accounts/1/email_subscriptions', { email: 'a@b.example' })
  assert.deepEqual(unknown.json, { error: 'Record not found' })

  await changeSetting(server, 'email_subscriptions', false, async () => (await offered(setting)) === undefined)
  assert.equal((await ask(setting, 'reader@example.com')).status, 404)
  assert.equal((await browser.get('/settings/email_subscriptions')).status, 404)
  assert.doesNotMatch((await browser.get('/settings/profile')).text, /email_subscriptions/)
})

test('addresses are checked, and blocks are honoured', async t => {
  const setting = await begin(t)
  await sql(setting.server, `insert into email_domain_blocks (domain) values ('blocked.example')`)
  const errors = async (email: unknown): Promise<unknown> => {
    const response = await ask(setting, email)
    assert.equal(response.status, 422, String(email))
    const { details } = response.json as { details: { email: { error: string }[] } }
    return details.email.map(({ error }) => error)
  }
  assert.deepEqual(await errors('nonsense'), ['ERR_INVALID'])
  assert.deepEqual(await errors(''), ['ERR_BLANK', 'ERR_INVALID'])
  assert.deepEqual(await errors(`${'x'.repeat(320)}@example.com`), ['ERR_INVALID', 'ERR_TOO_LONG'])
  assert.deepEqual(await errors('reader@mail.blocked.example'), ['ERR_BLOCKED'])
  assert.equal((await ask(setting, { a: 1 })).status, 422)
  assert.equal((await ask(setting, ' Reader@Example.com ')).status, 200)
  const rows = await sql(setting.server, 'select email from email_subscriptions')
  assert.deepEqual(rows, [{ email: 'reader@example.com' }])
})

test('only who asked knows that an address has been subscribed', async t => {
  const setting = await begin(t)
  await subscribed(setting, 'reader@example.com')
  const again = await ask(setting, 'reader@example.com')
  assert.equal(again.status, 422)
  assert.deepEqual((again.json as { details: unknown }).details, {
    email: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
  })
  await setting.mailbox.email('reader@example.com', /subscribed to author already/)
  // Somebody else, from another network.
  await sql(setting.server, `update email_subscriptions set requested_ip = '203.0.113.7'`)
  const other = await ask(setting, 'reader@example.com')
  assert.deepEqual([other.status, other.text], [200, '{}'])
  const { text } = await setting.mailbox.email('reader@example.com', /subscribed to author already/)
  assert.ok(linkIn(text, '/unsubscribe'))
  const [row] = await sql(setting.server, 'select confirmed_at is not null as confirmed from email_subscriptions')
  assert.deepEqual(row, { confirmed: true })
})

test('a repeated request whose e-mail is refused does not end the subscription', async t => {
  const setting = await begin(t)
  const { server, mailbox } = setting
  await subscribed(setting, 'reader@example.com')
  await ask(setting, 'waiting@example.com')
  await mailbox.email('waiting@example.com', /Confirm/)
  for (const email of ['reader@example.com', 'waiting@example.com']) {
    mailbox.refusals.set(email, [550, '5.1.1 no such user'])
    await ask(setting, email)
    await mailbox.refused()
  }
  await waitForJobs(t, server, 'email_subscriptions.confirm')
  assert.deepEqual(await sql(server, 'select email from email_subscriptions'), [{ email: 'reader@example.com' }])
})

test('a visitor subscribes by the form on the profile, and confirms by the link', async t => {
  const setting = await begin(t)
  const { server, author, mailbox } = setting
  const visitor = new Browser(server)
  const profile = await visitor.get(`/@${author.username}`)
  const refused = await visitor.submit(profile, '/email_subscriptions', { email: 'nonsense' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /is invalid/)
  const sent = await visitor.submit(refused, '/email_subscriptions', { email: 'reader@example.com' })
  assert.equal(sent.status, 200)
  assert.equal(visitor.cookies.size, 0)
  assert.match(readHtml(sent.text), /we have sent a link/)
  const email = await mailbox.email('reader@example.com', /Confirm your subscription to author/)
  assert.match(email.text, new RegExp(`@${author.username}@`))
  const link = linkIn(email.text, '/email_subscriptions/confirmation')
  assert.equal((await visitor.get(link)).status, 200)
  const [waiting] = await sql(server, 'select confirmed_at from email_subscriptions')
  assert.deepEqual(waiting, { confirmed_at: null }, 'to open the link is not enough')
  assert.equal((await visitor.post(link, {})).status, 422, 'without the form')
  assert.equal(await confirm(server, link), 200)
  assert.equal(await confirm(server, link), 200, 'again')
  const [row] = await sql(
    server,
    'select confirmed_at is not null as confirmed, octet_length(confirmation_token_hash) as size from email_subscriptions',
  )
  assert.deepEqual(row, { confirmed: true, size: 32 })

  await sql(server, `update email_subscriptions set confirmation_sent_at = now() - interval '49 hours'`)
  assert.equal((await visitor.get(link)).status, 404)
  assert.equal((await visitor.get('/email_subscriptions/confirmation')).status, 404)
  const bot = await visitor.submit(profile, '/email_subscriptions', { email: 'bot@example.com', website: 'x' })
  assert.equal(bot.status, 200)
  assert.deepEqual(await sql(server, `select from email_subscriptions where email = 'bot@example.com'`), [])
})

test('requests are limited by address and by network, whichever account they are for', async t => {
  const setting = await begin(t, { RATE_LIMITS: 'on' })
  const { server } = setting
  const other = await person(server, 'other')
  for (let time = 0; time < 5; time += 1) {
    const owner = time % 2 === 0 ? setting : { server, author: other as never }
    assert.notEqual((await ask(owner, 'reader@example.com')).status, 429)
  }
  const user = { email: 'another@example.com' }
  const evading = await new Client(server).post(`/api/v1/accounts/${setting.author.id}/email_subscriptions`, {
    email: ' READER@example.com',
    user,
  })
  assert.equal(evading.status, 429)
  const byForm = await new Browser(server).post('/email_subscriptions', {
    account_id: setting.author.id,
    email: 'reader@example.com',
  })
  assert.equal(byForm.status, 429)
  for (let time = 7; time < 25; time += 1)
    assert.notEqual((await ask(setting, `reader${time}@example.com`)).status, 429, String(time))
  assert.equal((await ask(setting, 'one_more@example.com')).status, 429)
})

test('addresses that are not confirmed expire, and those of a suspended account are removed', async t => {
  const setting = await begin(t)
  const { server, author } = setting
  await subscribed(setting, 'reader@example.com')
  await ask(setting, 'late@example.com')
  await sql(server, `update email_subscriptions set requested_at = now() - interval '49 hours'`)
  await sql(
    server,
    `select graphile_worker.add_job('email_subscriptions.clean', '{}'), pg_notify('jobs:insert', '{"count": 1}')`,
  )
  await setting.mailbox.email('late@example.com', /Confirm/)
  for (;;) {
    const rows = await sql(server, 'select email, requested_ip from email_subscriptions order by email')
    if (rows.length === 1) {
      assert.deepEqual(rows, [{ email: 'reader@example.com', requested_ip: null }])
      break
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [author.id])
  assert.deepEqual(await sql(server, 'select email from email_subscriptions'), [])
})
