import assert from 'node:assert/strict'
import { test } from 'tap'
import { MAIL_JOBS } from '../../../src/administration/dashboard/checks.ts'
import { jobs } from '../../../src/app/jobs.ts'
import type { Page } from '../../support/browser.ts'
import { person, sql } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { assertOnlyStaff, readText, ROLES, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/dashboard'

/** The card of a figure. */
const cardOf = (page: Page, id: string): string =>
  new RegExp(`<section[^>]* id="${id}"[\\s\\S]*?</section>`).exec(page.text)?.[0] ?? ''

test('the dashboard needs a permission and is the start page of the staff', async t => {
  await assertOnlyStaff(t, await sharedServer(), [PATH])
  const { browser } = await staffMember(t, await sharedServer(), 'moderator')
  assert.equal((await browser.get('/admin')).location, PATH)
})

test('the figures of the last month are plots, each with a table', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'owner')
  await sql(
    server,
    `select count_by_day(given.counter::day_counter, (now() at time zone 'UTC')::date - given.days, given.amount)
     from (values ('interactions', 3, 1191), ('interactions', 29, 34), ('interactions', 40, 617), ('interactions', 0, 9))
       given (counter, days, amount)`,
  )
  const page = await browser.get(PATH)
  assert.equal(page.status, 200)
  const card = cardOf(page, 'interactions')
  assert.match(card, /<p class="total">1,234<\/p>/)
  assert.match(card, /\+100% compared to 617 before/)
  assert.equal([...card.matchAll(/<rect/g)].length, 30)
  assert.match(
    card,
    /role="img"\s+aria-label="Interactions by day, [A-Z][a-z]+ \d+ to [A-Z][a-z]+ \d+: at least 0, at most 1,191"/,
  )
  assert.equal([...card.matchAll(/<tr>/g)].length, 31)
  assert.match(cardOf(page, 'new_users'), /0 before/)
  assert.match(cardOf(page, 'retention'), /same month[\s\S]*6 months later/)
  assert.match(cardOf(page, 'sources'), /Website/)
  assert.doesNotMatch(page.text, /<script|style="/)
})

test('pending items are counted for staff with the permission to decide about them', async t => {
  const server = await startServer(t)
  const { browser, person: owner } = await staffMember(t, server, 'owner')
  const reporter = await person(server, 'reporter')
  await reporter.post('/api/v1/reports', { account_id: owner.id, comment: 'x' })
  await person(server, 'waiting', { user: { approved: false } })
  await person(server, 'unconfirmed', { user: { approved: false, confirmed_at: null } })
  await sql(
    server,
    `insert into tags (name, display_name, requested_review_at, reviewed_at)
     values ('one', 'One', now(), null), ('two', 'Two', now(), null), ('three', 'Three', now(), now())`,
  )
  const page = await browser.get(PATH)
  assert.match(page.text, /href="\/admin\/reports" class="some"/)
  const text = readText(page)
  assert.match(
    text,
    /1 Open reports 1 Sign-ups 0 Appeals 2 Hashtags to review 0 Publishers to review 0 Authors to review/,
  )
  await sql(server, `update roles set permissions = 8 where id = $1`, [ROLES.moderator])
  const { browser: viewer } = await staffMember(t, server, 'moderator')
  const narrow = await viewer.get(PATH)
  assert.equal(narrow.status, 200)
  assert.doesNotMatch(readText(narrow), /Open reports|Node\.js/)
})

test('the state of the system is shown to staff with the permission for it', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'owner')
  const healthy = readText(await browser.get(PATH))
  assert.match(healthy, /No mail server is configured/)
  assert.match(healthy, /Background jobs OK/)
  assert.match(healthy, /Database migrations OK/)
  assert.match(healthy, new RegExp(`Node\\.js ${process.versions.node}`))
  await sql(server, `delete from migrations where name = '0001_foundation'`)
  for (const kind of ['letters.notice', 'member_mailings.send', 'email_subscriptions.send'])
    await sql(server, `select graphile_worker.add_job($1, '{}', run_at => now() + interval '1 day')`, [kind])
  await sql(
    server,
    `update graphile_worker._private_jobs set attempts = 2, last_error = E'550 <b>no such user</b>\\n at line 7'
     where run_at > now() + interval '1 hour'`,
  )
  const page = await browser.get(PATH)
  const ill = readText(page)
  assert.match(ill, /3 e-mails were not sent\. Latest error: 550/)
  assert.match(ill, /0 jobs failed for good, 3 are tried again/)
  assert.match(ill, /0001_foundation/)
  assert.doesNotMatch(page.text, /<b>no such user|line 7/)
})

test('the kinds of jobs that send e-mails exist', async () => {
  const known = new Set(jobs.map(({ name }) => name))
  assert.deepEqual(
    MAIL_JOBS.filter(name => !known.has(name)),
    [],
  )
})
