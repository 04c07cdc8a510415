import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { connect, waitsForLock } from '../../support/other_transaction.ts'
import { people, sql } from '../../support/people.ts'
import { openSocket } from '../../support/socket.ts'
import { entities, entity, media, tell, waitFor } from '../status_fixtures.ts'
import { inHours, publishNow, schedule } from './scheduled_fixtures.ts'

test('a due scheduled status is posted with all sent parameters', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const { id: parent } = await bob.postStatus('parent')
  const [file] = await media(server, alice, [{ type: 'image', description: 'a tapir' }])
  const more = {
    status: `@${bob.username} at last`,
    spoiler_text: 'later',
    in_reply_to_id: parent,
    media_ids: [file],
    poll: { options: ['a', 'b'], expires_in: 600, multiple: true },
    visibility: 'unlisted',
    language: 'de',
    scheduled_at: new Date(Date.now() + 3_600_000),
  }
  const headers = { 'idempotency-key': 'scheduled' }
  const scheduled = entity((await alice.request('POST', '/api/v1/statuses', { body: more, headers })).json)
  const socket = await openSocket(server, bob.token, 'user')
  t.after(() => socket.close())
  const before = Date.now()
  await publishNow(server, scheduled.id)
  const posted = entity((await socket.next('update')).payload)
  assert.match(String(posted['content']), /at last/)
  assert.deepEqual(
    [posted['spoiler_text'], posted['sensitive'], posted['visibility'], posted['language'], posted['in_reply_to_id']],
    ['later', true, 'unlisted', 'de', parent],
  )
  assert.deepEqual(
    entities(posted['media_attachments']).map(one => one.id),
    [file],
  )
  assert.equal(entity(posted['application'])['name'], 'Test')
  const poll = entity(posted['poll'])
  assert.equal(poll['multiple'], true)
  assert.ok(Date.parse(String(poll['expires_at'])) >= before + 600_000, 'the time of a poll counts from publication')
  assert.equal(entity((await socket.next('notification')).payload)['type'], 'mention')
  assert.equal((await alice.get(`/api/v1/scheduled_statuses/${scheduled.id}`)).status, 404)
  const again = entity((await alice.request('POST', '/api/v1/statuses', { body: more, headers })).json)
  assert.equal(again.id, posted.id, 'the key now stands for what was posted')
})

test('a scheduled status that can no longer be posted is dropped, and its files are released', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id: parent } = await bob.postStatus('parent')
  const [file] = await media(server, alice, [{ type: 'image' }])
  const orphan = await schedule(alice, { in_reply_to_id: parent, media_ids: [file] })
  await bob.delete(`/api/v1/statuses/${parent}`)
  await publishNow(server, orphan.id)
  const isGone = (id: string) => async (): Promise<boolean> => {
    // No event is logged when it is dropped, so this one causes the next check.
    await tell(server, `insert into events (kind) values ('test.tick')`)
    return (await sql(server, 'select from scheduled_statuses where id = $1::bigint', [id])).length === 0
  }
  await waitFor(server, isGone(orphan.id), 'the scheduled status to be dropped')
  assert.deepEqual((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json, [])
  assert.equal(entities((await alice.postStatus('now', { media_ids: [file] }))['media_attachments']).length, 1)
  const disabled = await schedule(bob)
  await tell(server, 'update users set disabled = true where id = $1', [bob.userId])
  await tell(server, `insert into events (kind, account_id) values ('user.changed', $1)`, [bob.id])
  const isDisabled = async () => (await bob.get('/api/v1/accounts/verify_credentials')).status === 403
  await waitFor(server, isDisabled, 'the server to know that he is disabled')
  await publishNow(server, disabled.id)
  await waitFor(server, isGone(disabled.id), 'that of a disabled user to be dropped')
  assert.equal(
    (await sql(server, 'select from statuses where account_id = $1 and deleted_at is null', [bob.id])).length,
    0,
  )
})

test('the old job does not post a scheduled status that was cancelled or moved', async t => {
  const { alice, server } = await people(t, 'alice')
  const first = await schedule(alice, { status: 'first' })
  const second = await schedule(alice, { status: 'second' })
  await alice.delete(`/api/v1/scheduled_statuses/${first.id}`)
  const run = (id: string): Promise<void> =>
    tell(server, `select graphile_worker.add_job('scheduled_statuses.publish', json_build_object('id', $1::text))`, [
      id,
    ])
  await run(first.id)
  await run(second.id)
  const third = await schedule(alice, { status: 'third' })
  const socket = await openSocket(server, alice.token, 'user')
  t.after(() => socket.close())
  await publishNow(server, third.id)
  const received = await socket.upTo('update')
  assert.deepEqual(
    received.map(one => /third/.test(String(entity(one.payload)['content']))),
    [true],
  )
  assert.equal((await alice.get(`/api/v1/scheduled_statuses/${second.id}`)).status, 200)
})

test('a scheduled status that cannot be posted is kept when it is moved before it is dropped', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id: parent } = await bob.postStatus('parent')
  const { id } = await schedule(alice, { in_reply_to_id: parent })
  await bob.delete(`/api/v1/statuses/${parent}`)
  await tell(server, `update scheduled_statuses set scheduled_at = now() - interval '1 second' where id = $1`, [id])
  const other = await connect(t, server)
  const later = inHours(2)
  await other.query('begin')
  await other.query('update scheduled_statuses set scheduled_at = $2 where id = $1', [id, later])
  await tell(
    server,
    `select graphile_worker.add_job('scheduled_statuses.publish', json_build_object('id', $1::text), job_key => 'due')`,
    [id],
  )
  await waitsForLock(server, 'drop')
  await other.query('commit')
  const left = () => sql(server, `select from graphile_worker.jobs where key = 'due'`)
  await until(left, jobs => jobs.length === 0, 'the job to end')
  const kept = entity((await alice.get(`/api/v1/scheduled_statuses/${id}`)).json)
  assert.deepEqual([kept.id, kept['scheduled_at']], [id, later])
  assert.deepEqual(
    server.log.filter(line => line['scheduled'] === id),
    [],
    'nothing is reported as dropped',
  )
})
