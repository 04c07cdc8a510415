import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { startMailServer, type MailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { Browser } from '../../support/browser.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { assertCsrf, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

interface Setting {
  readonly server: TestServer
  readonly mailbox: MailServer
  readonly admin: Person & { email: string }
  readonly browser: Browser
}

async function begin(t: Test): Promise<Setting> {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url } })
  const admin = await personWithPassword(server, 'admin', { roleId: 2 })
  t.after(() => admin.close())
  const browser = new Browser(server)
  await browser.signIn(admin.email, PASSWORD)
  return { server, mailbox, admin, browser }
}

async function publishedTerms({ server }: Setting): Promise<string> {
  const [row] = await sql(
    server,
    `insert into terms_of_service (text, changelog, effective_date, published_at)
     values ('All', 'Be **kinder** on %{domain}, see [rules](/about#rules) and [below](#end)', '2031-02-03', now()) returning id::text`,
  )
  return String(row?.['id'])
}

const endDelay = ({ server }: Setting): Promise<unknown> =>
  sql(
    server,
    `with due as (
       select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker.jobs j
       where j.task_identifier like 'member_mailings.%'
     )
     select count(*), pg_notify('jobs:insert', '{"count": 1}') from due`,
  )

test('published terms are sent to all users once, after a preview and a test', async t => {
  const setting = await begin(t)
  const { server, mailbox, admin, browser } = setting
  const german = await person(server, 'german', { user: { locale: 'de' } })
  const others: [string, Parameters<typeof person>[2]][] = [
    ['waiting', { user: { confirmed_at: null } }],
    ['pending', { user: { approved: false } }],
    ['suspended', { account: { suspended_at: new Date() } }],
    ['memorial', { account: { memorial: true } }],
  ]
  const left = await Promise.all(others.map(([name, options]) => person(server, name, options)))
  const list = '/admin/terms_of_service'
  const [draft] = await sql(server, `insert into terms_of_service (text) values ('Draft') returning id::text`)
  assert.equal((await browser.get(`${list}/${String(draft?.['id'])}/preview`)).status, 404, 'a draft')
  const path = `${list}/${await publishedTerms(setting)}`
  assert.ok((await browser.get(list)).text.includes(`href="${path}/preview"`))
  await assertCsrf(browser, `${path}/distribution`, { sure: '1' })

  const preview = await browser.get(`${path}/preview`)
  assert.match(
    readText(preview),
    /New terms of service of Millrace.*February 3, 2031.*Be \*\*kinder\*\* on.*2 recipients/,
  )
  const tested = await browser.submit(preview, `${path}/test`)
  assert.equal(tested.location, `${path}/preview`)
  const email = await mailbox.email(admin.email, /New terms of service of Millrace/)
  assert.match(email.text, new RegExp(`Hello ${admin.username},.*February 3, 2031.*/terms-of-service/2031-02-03`, 's'))
  assert.ok(email.html.includes('<strong>kinder</strong>'))
  for (const link of [
    `${server.config.publicUrl}/about#rules`,
    `${server.config.publicUrl}/terms-of-service/2031-02-03#end`,
  ]) {
    assert.ok(email.html.includes(`href="${link}"`), email.html)
    assert.ok(email.text.includes(`(${link})`), email.text)
  }
  assert.deepEqual(await sql(server, 'select from member_mailings'), [])

  assert.match(
    readText(await browser.get((await browser.submit(preview, `${path}/distribution`)).location)),
    /Tick the box/,
  )
  const started = await browser.submit(preview, `${path}/distribution`, { sure: '1' })
  assert.equal(started.location, `${path}/preview`)
  assert.match(
    (await mailbox.email(`${german.username}@example.com`, /Neue Nutzungsbedingungen von Millrace/)).text,
    /3\. Februar 2031/,
  )
  await mailbox.email(admin.email, /New terms/)
  assert.equal((await browser.submit(preview, `${path}/distribution`, { sure: '1' })).status, 404, 'again')
  assert.deepEqual(
    left.map(({ username }) => mailbox.count(`${username}@example.com`)),
    [0, 0, 0, 0],
  )
  assert.doesNotMatch((await browser.get(`${path}/preview`)).text, /distribution" method/)
  const [row] = await sql(
    server,
    'select notified_at is not null as notified from terms_of_service where published_at is not null',
  )
  assert.deepEqual(row, { notified: true })
  assert.deepEqual(await loggedActions(server, admin), ['notify TermsOfService 2031-02-03'])
})

test('an announcement is sent to all users once, in batches that continue after a failure', async t => {
  const setting = await begin(t)
  const { server, mailbox, admin, browser } = setting
  await sql(
    server,
    `with made as (insert into accounts (username) select 'member' || n from generate_series(1, 120) n returning id, username)
     insert into users (account_id, email, password_hash, confirmed_at) select id, username || '@example.com', '-', now() from made`,
  )
  const members = Array.from({ length: 120 }, (_, index) => `member${index + 1}@example.com`)
  const list = '/admin/announcements'
  const form = await browser.get(`${list}/new`)
  await browser.submit(form, list, { 'announcement[text]': 'Maintenance <tonight>', next: 'publish' })
  const [row] = await sql(server, 'select id::text from announcements')
  const path = `${list}/${String(row?.['id'])}`
  const preview = await browser.get(`${path}/preview`)
  assert.match(readText(preview), /The team of Millrace announces: Maintenance <tonight>.*121 recipients/)

  mailbox.refusals.set('member7@example.com', [450, '4.2.0 later'])
  mailbox.refusals.set('member8@example.com', [550, '5.1.1 nobody'])
  await browser.submit(preview, `${path}/distribution`, { sure: '1' })
  await mailbox.refused()
  await mailbox.email('member120@example.com', /Announcement of Millrace/)
  const email = await mailbox.email(admin.email, /Announcement/)
  assert.ok(email.html.includes('Maintenance &lt;tonight&gt;'))
  const [mailing] = await sql(server, 'select id::text from member_mailings')
  await sql(server, `update member_mailings set reached_user_id = 0, finished_at = null`)
  await sql(server, `select graphile_worker.add_job('member_mailings.send', $1)`, [{ mailing: mailing?.['id'] }])
  mailbox.refusals.clear()
  await endDelay(setting)
  await mailbox.email('member7@example.com', /Announcement/)
  for (;;) {
    const [found] = await sql(server, 'select finished_at is not null as finished from member_mailings')
    if (found?.['finished'] === true) break
    await new Promise(resolve => setImmediate(resolve))
  }
  const counts = members.filter(member => mailbox.count(member) !== 1)
  assert.deepEqual(counts, ['member8@example.com'])
  assert.equal(mailbox.count('member8@example.com'), 0)
  assert.match(readText(await browser.get(`${path}/preview`)), /E-mails sent since.*\d+ sent/)
  assert.deepEqual((await loggedActions(server, admin)).at(-1), 'notify Announcement Maintenance <tonight>')
})

test('e-mails about an announcement that is no longer published end where they are', async t => {
  const { server, browser } = await begin(t)
  const list = '/admin/announcements'
  const [made] = await sql(
    server,
    `with a as (insert into announcements (text, content, published, notified_at) values ('Soon', '<p>Soon</p>', false, now()) returning id)
     insert into member_mailings (announcement_id, sent_count) select id, 5 from a returning id::text, announcement_id::text as announcement`,
  )
  await sql(server, `select graphile_worker.add_job('member_mailings.send', $1)`, [{ mailing: made?.['id'] }])
  for (;;) {
    const jobs = `select from graphile_worker.jobs where task_identifier = 'member_mailings.send'`
    if ((await sql(server, jobs)).length === 0) break
  }
  const path = `${list}/${String(made?.['announcement'])}`
  const page = await browser.get(list)
  await browser.submit(page, `${path}/publication`)
  assert.match(readText(await browser.get(`${path}/preview`)), /E-mails sent since.*\b5 sent/)
})

test('the pages need the permission to manage settings', async t => {
  const setting = await begin(t)
  const { browser } = await staffMember(t, setting.server, 'moderator')
  const id = await publishedTerms(setting)
  for (const path of [`/admin/terms_of_service/${id}/preview`, '/admin/announcements/1/preview'])
    assert.equal((await browser.get(path)).status, 403, path)
  assert.equal((await setting.browser.get('/admin/announcements/999/preview')).status, 404)

  const [role] = await sql(
    setting.server,
    `insert into roles (name, position, permissions) values ('Herald', 20, permission('manage_announcements')) returning id`,
  )
  const herald = await personWithPassword(setting.server, 'herald', { roleId: Number(role?.['id']) })
  t.after(() => herald.close())
  const theirs = new Browser(setting.server)
  await theirs.signIn(herald.email, PASSWORD)
  const list = '/admin/announcements'
  const form = await theirs.get(`${list}/new`)
  await theirs.submit(form, list, { 'announcement[text]': 'Hear', next: 'publish' })
  const [announcement] = await sql(setting.server, 'select id::text from announcements')
  const preview = `${list}/${String(announcement?.['id'])}/preview`
  assert.ok((await setting.browser.get(list)).text.includes(preview))
  assert.equal((await theirs.get(list)).text.includes(preview), false)
  assert.equal((await theirs.get(preview)).status, 403)
})
