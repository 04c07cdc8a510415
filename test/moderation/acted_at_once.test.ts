import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { staffMember } from '../administration/staff_fixtures.ts'
import type { Browser, Page } from '../support/browser.ts'
import { sendInTurn } from '../support/other_transaction.ts'
import { person, sql, type Person } from '../support/people.ts'
import { sharedServer, type TestServer } from '../support/server.ts'
import { moderator } from './moderation_fixtures.ts'

/* Two moderators who act on the same posts, or the same account, at the same moment. */

interface World {
  readonly server: TestServer
  readonly alice: Person
  readonly browsers: readonly Browser[]
}

async function world(t: Test): Promise<World> {
  const server = await sharedServer()
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const first = await staffMember(t, server, 'moderator')
  const second = await staffMember(t, server, 'moderator')
  return { server, alice, browsers: [first.browser, second.browser] }
}

/** Lets both moderators act on a post, one after the other, while both have to wait for it. */
async function actInTurn(t: Test, { server, alice, browsers }: World, post: string, change: string): Promise<Page[]> {
  const path = `/admin/accounts/${alice.id}/statuses`
  const lists = await Promise.all(browsers.map(browser => browser.get(path)))
  const fields = { change, sure: '1', 'status_ids[]': [post], notify: '1' }
  const senders = browsers.map(
    (browser, index) => () => browser.submit(lists[index] ?? assert.fail(), `${path}/batch`, fields),
  )
  await sendInTurn(t, server, 'select from statuses where id = $1 for update', post, senders)
  return Promise.all(browsers.map(browser => browser.get(path)))
}

const DONE = /Done, and recorded as a strike\./
const NOTHING = /None of these posts could be changed/

async function checkStrikes({ server, alice }: World, [first, second]: readonly Page[], action: string): Promise<void> {
  assert.match(first?.text ?? '', DONE)
  assert.match(second?.text ?? '', NOTHING)
  const strikes = await sql(server, 'select action from account_warnings where target_account_id = $1', [alice.id])
  assert.deepEqual(strikes, [{ action }])
  const notified = (await alice.get('/api/v1/notifications?types[]=moderation_warning')).json as unknown[]
  assert.equal(notified.length, 1)
}

test('a post that two moderators delete at the same moment is one strike', async t => {
  const given = await world(t)
  const { id } = await given.alice.postStatus('bad')
  const pages = await actInTurn(t, given, id, 'delete_statuses')
  await checkStrikes(given, pages, 'delete_statuses')
})

test('a post that two moderators mark as sensitive at the same moment is one strike', async t => {
  const given = await world(t)
  const { server, alice } = given
  const [post] = await sql(
    server,
    `with made as (
       insert into statuses (account_id, text, content, visibility) values ($1, 'look', '<p>look</p>', 'public') returning id
     ), media as (
       insert into media_attachments (account_id, status_id, type, file_key) select $1, made.id, 'image', 'x.png' from made
       returning id, status_id
     )
     select media.status_id::text as id, media.id::text as media from media`,
    [alice.id],
  )
  const id = String(post?.['id'])
  await sql(server, 'update statuses set media_attachment_ids = array[$2::bigint] where id = $1', [id, post?.['media']])
  const pages = await actInTurn(t, given, id, 'mark_statuses_as_sensitive')
  await checkStrikes(given, pages, 'mark_statuses_as_sensitive')
})

const LOCK_ACCOUNT = 'select from accounts where id = $1 for update'

const warningsOf = async ({ server, alice }: World): Promise<number> => {
  const warnings = "select from notifications where account_id = $1 and type = 'moderation_warning'"
  return (await sql(server, warnings, [alice.id])).length
}

for (const action of ['disable', 'sensitive', 'silence', 'suspend'])
  test(`an account on which two moderators act at the same moment gets one strike: ${action}`, async t => {
    const given = await world(t)
    const { server, alice } = given
    const staff = [await moderator(t, server), await moderator(t, server)]
    const send = (one: Person) => () => one.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: action })
    const responses = await sendInTurn(t, server, LOCK_ACCOUNT, alice.id, staff.map(send))
    for (const { status, json } of responses) assert.deepEqual([status, json], [200, {}])
    const strikes = await sql(
      server,
      'select action, account_id::text as by from account_warnings where target_account_id = $1',
      [alice.id],
    )
    assert.deepEqual(strikes, [{ action, by: staff[0]?.id }])
    assert.equal(await warningsOf(given), 1)
    const logged = await sql(server, 'select from admin_action_logs where target_name = $1', [alice.username])
    assert.equal(logged.length, 1)
  })

test('the second of two moderators who limit an account at the same moment is told', async t => {
  const given = await world(t)
  const { server, alice, browsers } = given
  const path = `/admin/accounts/${alice.id}`
  const pages = await Promise.all(browsers.map(browser => browser.get(path)))
  const senders = browsers.map(
    (browser, index) => () =>
      browser.submit(pages[index] ?? assert.fail(), `${path}/action`, { type: 'silence', notify: '1' }),
  )
  await sendInTurn(t, server, LOCK_ACCOUNT, alice.id, senders)
  const [first, second] = await Promise.all(browsers.map(browser => browser.get(path)))
  assert.match(first?.text ?? '', DONE)
  assert.match(second?.text ?? '', /Somebody else took the same action at the same moment/)
  assert.equal(await warningsOf(given), 1)
})

test('two different actions on an account at the same moment are two strikes', async t => {
  const { server, alice } = await world(t)
  const staff = [await moderator(t, server), await moderator(t, server)]
  const send = (one: Person, index: number) => () =>
    one.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: index === 0 ? 'silence' : 'sensitive' })
  await sendInTurn(t, server, LOCK_ACCOUNT, alice.id, staff.map(send))
  const strikes = await sql(server, 'select action from account_warnings where target_account_id = $1 order by id', [
    alice.id,
  ])
  assert.deepEqual(strikes, [{ action: 'silence' }, { action: 'sensitive' }])
})
