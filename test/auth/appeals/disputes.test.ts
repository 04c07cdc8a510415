import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser, readHtml } from '../../support/browser.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { person, sql } from '../../support/people.ts'
import { startServer, type ServerAddress } from '../../support/server.ts'
import { staffMember } from '../../administration/staff_fixtures.ts'

const PAGE = '/disputes/strikes'

/** Creates a strike of some days ago; returns the path of its page. */
async function strike(server: ServerAddress, account: string, action: string, days: number): Promise<string> {
  const [made] = await sql(
    server,
    `insert into account_warnings (target_account_id, action, text, status_ids, created_at)
     values ($1, $2, 'Please <stop>.', array[7], now() - make_interval(days => $3)) returning id`,
    [account, action, days],
  )
  return `${PAGE}/${String(made?.['id'])}`
}

test('a suspended user sees the reason and appeals once within 20 days, and staff are notified', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const admin = await person(server, 'admin', { roleId: 2 })
  await person(server, 'moderator', { roleId: 1 })
  const account = { suspended_at: new Date() }
  const alice = await personWithPassword(server, 'alice', { account, user: { disabled: true } })
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  assert.match((await browser.get(PAGE)).text, /have not taken any action/)
  const old = await strike(server, alice.id, 'silence', 20)
  const path = await strike(server, alice.id, 'suspend', 19)
  const list = await browser.get(PAGE)
  assert.ok(list.text.includes(`href="${path}"`) && list.text.includes(`href="${old}"`))
  const page = await browser.get(path)
  const shown = readHtml(page.text)
  assert.ok(shown.includes('Please <stop>.') && shown.includes('has been suspended'), shown)
  assert.ok(page.text.includes(`/@${alice.username}/7`))

  const appeal = (text: string) => browser.submit(page, `${path}/appeal`, { 'appeal[text]': text })
  for (const [text, fault] of [
    [' ', "can't be blank"],
    ['x'.repeat(2001), 'is too long (maximum is 2000 characters)'],
  ] as const) {
    const response = await appeal(text)
    assert.deepEqual([response.status, readHtml(response.text).includes(fault)], [200, true], fault)
  }
  const sent = await appeal('I did <nothing>')
  assert.deepEqual([sent.status, sent.location], [302, path])
  const email = await mail.email(`${admin.username}@example.com`, /appeals against a decision/)
  assert.ok(email.text.includes('I did <nothing>') && email.text.includes('(Suspended)'))
  assert.ok(
    email.text.indexOf('I did <nothing>') < email.text.indexOf('/admin/disputes/appeals'),
    'the button after the text',
  )
  assert.ok(email.text.includes(`${server.url}/admin/disputes/appeals`), email.text)
  assert.match(readHtml((await browser.get(path)).text), /waits for a decision/)
  assert.match((await appeal('again')).text, /already appealed against this/)
  const late = await browser.get(old)
  assert.ok(!late.forms.some(form => form.action === `${old}/appeal`))
  const { authenticity_token: token = '' } = page.forms[0]?.fields ?? {}
  const refused = await browser.post(`${old}/appeal`, { authenticity_token: token, 'appeal[text]': 'late' })
  assert.match(readHtml(refused.text), /It is too late to appeal this strike/)
  const stored = await sql(server, 'select text from appeals')
  assert.deepEqual(stored, [{ text: 'I did <nothing>' }])
  await sql(server, 'update appeals set rejected_at = now()')
  assert.match(readHtml((await browser.get(path)).text), /Your appeal was rejected/)
})

test('a strike shows the posts that it removed, and the rules that they broke, on its page and by e-mail', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  const alice = await personWithPassword(server, 'alice')
  const bob = await person(server, 'bob')
  const [rule] = await sql(
    server,
    `insert into rules (text, translations) values ('Be kind', '{"de": {"text": "Seien Sie nett"}}') returning id::text`,
  )
  const post = await alice.postStatus('You <mill>\n\nyou', { spoiler_text: 'rude' })
  const reported = await bob.post('/api/v1/reports', {
    account_id: alice.id,
    status_ids: [post.id],
    category: 'violation',
    rule_ids: [String(rule?.['id'])],
  })
  const path = `/admin/reports/${(reported.json as { id: string }).id}`
  await moderator.submit(await moderator.get(path), `${path}/statuses`, {
    change: 'delete_statuses',
    sure: '1',
    'status_ids[]': post.id,
    text: 'First.\r\n\r\nSecond.',
    notify: '1',
  })
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const list = await browser.get(PAGE)
  const page = await browser.get(/href="(\/disputes\/strikes\/\d+)"/.exec(list.text)?.[1] ?? '')
  assert.match(page.text, /<p[^>]*>First\.<\/p>\s*<p[^>]*>Second\.<\/p>/)
  assert.match(page.text, /Reason: Breaks rules[\s\S]*<li[^>]*>Be kind<\/li>/)
  assert.match(page.text, /<p[^>]*>rude<\/p>\s*<p[^>]*>You &lt;mill&gt;<\/p>\s*<p[^>]*>you<\/p>/)
  assert.ok(page.text.includes(`/@${alice.username}/${post.id}`))
  const received = await mail.email(alice.email, /about your account/)
  const text = received.text.replaceAll('\r\n', '\n')
  assert.ok(text.includes('First.\n\nSecond.\n\n'), text)
  assert.ok(text.includes('Reason: Breaks rules\n– Be kind\n'), text)
  assert.ok(text.includes(`/@${alice.username}/${post.id}\nrude\n\nYou <mill>\n\nyou`), text)
})

test('a strike is visible only to its owner', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const bob = await personWithPassword(server, 'bob')
  const path = await strike(server, alice.id, 'none', 1)
  const browser = new Browser(server)
  assert.equal((await browser.get(path)).location, '/auth/sign_in')
  await browser.signIn(bob.email, PASSWORD)
  assert.deepEqual([(await browser.get(path)).status, (await browser.get(`${PAGE}/0`)).status], [404, 404])
  const { authenticity_token: token = '' } = (await browser.get(PAGE)).forms[0]?.fields ?? {}
  const form = { authenticity_token: token, 'appeal[text]': 'x' }
  assert.equal((await browser.post(`${path}/appeal`, form)).status, 404)
  assert.equal((await browser.post(`${path}/appeal`, { ...form, authenticity_token: 'x' })).status, 422)
  assert.equal((await browser.post(`${path}/appeal`, { authenticity_token: token })).status, 400)
})
