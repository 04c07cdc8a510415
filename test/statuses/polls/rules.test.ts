import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { entities, entity, errorOf, tell, type Entity } from '../status_fixtures.ts'
import type { Client } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { people, Person, person, sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { ask, endNow, pollOf } from './poll_fixtures.ts'

const countsOf = (poll: Entity): unknown[] => entities(poll['options']).map(option => option['votes_count'])

test('hidden totals are hidden in every response until the end, the sum is not', async t => {
  const { alice, bob, carol, anonymous, server } = await people(t, 'alice', 'bob', 'carol')
  await carol.follow(alice)
  const { status, poll } = await ask(alice, ['a', 'b'], { hide_totals: true })
  const stream = await carol.stream('user')
  await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
  const check = async (expired: boolean, counts: unknown[]): Promise<void> => {
    const facts: [Client, unknown, unknown][] = [
      [alice, true, []],
      [bob, true, [1]],
      [carol, false, []],
      [anonymous, undefined, undefined],
    ]
    for (const [viewer, voted, choices] of facts) {
      const timeline = entities((await viewer.get(`/api/v1/accounts/${alice.id}/statuses`)).json)[0]
      const seen = [
        entity((await viewer.get(`/api/v1/polls/${poll.id}`)).json),
        pollOf((await viewer.get(`/api/v1/statuses/${status.id}`)).json),
        pollOf(timeline),
      ]
      for (const one of seen) {
        assert.deepEqual(
          [one['expired'], countsOf(one), one['votes_count'], one['voters_count'], one['voted'], one['own_votes']],
          [expired, counts, 1, 1, voted, choices],
        )
      }
    }
  }
  await check(false, [null, null])
  await alice.put(`/api/v1/statuses/${status.id}`, {
    status: 'what?',
    poll: { options: ['a', 'b'], expires_in: 3600, hide_totals: true },
  })
  assert.deepEqual(countsOf(pollOf((await stream.next('status.update')).payload)), [null, null])
  await endNow(server, poll.id)
  await until(
    async () => entities((await alice.get('/api/v1/notifications')).json).map(one => one['type']),
    types => types.includes('poll'),
    'the end',
  )
  await check(true, [0, 1])
})

test('choices in all their forms', async t => {
  const { alice, server } = await people(t, 'alice')
  const missing = [400, 'param is missing or the value is empty or invalid: choices'] as const
  const outside = [422, 'Validation failed: The chosen vote option does not exist'] as const
  const twice = [422, 'Validation failed: You have already voted on this poll'] as const
  const cases: [boolean, unknown, readonly [number, string] | number[]][] = [
    [true, { choices: [0, 2] }, [0, 2]],
    [true, { choices: ['2', '0'] }, [0, 2]],
    [false, new URLSearchParams([['choices[]', '1']]), [1]],
    [true, new URLSearchParams('choices[]=1&choices[]=2'), [1, 2]],
    [true, { choices: [1, 1] }, twice],
    [false, { choices: [0, 1] }, twice],
    [false, { choices: [3] }, outside],
    [true, { choices: [0, 3] }, outside],
    [false, { choices: [-1] }, outside],
    [false, { choices: ['tea'] }, [422, 'Validation failed: Choices is invalid']],
    [false, { choices: [] }, missing],
    [false, {}, missing],
    [false, { choices: null }, missing],
  ]
  for (const [multiple, body, expected] of cases) {
    const { poll } = await ask(alice, ['a', 'b', 'c'], { multiple })
    const voter = await person(server, 'voter')
    const response = await voter.post(`/api/v1/polls/${poll.id}/votes`, body)
    const about = `${JSON.stringify(body)} ${response.text}`
    if (typeof expected[1] === 'string') {
      assert.deepEqual([response.status, errorOf(response)], expected, about)
      const after = entity((await voter.get(`/api/v1/polls/${poll.id}`)).json)
      assert.deepEqual([after['voted'], after['votes_count'], after['voters_count']], [false, 0, 0], about)
    } else {
      assert.deepEqual(entity(response.json)['own_votes'], expected, about)
    }
  }
})

test('concurrent votes of one account for several choices are each counted once', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { poll } = await ask(alice, ['a', 'b', 'c', 'd'], { multiple: true })
  const answers = await Promise.all(
    [0, 1, 2, 3, 0, 1, 2, 3].map(choice => bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [choice] })),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 4)
  assert.equal(answers.filter(({ status }) => status === 422).length, 4)
  const seen = entity((await bob.get(`/api/v1/polls/${poll.id}`)).json)
  assert.deepEqual([countsOf(seen), seen['voters_count'], seen['own_votes']], [[1, 1, 1, 1], 1, [0, 1, 2, 3]])
})

test('a poll without an end accepts votes for ever', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { poll } = await ask(alice, ['a', 'b'])
  await tell(server, 'update polls set expires_at = null where id = $1', [poll.id])
  const voted = entity((await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).json)
  assert.deepEqual([voted['expires_at'], voted['expired'], voted['votes_count']], [null, false, 1])
})

const typesOf = async (who: Person): Promise<unknown[]> =>
  entities((await who.get('/api/v1/notifications')).json).map(one => one['type'])

const runEnd = (server: TestServer, poll: string): Promise<void> =>
  tell(server, `select graphile_worker.add_job('polls.end', json_build_object('poll_id', $1::text))`, [poll])

test('a poll ends once, not before its time, and also when the server was down then', async t => {
  const database = await createTestDatabase(t)
  const before = await startServer(t, { databaseUrl: database.url })
  const [alice, bob] = [await person(before, 'alice'), await person(before, 'bob')]
  const { poll: due } = await ask(alice, ['a', 'b'])
  const { poll: later } = await ask(alice, ['c', 'd'])
  for (const { id } of [due, later]) await bob.post(`/api/v1/polls/${id}/votes`, { choices: [0] })
  await runEnd(before, later.id)
  await before.stop()
  await sql(before, `update polls set expires_at = now() - interval '20 minutes' where id = $1`, [due.id])
  await sql(
    before,
    `update graphile_worker._private_jobs set run_at = now() - interval '20 minutes' where key = 'polls.end:' || $1::text`,
    [due.id],
  )
  const server = await startServer(t, { databaseUrl: database.url })
  const [author, voter] = [alice, bob].map(who => new Person(server, who.token ?? '', who))
  assert.ok(author && voter)
  for (const who of [author, voter])
    await until(
      () => typesOf(who),
      types => types.includes('poll'),
      'the end',
    )
  await runEnd(server, due.id)
  // The next finished job runs after it.
  const { poll: last } = await ask(author, ['e', 'f'])
  await endNow(server, last.id)
  await until(
    () => typesOf(author),
    types => types.length === 2,
    'the other end',
  )
  assert.deepEqual(await typesOf(voter), ['poll'])
  assert.equal(entity((await voter.get(`/api/v1/polls/${due.id}`)).json)['expired'], true)
  assert.equal(entity((await voter.get(`/api/v1/polls/${later.id}`)).json)['expired'], false)
})
