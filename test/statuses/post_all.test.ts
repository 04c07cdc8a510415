import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import { postOf, waitFor } from './status_fixtures.ts'

const statement = readFileSync(new URL('../../sql/queries/statuses/post_all.sql', import.meta.url), 'utf8')

test('posts of all kinds are stored by one statement, and counted', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  // Plain are those without a link.
  const posts = [
    postOf(alice, 'plain'),
    postOf(bob, 'plain'),
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

test('each status of a batch has the events of its own mentions', async t => {
  const { alice, bob, carol, dave, server } = await people(t, 'alice', 'bob', 'carol', 'dave')
  await carol.post(`/api/v1/accounts/${alice.id}/block`)
  const posts = [
    postOf(alice, 'to three', { mentioned: [dave.id, carol.id, bob.id] }),
    postOf(bob, 'to nobody'),
    postOf(dave, 'to two and itself', { visibility: 'private', mentioned: [bob.id, dave.id, carol.id] }),
  ]
  const stored = (await sql(server, statement, [JSON.stringify(posts)])).toSorted(
    (a, b) => Number(a['place']) - Number(b['place']),
  )
  const eventsOf = (row: Record<string, unknown>): Record<string, unknown>[] =>
    row['events'] as Record<string, unknown>[]
  assert.deepEqual(
    stored.map(row => eventsOf(row).map(({ kind, account_id }) => (kind === 'status.created' ? kind : account_id))),
    // Carol has blocked alice.
    [['status.created', dave.id, bob.id], ['status.created'], ['status.created', bob.id, carol.id]],
  )
  for (const row of stored) for (const event of eventsOf(row)) assert.equal(event['status_id'], row['id'])
  const data = eventsOf(stored[0] ?? {})[0]?.['data'] as { mentions: unknown }
  assert.deepEqual(data.mentions, [dave.id, carol.id, bob.id])
  for (const [person, mentionedIn] of [
    [bob, [2, 0]],
    [carol, [2]],
    [dave, [0]],
  ] as const) {
    const received = (await person.get('/api/v1/notifications?types[]=mention')).json as { status: { id: string } }[]
    assert.deepEqual(
      received.map(({ status }) => status.id),
      mentionedIn.map(place => stored[place]?.['id']),
    )
  }
  const shown = (await bob.get(`/api/v1/statuses/${String(stored[0]?.['id'])}`)).json
  const { mentions } = shown as { mentions: { id: string }[] }
  assert.deepEqual(
    mentions.map(({ id }) => id),
    [dave.id, carol.id, bob.id],
  )
})

test('the followers who want to are notified of each status of a batch', async t => {
  const { alice, bob, carol, dave, erin, server } = await people(t, 'alice', 'bob', 'carol', 'dave', 'erin')
  for (const follower of [carol, dave]) await follower.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true })
  await erin.post(`/api/v1/accounts/${bob.id}/follow`, { notify: true, languages: ['de'] })
  await alice.post(`/api/v1/accounts/${bob.id}/follow`)
  await dave.post(`/api/v1/accounts/${carol.id}/follow`, { notify: true })
  await dave.post(`/api/v1/accounts/${erin.id}/block`)
  const posts = [
    postOf(bob, 'to all'),
    postOf(alice, 'to nobody'),
    postOf(bob, 'to carol', { mentioned: [carol.id] }),
    postOf(carol, 'to dave', { visibility: 'private' }),
    postOf(bob, 'not to dave, who has blocked erin', { mentioned: [erin.id], language: null }),
  ]
  const stored = (await sql(server, statement, [JSON.stringify(posts)])).toSorted(
    (a, b) => Number(a['place']) - Number(b['place']),
  )
  type Made = { kind: string; account_id: string; status_id: string; data: { type: string } }
  const notified = (row: Record<string, unknown>): string[][] =>
    (row['events'] as Made[])
      .filter(({ kind }) => kind === 'notification.created')
      .map(({ account_id, data }) => [account_id, data.type])
  assert.deepEqual(stored.map(notified), [
    [
      [carol.id, 'status'],
      [dave.id, 'status'],
    ],
    [],
    [
      [carol.id, 'mention'],
      [carol.id, 'status'],
      [dave.id, 'status'],
    ],
    [[dave.id, 'status']],
    [
      [erin.id, 'mention'],
      [carol.id, 'status'],
      [erin.id, 'status'],
    ],
  ])
  for (const row of stored) for (const { status_id } of row['events'] as Made[]) assert.equal(status_id, row['id'])
  const received = (await dave.get('/api/v1/notifications?types[]=status')).json as { status: { id: string } }[]
  assert.deepEqual(
    received.map(({ status }) => status.id),
    [3, 2, 0].map(place => stored[place]?.['id']),
  )
})

test('more than a hundred followers of an author in a batch are notified by a job', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(
    server,
    `with added as (insert into accounts (username) select 'follower' || n from generate_series(1, 101) n returning id)
    insert into follows (account_id, target_account_id, notify) select id, $1, true from added`,
    [bob.id],
  )
  const stored = await sql(server, statement, [JSON.stringify([postOf(alice, 'plain'), postOf(bob, 'to 101')])])
  assert.deepEqual(
    stored.map(row => (row['events'] as unknown[]).length),
    [1, 1],
  )
  const posted = stored.find(row => row['place'] === 2)?.['id']
  await waitFor(
    server,
    async () => {
      const [made] = await sql(server, 'select count(*)::integer as n from notifications where status_id = $1', [
        posted,
      ])
      return made?.['n'] === 101
    },
    'the notifications of 101 followers',
  )
})

test('batches of two processes that share authors do not deadlock', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const mentioned = [carol.id]
  const batches = [
    [postOf(alice, 'plain'), postOf(bob, 'to carol', { mentioned }), postOf(carol, 'a link', { has_link: true })],
    [postOf(bob, 'plain'), postOf(alice, 'to carol', { mentioned, has_link: true }), postOf(carol, 'to none')],
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
