import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { startMailServer, type MailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { startPushService } from '../push/push_service.ts'

const PAGE = '/settings/preferences/notifications'
const TYPES = ['mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog']

interface Setting {
  readonly server: TestServer
  readonly letters: MailServer
  readonly alice: Person & { email: string }
  readonly bob: Person
}

async function begin(t: Test): Promise<Setting> {
  const letters = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: letters.url } })
  const [alice, bob] = await Promise.all([personWithPassword(server, 'alice'), person(server, 'bob')])
  t.after(() => alice.close())
  return { server, letters, alice, bob }
}

/** About which types letters wait to be sent, in the order of their notifications. */
async function waiting({ server }: Setting): Promise<string[]> {
  const rows = await sql(
    server,
    `select n.type from graphile_worker._private_jobs j join notifications n on n.id = (j.payload ->> 'notification_id')::bigint
     join graphile_worker._private_tasks k on k.id = j.task_id
     where k.identifier = 'notification_mail.send' and j.run_at between now() + interval '1 minute' and now() + interval '2 minutes'
     order by n.id`,
  )
  return rows.map(({ type }) => String(type))
}

/** Lets the two minutes be over. */
const ripen = ({ server }: Setting): Promise<unknown> =>
  sql(
    server,
    `with due as (
       select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker.jobs j
       where j.task_identifier = 'notification_mail.send'
     )
     select count(*), pg_notify('jobs:insert', '{"count": 1}') from due`,
  )

const choose = async ({ server, alice }: Setting, wanted: readonly string[]): Promise<void> => {
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get(PAGE)
  assert.equal(page.status, 200)
  const ticked = Object.fromEntries(wanted.map(name => [`user[mail][${name}]`, '1']))
  const answer = await browser.submit(page, PAGE, ticked, 'put')
  assert.deepEqual([answer.status, answer.location], [302, PAGE])
  const { text } = await browser.get(PAGE)
  for (const name of [...TYPES, 'always']) {
    assert.equal(new RegExp(`name="user\\[mail\\]\\[${name}\\]"[^>]* checked`).test(text), wanted.includes(name), name)
  }
}

const notify = ({ server, alice, bob }: Setting, type: string, at: number, status: string | null): Promise<unknown> =>
  sql(server, 'select notify($1, $2, $3, $4, $5)', [alice.id, bob.id, type, status, at])

test('mentions, quotes, follows and requests to follow are told by a letter two minutes later', async t => {
  const setting = await begin(t)
  const { alice, bob, letters, server } = setting
  const status = await bob.say(`hello @${alice.username} & <all>`)
  await bob.follow(alice)
  assert.deepEqual(await waiting(setting), ['mention', 'follow'])
  await ripen(setting)
  const mention = await letters.email(alice.email, /mentioned/)
  assert.equal(mention.subject, 'You were mentioned by bob')
  assert.match(
    mention.text,
    new RegExp(`@${bob.username}\\) mentioned you:\\s+@${alice.username} hello|hello @${alice.username} & <all>`),
  )
  assert.ok(mention.text.includes(`${server.config.publicUrl}/@${bob.username}/${status.id}`), mention.text)
  assert.ok(mention.text.includes(`${server.config.publicUrl}${PAGE}`), mention.text)
  const follow = await letters.email(alice.email, /following/)
  assert.equal(follow.subject, 'bob is now following you')
  assert.match(follow.text, new RegExp(`${server.config.publicUrl}/@${bob.username}\\s`))
})

test('people choose about what there are letters', async t => {
  const setting = await begin(t)
  const status = await setting.bob.say('hello')
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

test('a filtered notification has no letter, and one that is gone when it is due has none either', async t => {
  const setting = await begin(t)
  const { alice, bob, letters } = setting
  await bob.say(`@${alice.username} psst`, { visibility: 'direct' })
  assert.deepEqual(await waiting(setting), [])
  const { id } = await bob.say(`@${alice.username} never mind`)
  await bob.follow(alice)
  await bob.delete(`/api/v1/statuses/${id}`)
  await ripen(setting)
  // Jobs run in their order: the mention's would have come first.
  assert.match((await letters.email(alice.email, /./)).subject, /following/)
})

test('a letter about a quote has its words, not the line that names what is quoted', async t => {
  const setting = await begin(t)
  const { alice, bob, letters } = setting
  const mine = await alice.say('mine')
  await bob.say('so true', { quoted_status_id: mine.id })
  await ripen(setting)
  const { text } = await letters.email(alice.email, /quoted/)
  assert.match(text, /so true/)
  assert.doesNotMatch(text, /RE:/)
})

test('who streams, or takes push messages, gets letters only when they always want them', async t => {
  const setting = await begin(t)
  const { alice, bob, server } = setting
  const stream = await alice.stream('user:notification')
  await bob.say(`@${alice.username} hello`)
  await stream.next('notification')
  const until = Date.now() + 30_000
  while ((await waiting(setting)).length > 0) assert.ok(Date.now() < until, 'the letter was not taken away')
  await stream.close()

  const { subscription } = (await startPushService(t)).device()
  assert.equal((await alice.post('/api/v1/push/subscription', { subscription })).status, 200)
  await bob.say(`@${alice.username} hello again`)
  assert.deepEqual(await waiting(setting), [])

  await choose(setting, ['mention', 'always'])
  const again = await alice.stream('user:notification')
  await bob.say(`@${alice.username} still there?`)
  await again.next('notification')
  const keys = await sql(
    server,
    `select j.key from graphile_worker.jobs j where j.task_identifier = 'notification_mail.send'`,
  )
  assert.deepEqual(keys, [{ key: null }], 'nothing that a stream could take away')
})
