import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { startMailServer, type MailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { endEmailDelay } from './email_delay.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { startPushService } from '../push/push_service.ts'
import { waitForJobs } from '../../federation/federation_fixtures.ts'

const PAGE = '/settings/preferences/notifications'
const TYPES = ['mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog']

interface Setting {
  readonly server: TestServer
  readonly mailbox: MailServer
  readonly alice: Person & { email: string }
  readonly bob: Person
}

async function begin(t: Test): Promise<Setting> {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url } })
  const [alice, bob] = await Promise.all([personWithPassword(server, 'alice'), person(server, 'bob')])
  t.after(() => alice.close())
  return { server, mailbox, alice, bob }
}

/** The types of the waiting e-mails, in the order of their notifications. */
async function waiting({ server }: Setting): Promise<string[]> {
  const rows = await sql(
    server,
    `select n.type from waiting_emails w join notifications n on n.id = w.notification_id
     where w.due_at between now() + interval '1 minute' and now() + interval '141 seconds'
       and exists (
         select from graphile_worker.jobs j where j.task_identifier = 'notification_mail.begin' and j.run_at = w.due_at
       )
     order by n.id`,
  )
  return rows.map(({ type }) => String(type))
}

const endDelay = ({ server }: Setting): Promise<unknown> => endEmailDelay(server)

const choose = async ({ server, alice }: Setting, wanted: readonly string[]): Promise<void> => {
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get(PAGE)
  assert.equal(page.status, 200)
  const boxes = [...TYPES, 'always']
  const ticked = Object.fromEntries(boxes.map(name => [`user[mail][${name}]`, wanted.includes(name) ? '1' : null]))
  const response = await browser.submit(page, PAGE, ticked, 'put')
  assert.deepEqual([response.status, response.location], [302, PAGE])
  const { text } = await browser.get(PAGE)
  for (const name of boxes) {
    assert.equal(new RegExp(`name="user\\[mail\\]\\[${name}\\]"[^>]* checked`).test(text), wanted.includes(name), name)
  }
}

const notify = ({ server, alice, bob }: Setting, type: string, at: number, status: string | null): Promise<unknown> =>
  sql(server, 'select notify($1, $2, $3, $4, $5)', [alice.id, bob.id, type, status, at])

test('mentions, quotes, follows and follow requests are sent by e-mail after two minutes', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox, server } = setting
  const status = await bob.postStatus(`hello @${alice.username} & <all>`)
  await bob.follow(alice)
  assert.deepEqual(await waiting(setting), ['mention', 'follow'])
  await endDelay(setting)
  const mention = await mailbox.email(alice.email, /mentioned/)
  assert.equal(mention.subject, `You were mentioned by @${bob.username}`)
  assert.match(
    mention.text,
    new RegExp(`@${bob.username}\\) mentioned you:\\s+@${alice.username} hello|hello @${alice.username} & <all>`),
  )
  assert.ok(mention.text.includes(`${server.config.publicUrl}/@${bob.username}/${status.id}`), mention.text)
  assert.ok(mention.text.includes(`${server.config.publicUrl}${PAGE}`), mention.text)
  const follow = await mailbox.email(alice.email, /following/)
  assert.equal(follow.subject, `@${bob.username} is now following you`)
  assert.match(follow.text, new RegExp(`${server.config.publicUrl}/@${bob.username}\\s`))
})

test('a content warning is not taken for what was said', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox } = setting
  await bob.postStatus(`@${alice.username} the end`, { spoiler_text: 'of the film' })
  await endDelay(setting)
  const { text } = await mailbox.email(alice.email, /mentioned/)
  assert.match(text, /mentioned you:\s+Content warning: of the film\s/)
  assert.ok(!text.includes('the end'))
})

test('a display name cannot pose as a message of the server', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox, server } = setting
  const named = async (name: string): Promise<void> => {
    await sql(server, 'update accounts set display_name = $1 where id = $2', [name, bob.id])
    await bob.postStatus(`@${alice.username} one\ntwo\n\nשלום`)
    await endDelay(setting)
  }
  await named('Account expires, confirm at https://evil.example/x')
  const link = await mailbox.email(alice.email, /mentioned/)
  assert.equal(link.subject, `You were mentioned by @${bob.username}`)
  assert.doesNotMatch(link.text + link.html, /evil\.example/)
  assert.match(link.text, new RegExp(`^${bob.username} \\(@${bob.username}\\) mentioned you:`, 'm'))
  await named('Confirm your account at millrace-login.com')
  const domain = await mailbox.email(alice.email, /mentioned/)
  assert.match(domain.text, new RegExp(`^${bob.username} \\(@${bob.username}\\) mentioned you:`, 'm'))
  await named(`Server\n\n\u202Enotice ${'x'.repeat(100)}`)
  const long = await mailbox.email(alice.email, /mentioned/)
  assert.match(long.text, new RegExp(`^Server notice x{46}… \\(@${bob.username}\\) mentioned you:`, 'm'))
  await named('סברה')
  const hebrew = await mailbox.email(alice.email, /mentioned/)
  assert.match(hebrew.text, new RegExp(`^\u2068סברה\u2069 \\(@${bob.username}\\) mentioned you:`, 'm'))
})

test('lines and paragraphs of a post stay apart where styles are ignored, each in its direction', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox } = setting
  await bob.postStatus(`@${alice.username} one\ntwo\n\nשלום`)
  await endDelay(setting)
  const { html } = await mailbox.email(alice.email, /mentioned/)
  assert.match(html, /<p dir="auto"[^>]*><bdi>@\w+<\/bdi> one<br \/>two<\/p>\s*<p dir="auto"[^>]*>שלום<\/p>/)
  assert.match(html, /<html lang="en" dir="ltr">/)
})

test('users choose the types that they receive by e-mail', async t => {
  const setting = await begin(t)
  const status = await setting.bob.postStatus('hello')
  const all = async (): Promise<string[]> => {
    await sql(setting.server, 'delete from notifications where account_id = $1', [setting.alice.id])
    for (const [at, type] of [...TYPES, 'poll', 'status', 'update'].entries()) {
      await notify(setting, type, at + 1, ['follow', 'follow_request'].includes(type) ? null : status.id)
    }
    return waiting(setting)
  }
  assert.deepEqual(await all(), ['mention', 'quote', 'follow', 'follow_request'])
  await choose(setting, ['favourite', 'reblog'])
  assert.deepEqual(await all(), ['favourite', 'reblog'])
  await choose(setting, [])
  assert.deepEqual(await all(), [])
  await choose(setting, TYPES)
  assert.deepEqual(await all(), TYPES)
})

test('filtered notifications and notifications removed before the delay are not sent', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox } = setting
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  assert.deepEqual(await waiting(setting), [])
  const { id } = await bob.postStatus(`@${alice.username} never mind`)
  await bob.follow(alice)
  await bob.delete(`/api/v1/statuses/${id}`)
  await endDelay(setting)
  // Jobs run in order: the e-mail about the mention would have been the first.
  assert.match((await mailbox.email(alice.email, /./)).subject, /following/)
})

test('an e-mail about a quote omits the fallback line of the quote', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox } = setting
  const mine = await alice.postStatus('mine')
  await bob.postStatus('so true', { quoted_status_id: mine.id })
  await endDelay(setting)
  const { text } = await mailbox.email(alice.email, /quoted/)
  assert.match(text, /so true/)
  assert.doesNotMatch(text, /RE:/)
})

test('users with a stream or push subscription receive e-mails only when they choose always', async t => {
  const setting = await begin(t)
  const { alice, bob, server } = setting
  const stream = await alice.stream('user:notification')
  await bob.postStatus(`@${alice.username} hello`)
  await stream.next('notification')
  const until = Date.now() + 30_000
  while ((await waiting(setting)).length > 0) assert.ok(Date.now() < until, 'the e-mail was not cancelled')
  await stream.close()

  const { subscription } = (await startPushService(t)).device()
  assert.equal((await alice.post('/api/v1/push/subscription', { subscription })).status, 200)
  await bob.postStatus(`@${alice.username} hello again`)
  assert.deepEqual(await waiting(setting), [])

  await choose(setting, ['mention', 'always'])
  const again = await alice.stream('user:notification')
  await bob.postStatus(`@${alice.username} still there?`)
  await again.next('notification')
  const kept = await sql(server, 'select w.always from waiting_emails w')
  assert.deepEqual(kept, [{ always: true }], 'an e-mail that no stream cancels')
})

test('an e-mail waits for a mail server that is away for hours, unless its notification is read meanwhile', async t => {
  const setting = await begin(t)
  const { alice, bob, mailbox, server } = setting
  const [carol] = await Promise.all([personWithPassword(server, 'carol'), bob.follow(alice)])
  await bob.follow(carol)
  mailbox.refusing = true
  await endDelay(setting)
  await mailbox.refused()
  await mailbox.refused()
  const jobs = async (): Promise<unknown[]> =>
    (
      await sql(
        server,
        `select j.id::text from graphile_worker.jobs j
         where j.task_identifier = 'notification_mail.send' and j.attempts > 0 and j.locked_at is null`,
      )
    ).map(({ id }) => id)
  const until = Date.now() + 30_000
  while ((await jobs()).length < 2) assert.ok(Date.now() < until, 'the failures were not recorded')
  const [{ id: newest } = {}] = (await carol.get('/api/v1/notifications')).json as { id: string }[]
  assert.equal((await carol.post('/api/v1/markers', { notifications: { last_read_id: newest } })).status, 200)
  mailbox.refusing = false
  // The last of twelve attempts would have been after 16 hours.
  await sql(
    server,
    `select graphile_worker.reschedule_jobs($1::bigint[], run_at => now(), attempts => 14),
       pg_notify('jobs:insert', '{"count": 2}')`,
    [await jobs()],
  )
  assert.match((await mailbox.email(alice.email, /./)).subject, /following/)
  await waitForJobs(t, server, 'notification_mail.send')
  assert.equal(mailbox.count(carol.email), 0)
})
