import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForMail } from '../accounts/waiting.ts'
import { createCommandLine } from '../cli/command.ts'
import { notificationsOf } from '../notifications/notified.ts'
import { people, sql, type Person } from '../support/people.ts'
import { commandLine } from './moderation_fixtures.ts'

async function becomes(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  for (let tries = 0; tries < 200 && !Object.is(await read(), wanted); tries++);
  assert.equal(await read(), wanted)
}

const statusOf = async (who: Person, id: string): Promise<number> => (await who.get(`/api/v1/statuses/${id}`)).status

test('statuses deleted by a moderator disappear everywhere and are stored as evidence', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const [bad, fine] = [await alice.postStatus('bad'), await alice.postStatus('fine')]
  for (const act of ['bookmark', 'favourite', 'reblog']) await bob.post(`/api/v1/statuses/${bad.id}/${act}`)
  const { id: report } = (
    await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [bad.id], category: 'spam' })
  ).json as { id: string }
  const stream = await bob.stream('user')
  await ctl('moderation', 'statuses', alice.username, 'delete_statuses', bad.id, '--report', report, '--text', 'spam')
  await stream.next('delete')
  await becomes(() => statusOf(bob, bad.id), 404)
  assert.equal(await statusOf(bob, fine.id), 200)
  for (const list of ['bookmarks', 'favourites']) assert.deepEqual((await bob.get(`/api/v1/${list}`)).json, [])
  const [notification] = (await alice.get('/api/v1/notifications')).json as {
    moderation_warning: { action: string; status_ids: string[] }
  }[]
  assert.deepEqual(
    [notification?.moderation_warning.action, notification?.moderation_warning.status_ids],
    ['delete_statuses', [bad.id]],
  )
  assert.match(await waitForMail(server, `${alice.username}@example.com`), new RegExp(bad.id))
  const [stored] = await sql(
    server,
    `select is_evidence(s) as evidence, r.action_taken_at is not null as resolved
     from statuses s join reports r on r.id = $2 where s.id = $1`,
    [bad.id, report],
  )
  assert.deepEqual(stored, { evidence: true, resolved: true })
  await sql(
    server,
    `update account_warnings set created_at = now() - interval '31 days' where target_account_id = $1`,
    [alice.id],
  )
  const [later] = await sql(server, 'select is_evidence(s) as evidence from statuses s where s.id = $1', [bad.id])
  assert.deepEqual(later, { evidence: false })
})

test('marking statuses with media as sensitive edits them and notifies boosters', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const [picture] = await sql(
    server,
    `with s as (insert into statuses (account_id, text, content, visibility) values ($1, 'look', '<p>look</p>', 'public') returning id),
     m as (insert into media_attachments (account_id, status_id, type, file_key, description) select $1, s.id, 'image', 'x.png', 'a tapir' from s returning id)
     select s.id::text as status, m.id::text as media from s cross join m`,
    [alice.id],
  )
  const status = String(picture?.['status'])
  await sql(server, 'update statuses set media_attachment_ids = array[$2::bigint] where id = $1', [
    status,
    picture?.['media'],
  ])
  const words = await alice.postStatus('only words')
  await bob.post(`/api/v1/statuses/${status}/reblog`)
  const stream = await bob.stream('user:notification')
  await ctl('moderation', 'statuses', alice.username, 'mark_statuses_as_sensitive', status, words.id)
  await stream.next('notification')
  assert.deepEqual(await notificationsOf(bob), ['update by alice'])
  const read = async (id: string) =>
    (await bob.get(`/api/v1/statuses/${id}`)).json as { sensitive: boolean; edited_at: string | null }
  await becomes(async () => (await read(status)).sensitive, true)
  assert.notEqual((await read(status)).edited_at, null)
  assert.equal((await read(words.id)).sensitive, false)
  const history = (await bob.get(`/api/v1/statuses/${status}/history`)).json as {
    sensitive: boolean
    media_attachments: { description: string }[]
  }[]
  assert.deepEqual(
    history.map(one => [one.sensitive, one.media_attachments[0]?.description]),
    [
      [false, 'a tapir'],
      [true, 'a tapir'],
    ],
  )
})

test('statuses of other accounts and unknown reports are refused', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const status = await bob.postStatus('mine')
  const tried = await ctl.run('moderation', 'statuses', alice.username, 'delete_statuses', status.id)
  assert.deepEqual(
    [tried.code, tried.err],
    [1, 'None of these are statuses of the account that the action would change\n'],
  )
  const unknown = await ctl.run('moderation', 'act', alice.username, 'none', '--report', '999999')
  assert.deepEqual([unknown.code, unknown.err], [1, 'No such report\n'])
  assert.equal(await statusOf(alice, status.id), 200)
  assert.deepEqual(await notificationsOf(alice), [])
})
