import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../status_fixtures.ts'
import { people, sql } from '../../support/people.ts'
import { openSocket } from '../../support/socket.ts'
import { ask, pollOf } from './poll_fixtures.ts'

test('an edit that changes the options resets a poll, any other keeps the votes', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { status, poll } = await ask(alice, ['a', 'b'], { multiple: true })
  const path = `/api/v1/statuses/${status.id}`
  const same = { options: ['a', 'b'], expires_in: 3600 }
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const untouched = entity((await alice.put(path, { status: 'which?', poll: same })).json)
  assert.equal(untouched['edited_at'], null, 'what was not said of `multiple` stays, so nothing changed')
  assert.equal(pollOf(untouched)['multiple'], true)
  assert.equal(pollOf(untouched)['expires_at'], poll['expires_at'])
  const longer = entity((await alice.put(path, { status: 'which?', poll: { ...same, expires_in: 7200 } })).json)
  assert.notEqual(longer['edited_at'], null)
  assert.deepEqual([pollOf(longer)['votes_count'], pollOf(longer).id], [1, poll.id])
  assert.ok(String(pollOf(longer)['expires_at']) > String(poll['expires_at']))
  const [job] = await sql(
    server,
    `select count(*)::int as jobs, bool_and(run_at = p.expires_at) as is_due from graphile_worker.jobs j, polls p
     where j.key = 'polls.end:' || $1 and p.id = $1::bigint`,
    [poll.id],
  )
  assert.deepEqual(job, { jobs: 1, is_due: true })
  const other = entity((await alice.put(path, { status: 'which?', poll: { ...same, options: ['a', 'c', 'd'] } })).json)
  assert.deepEqual([pollOf(other)['votes_count'], pollOf(other)['voters_count']], [0, 0])
  const seen = pollOf((await bob.get(path)).json)
  assert.deepEqual([seen['voted'], seen['own_votes'], entities(seen['options']).length], [false, [], 3])
  assert.equal((await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [2] })).status, 200)
  const single = await alice.put(path, {
    status: 'which?',
    poll: { options: ['a', 'c', 'd'], expires_in: 3600, multiple: false },
  })
  assert.deepEqual([pollOf(single.json)['multiple'], pollOf(single.json)['votes_count']], [false, 0])
  const history = entities((await bob.get(`${path}/history`)).json)
  assert.deepEqual(
    history.map(version => entities(entity(version['poll'])['options']).map(option => option['title'])),
    [
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'c', 'd'],
      ['a', 'c', 'd'],
    ],
  )
})

test('an edit adds and removes a poll, and streams send it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const status = await alice.postStatus('text')
  const path = `/api/v1/statuses/${status.id}`
  const socket = await openSocket(server, bob.token, 'user')
  t.after(() => socket.close())
  const added = await alice.put(path, { status: 'text', poll: { options: ['a', 'b'], expires_in: 600 } })
  const { id } = pollOf(added.json)
  assert.deepEqual(pollOf((await socket.next('status.update')).payload)['own_votes'], [])
  const removed = await alice.put(path, { status: 'text' })
  assert.equal(entity(removed.json)['poll'], null)
  assert.equal(entity((await socket.next('status.update')).payload)['poll'], null)
  assert.equal((await alice.get(`/api/v1/polls/${id}`)).status, 404)
  const bad = await alice.put(path, { status: 'text', poll: { options: ['a'], expires_in: 600 } })
  assert.equal(bad.status, 422)
})
