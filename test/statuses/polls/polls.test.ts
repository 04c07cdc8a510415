import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity, errorOf, relate } from '../status_fixtures.ts'
import { people, sql } from '../../support/people.ts'
import { ask, endNow, pollOf } from './poll_fixtures.ts'

test('a status is posted with a poll, which everybody sees', async t => {
  const { alice, bob, anonymous } = await people(t, 'alice', 'bob')
  const before = Date.now()
  const { status, poll } = await ask(alice, [' tea ', 'coffee', ''])
  const endsAt = Date.parse(String(poll['expires_at']))
  assert.ok(endsAt >= before + 3_600_000 && endsAt <= Date.now() + 3_600_000)
  assert.deepEqual(
    Object.keys(poll),
    'id expires_at expired multiple votes_count voters_count options emojis voted own_votes'.split(' '),
  )
  assert.deepEqual(
    [poll['expired'], poll['multiple'], poll['votes_count'], poll['voters_count'], poll['voted'], poll['own_votes']],
    [false, false, 0, 0, true, []],
  )
  assert.deepEqual(poll['options'], [
    { title: 'tea', votes_count: 0 },
    { title: 'coffee', votes_count: 0 },
  ])
  const open = await anonymous.get(`/api/v1/polls/${poll.id}`)
  const { voted: _, own_votes: __, ...shared } = poll
  assert.deepEqual(open.json, shared)
  assert.deepEqual(pollOf((await anonymous.get(`/api/v1/statuses/${status.id}`)).json), shared)
  const seen = pollOf((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.deepEqual(seen, { ...shared, voted: false, own_votes: [] })
  const form = await alice.postStatus('form', {
    poll: { options: ['a', 'b'], expires_in: '300', multiple: 'true', hide_totals: '1' },
  })
  assert.equal(pollOf(form)['multiple'], true)
  assert.equal((await alice.postStatus('none', { poll: {} }))['poll'], null)
})

test('an invalid poll is refused with the documented message, and nothing is posted', async t => {
  const { alice } = await people(t, 'alice')
  const long = 'é'.repeat(51)
  for (const [poll, message] of [
    [{ options: ['a', ' '], expires_in: 600 }, 'Choices must have more than one item'],
    [{ expires_in: 600 }, 'Choices must have more than one item'],
    [{ options: ['a', 'b', 'c', 'd', 'e'], expires_in: 600 }, "Choices can't contain more than 4 items"],
    [{ options: ['a', long], expires_in: 600 }, 'Choices cannot be longer than 50 characters each'],
    [{ options: ['a', 'a '], expires_in: 600 }, 'Choices contain duplicate items'],
    [{ options: ['a', 'b'] }, "Deadline can't be blank"],
    [{ options: ['a', 'b'], expires_in: 299 }, 'Deadline is too soon'],
    [{ options: ['a', 'b'], expires_in: 2_629_747 }, 'Deadline is too far into the future'],
    [{ options: ['a'], expires_in: '' }, "Choices must have more than one item, Deadline can't be blank"],
  ] as const) {
    const refused = await alice.post('/api/v1/statuses', { status: 'x', poll })
    assert.deepEqual([refused.status, errorOf(refused)], [422, `Validation failed: ${message}`])
  }
  assert.deepEqual(entities((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json), [])
  assert.equal((await alice.post('/api/v1/statuses', { poll: { options: ['a', 'b'], expires_in: 600 } })).status, 422)
})

test('a vote is counted once', async t => {
  const { alice, bob, carol, anonymous } = await people(t, 'alice', 'bob', 'carol')
  const { status, poll } = await ask(alice, ['tea', 'coffee'])
  const path = `/api/v1/polls/${poll.id}`
  await anonymous.get(`/api/v1/statuses/${status.id}`)
  const voted = entity((await bob.post(`${path}/votes`, { choices: ['1'] })).json)
  assert.deepEqual([voted['votes_count'], voted['voters_count'], voted['voted'], voted['own_votes']], [1, 1, true, [1]])
  assert.deepEqual(voted['options'], [
    { title: 'tea', votes_count: 0 },
    { title: 'coffee', votes_count: 1 },
  ])
  const listed = pollOf((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.deepEqual(listed, voted)
  assert.equal(pollOf((await anonymous.get(`/api/v1/statuses/${status.id}`)).json)['votes_count'], 1)
  const again = await bob.post(`${path}/votes`, { choices: [0] })
  assert.deepEqual([again.status, errorOf(again)], [422, 'Validation failed: You have already voted on this poll'])
  const both = await carol.post(`${path}/votes`, { choices: [0, 1] })
  assert.equal(errorOf(both), 'Validation failed: You have already voted on this poll')
  assert.equal(entity((await carol.get(path)).json)['voted'], false)
})

test('concurrent votes are all counted, and each account votes once', async t => {
  const { alice, bob, carol, dave } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const { poll } = await ask(alice, ['tea', 'coffee'])
  const voters = [bob, bob, bob, carol, dave]
  const answers = await Promise.all(
    voters.map((voter, index) => voter.post(`/api/v1/polls/${poll.id}/votes`, { choices: [index % 2] })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 200, 200, 422, 422],
  )
  const seen = entity((await alice.get(`/api/v1/polls/${poll.id}`)).json)
  assert.deepEqual([seen['votes_count'], seen['voters_count']], [3, 3])
})

test('in a multiple-choice poll choices can be added later, none twice', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { poll } = await ask(alice, ['a', 'b', 'c'], { multiple: true, hide_totals: true })
  const path = `/api/v1/polls/${poll.id}/votes`
  assert.equal((await bob.post(path, { choices: [2, 0] })).status, 200)
  assert.equal((await bob.post(path, { choices: [0, 1] })).status, 422)
  const added = entity((await bob.post(path, { choices: [1] })).json)
  assert.deepEqual([added['votes_count'], added['voters_count'], added['own_votes']], [3, 1, [0, 1, 2]])
  assert.deepEqual(
    entities(added['options']).map(one => one['votes_count']),
    [null, null, null],
  )
})

test('a refused vote says why', async t => {
  const { alice, bob, carol, dave, server, anonymous } = await people(t, 'alice', 'bob', 'carol', 'dave')
  const { poll } = await ask(alice, ['a', 'b'])
  const path = `/api/v1/polls/${poll.id}/votes`
  await relate(server, 'blocks', bob, alice)
  await relate(server, 'blocks', alice, carol)
  const hidden = await alice.postStatus('x', { visibility: 'private', poll: { options: ['a', 'b'], expires_in: 600 } })
  const { id: hiddenPoll } = pollOf(hidden)
  const outside = 'Validation failed: The chosen vote option does not exist'
  for (const [who, where, choices, status, message] of [
    [dave, path, [], 400, 'param is missing or the value is empty or invalid: choices'],
    [bob, path, [0], 403, 'This action is not allowed'],
    [carol, path, [0], 404, 'Not Found'],
    [dave, `/api/v1/polls/${hiddenPoll}/votes`, [0], 404, 'Not Found'],
    [dave, '/api/v1/polls/999999/votes', [0], 404, 'Not Found'],
    [dave, path, [2], 422, outside],
    [dave, path, [-1], 422, outside],
    [dave, path, ['x'], 422, 'Validation failed: Choices is invalid'],
    [alice, path, [5], 422, `${outside}, You cannot vote in your own polls`],
  ] as const) {
    const refused = await who.post(where, { choices })
    assert.deepEqual([refused.status, errorOf(refused)], [status, message])
  }
  assert.equal((await anonymous.post(path, { choices: [0] })).status, 401)
  for (const [who, id] of [
    [anonymous, hiddenPoll],
    [dave, hiddenPoll],
    [carol, poll.id],
    [dave, '999999'],
  ] as const) {
    const missing = await who.get(`/api/v1/polls/${id}`)
    assert.deepEqual([missing.status, errorOf(missing)], [404, 'Not Found'])
  }
  await endNow(server, poll.id)
  const late = await dave.post(path, { choices: [0] })
  assert.deepEqual([late.status, errorOf(late)], [422, 'Validation failed: The poll has already ended'])
})

test('filters search the options', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(
    server,
    `with made as (insert into filters (account_id, title, contexts) values ($1, 'drinks', '{home}') returning id)
     insert into filter_keywords (filter_id, keyword) select made.id, 'coffee' from made`,
    [bob.id],
  )
  const { status } = await ask(alice, ['tea', 'coffee'])
  const seen = entity((await bob.get(`/api/v1/statuses/${status.id}`)).json)
  assert.equal(entities(seen['filtered']).length, 1)
})

test('the response of a deletion has the poll', async t => {
  const { alice } = await people(t, 'alice')
  const { status, poll } = await ask(alice, ['tea', 'coffee'])
  const gone = await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(pollOf(gone.json)['options'], poll['options'])
  assert.equal((await alice.get(`/api/v1/polls/${poll.id}`)).status, 404)
})

test('custom emojis in options are shown', async t => {
  const { alice, server } = await people(t, 'alice')
  await sql(
    server,
    `insert into custom_emojis (shortcode, image) values ('tapir', '{"key":"t.png","static_key":"s.png"}')`,
  )
  const { status, poll } = await ask(alice, [':tapir:', 'b'])
  for (const seen of [poll, status, entity((await alice.get(`/api/v1/polls/${poll.id}`)).json)]) {
    assert.deepEqual(
      entities(seen['emojis']).map(emoji => emoji['shortcode']),
      ['tapir'],
    )
  }
})
