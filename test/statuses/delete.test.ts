import assert from 'node:assert/strict'
import { test } from 'tap'
import { connect, waitsForLock } from '../support/other_transaction.ts'
import { people, sql } from '../support/people.ts'
import { until } from '../media/attachments/media_fixtures.ts'
import { entities, entity, errorOf, media, sorted } from './status_fixtures.ts'

test('deleting a status returns it as it was written, and removes it everywhere with its boosts', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  const parent = await bob.postStatus('parent')
  const status = await alice.postStatus(`hi @${bob.username} <3`, { in_reply_to_id: parent.id, spoiler_text: 'cw' })
  const path = `/api/v1/statuses/${status.id}`
  const reply = await carol.postStatus('reply', { in_reply_to_id: status.id })
  const boost = entity((await bob.post(`${path}/reblog`)).json)
  const own = entity((await alice.post(`${path}/reblog`)).json)
  await bob.post(`${path}/bookmark`)
  await alice.post(`${path}/pin`)
  await anonymous.get(`/api/v1/statuses/${reply.id}`)

  const refused = await bob.delete(path)
  assert.deepEqual([refused.status, errorOf(refused)], [404, 'Record not found'])
  const response = entity((await alice.delete(path)).json)
  assert.deepEqual(
    [response['text'], response['spoiler_text'], 'content' in response, entities(response['mentions']).length],
    [`hi @${bob.username} <3`, 'cw', false, 1],
  )
  assert.equal((await alice.delete(path)).status, 404)
  for (const id of [status.id, boost.id, own.id]) {
    for (const viewer of [alice, bob, anonymous]) {
      assert.equal((await viewer.get(`/api/v1/statuses/${id}`)).status, 404)
    }
  }
  const left = entity((await anonymous.get(`/api/v1/statuses/${reply.id}`)).json)
  assert.deepEqual([left['in_reply_to_id'], left['in_reply_to_account_id']], [null, alice.id])
  assert.equal(entity((await anonymous.get(`/api/v1/statuses/${parent.id}`)).json)['replies_count'], 0)
  assert.deepEqual((await bob.get('/api/v1/bookmarks')).json, [])
  assert.equal((await bob.post(`${path}/unbookmark`)).status, 404)
  const counts = await sql(
    server,
    `select statuses_count::integer as n from account_stats where account_id = any ($1) order by account_id`,
    [[alice.id, bob.id, carol.id]],
  )
  assert.deepEqual(sorted(counts.map(row => row['n'])), [0, 1, 1])
  assert.deepEqual(await sql(server, 'select id from notifications where status_id = $1', [status.id]), [])
  assert.deepEqual(await sql(server, 'select id from status_pins where status_id = $1', [status.id]), [])
  const told = await sql(
    server,
    `select status_id::text as id from events where kind = 'status.deleted' and status_id = any ($1)`,
    [[status.id, boost.id, own.id]],
  )
  assert.equal(told.length, 3)
})

test('deleting a boost removes the boost alone', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const status = await alice.postStatus('stays')
  const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`)).json)
  const response = entity((await bob.delete(`/api/v1/statuses/${boost.id}`)).json)
  assert.equal(response['text'], '')
  assert.match(String(entity(response['reblog'])['content']), /stays/)
  const seen = entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.deepEqual([seen['reblogs_count'], seen['reblogged']], [0, false])
})

test('attachments of a deleted status can be used again', async t => {
  const { alice, server } = await people(t, 'alice')
  const ids = await media(server, alice, [{ type: 'image' }])
  const first = await alice.postStatus('draft', { media_ids: ids })
  const response = entity((await alice.delete(`/api/v1/statuses/${first.id}`)).json)
  assert.equal(entities(response['media_attachments']).length, 1)
  assert.equal(entities((await alice.postStatus('better', { media_ids: ids }))['media_attachments']).length, 1)
})

test('attachments are deleted with the status on request', async t => {
  const { alice, server } = await people(t, 'alice')
  const ids = await media(server, alice, [{ type: 'image' }])
  const status = await alice.postStatus('draft', { media_ids: ids })
  assert.equal((await alice.delete(`/api/v1/statuses/${status.id}?delete_media=true`)).status, 200)
  const again = await alice.post('/api/v1/statuses', { status: 'x', media_ids: ids })
  assert.equal(errorOf(again), `Media ${ids[0]} not found or already attached to another post`)
})

test('a status that is deleted while it is being pinned has no pin', async t => {
  const { alice, server } = await people(t, 'alice')
  const pins = async (): Promise<unknown> =>
    (await sql(server, 'select from status_pins where account_id = $1', [alice.id])).length
  const other = await connect(t, server)
  const first = await alice.postStatus('deleted first')
  await other.query('begin')
  await other.query('update statuses set deleted_at = now() where id = $1', [first.id])
  const pinning = alice.post(`/api/v1/statuses/${first.id}/pin`)
  await waitsForLock(server, 'pin')
  await other.query('commit')
  assert.equal((await pinning).status, 404)
  assert.equal(await pins(), 0)

  const second = await alice.postStatus('pinned first')
  await other.query('begin')
  await other.query('select from statuses where id = $1 for share', [second.id])
  await other.query('insert into status_pins (account_id, status_id) values ($1, $2)', [alice.id, second.id])
  const deleting = alice.delete(`/api/v1/statuses/${second.id}`)
  await waitsForLock(server, 'delete')
  await other.query('commit')
  assert.equal((await deleting).status, 200)
  assert.equal(await pins(), 0)
})

test('a status that is deleted while it is being boosted has no boost', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const boosts = async (): Promise<number> =>
    (await sql(server, 'select from statuses where account_id = $1 and deleted_at is null', [bob.id])).length
  const other = await connect(t, server)
  const first = await alice.postStatus('deleted first')
  await other.query('begin')
  await other.query('update statuses set deleted_at = now() where id = $1', [first.id])
  const boosting = bob.post(`/api/v1/statuses/${first.id}/reblog`)
  await waitsForLock(server, 'reblog')
  await other.query('commit')
  assert.equal((await boosting).status, 404)
  assert.equal(await boosts(), 0)

  const second = await alice.postStatus('boosted first')
  await other.query('begin')
  await other.query('select from statuses where id = $1 for share', [second.id])
  await other.query(`insert into statuses (account_id, visibility, reblog_of_id) values ($1, 'public', $2)`, [
    bob.id,
    second.id,
  ])
  const deleting = alice.delete(`/api/v1/statuses/${second.id}`)
  await waitsForLock(server, 'delete')
  await other.query('commit')
  assert.equal((await deleting).status, 200)
  await until(boosts, count => count === 0, 'the boost is removed')
})

test('a boost that is undone while the status is deleted counts once', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.postStatus('stays')
  const { id } = await alice.postStatus('boosted')
  await bob.post(`/api/v1/statuses/${id}/reblog`)
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('update statuses set deleted_at = now() where account_id = $1 and reblog_of_id = $2', [bob.id, id])
  await other.query('update account_stats set statuses_count = statuses_count - 1 where account_id = $1', [bob.id])
  const deleting = alice.delete(`/api/v1/statuses/${id}`)
  await waitsForLock(server, 'delete')
  await other.query('commit')
  assert.equal((await deleting).status, 200)
  const count = 'select statuses_count from account_stats where account_id = $1'
  assert.deepEqual(await sql(server, count, [bob.id]), [{ statuses_count: '1' }])
})

test('a reply to a status that is being deleted is refused, or loses its parent', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const other = await connect(t, server)
  const first = await alice.postStatus('deleted first')
  await other.query('begin')
  await other.query('update statuses set deleted_at = now() where id = $1', [first.id])
  const replying = bob.post('/api/v1/statuses', { status: 'late', in_reply_to_id: first.id })
  await waitsForLock(server, 'post')
  await other.query('commit')
  const refused = await replying
  assert.deepEqual(
    [refused.status, errorOf(refused)],
    [404, 'The post you are trying to reply to does not appear to exist.'],
  )

  const second = await alice.postStatus('answered first')
  await other.query('begin')
  await other.query('select from statuses where id = $1 for share', [second.id])
  const reply = `insert into statuses (account_id, visibility, in_reply_to_id, in_reply_to_account_id)
      values ($1, 'public', $2, $3) returning id`
  const { rows } = await other.query<{ id: string }>(reply, [bob.id, second.id, alice.id])
  const deleting = alice.delete(`/api/v1/statuses/${second.id}`)
  await waitsForLock(server, 'delete')
  await other.query('commit')
  assert.equal((await deleting).status, 200)
  const left = entity((await bob.get(`/api/v1/statuses/${rows[0]?.id}`)).json)
  assert.deepEqual([left['in_reply_to_id'], left['in_reply_to_account_id']], [null, alice.id])
})
