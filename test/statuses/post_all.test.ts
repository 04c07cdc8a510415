import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { postOf } from './status_fixtures.ts'

const statement = readFileSync(new URL('../../sql/queries/statuses/post_all.sql', import.meta.url), 'utf8')

test('posts of all kinds are stored by one statement, and counted', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await carol.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true })
  // Plain are those without a link of authors whose posts notify nobody.
  const posts = [
    postOf(alice, 'plain'),
    postOf(bob, 'for the one who is notified'),
    postOf(alice, 'with a link', { has_link: true }),
    postOf(carol, 'plain too'),
    postOf(carol, 'who mentions both', { mentioned: [alice.id, bob.id] }),
  ]
  // Twice on the same connection, where the row of the day's counter exists the second time.
  for (const round of [1, 2]) {
    const stored = await sql(server, statement, [JSON.stringify(posts)])
    assert.deepEqual(
      stored.map(row => Number(row['place'])).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5],
    )
    const [counted] = await sql(
      server,
      `select sum(amount)::integer as amount from day_counters where counter = 'statuses'`,
    )
    assert.equal(counted?.['amount'], 5 * round)
    for (const [person, count] of [
      [alice, 2],
      [bob, 1],
      [carol, 2],
    ] as const)
      assert.deepEqual(
        await sql(server, 'select statuses_count::integer from account_stats where account_id = $1', [person.id]),
        [{ statuses_count: count * round }],
      )
    for (const { id } of [alice, bob])
      assert.deepEqual(
        await sql(
          server,
          `select count(*)::integer as n from notifications where account_id = $1 and type = 'mention'`,
          [id],
        ),
        [{ n: round }],
      )
  }
})

test('batches of two processes that share authors do not deadlock', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const mentioned = [carol.id]
  const batches = [
    [postOf(alice, 'plain'), postOf(bob, 'to carol', { mentioned })],
    [postOf(bob, 'plain'), postOf(alice, 'to carol', { mentioned })],
  ]
  const rounds = 20
  const results = await Promise.all(
    batches.map(async batch => {
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      try {
        for (let round = 0; round < rounds; round += 1) await client.query(statement, [JSON.stringify(batch)])
        return 'stored'
      } catch (error) {
        return String(error)
      } finally {
        await client.end()
      }
    }),
  )
  assert.deepEqual(results, ['stored', 'stored'])
  const [row] = await sql(
    server,
    'select sum(statuses_count)::integer as count from account_stats where account_id in ($1, $2)',
    [alice.id, bob.id],
  )
  assert.equal(row?.['count'], 4 * rounds)
})
