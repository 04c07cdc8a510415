import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { staffMember } from '../administration/staff_fixtures.ts'
import type { Browser, Page } from '../support/browser.ts'
import { connect, waitForLocks } from '../support/other_transaction.ts'
import { person, sql, type Person } from '../support/people.ts'
import { sharedServer, type TestServer } from '../support/server.ts'

/* Two moderators who act on the same posts at the same moment. */

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
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('select from statuses where id = $1 for update', [post])
  const sent: Promise<Page>[] = []
  for (const [index, browser] of browsers.entries()) {
    const fields = { change, 'status_ids[]': [post], notify: '1' }
    sent.push(browser.submit(lists[index] ?? assert.fail(), `${path}/batch`, fields))
    await waitForLocks(server, index + 1, ...sent)
  }
  await other.query('rollback')
  await Promise.all(sent)
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
