import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import type { TestSocket } from '../../support/socket.ts'

interface World {
  readonly server: TestServer
  readonly alice: Person
  /** Who goes; alice follows him and has him in a list. */
  readonly bob: Person
  readonly carol: Person
  /** Alice's home and list, and all public posts. */
  readonly home: TestSocket
  readonly list: TestSocket
  readonly everybody: TestSocket
  /** Bob's posts: to all and to followers, and a boost. */
  readonly posts: readonly string[]
  readonly byCarol: string
}

async function makeWorld(t: Test): Promise<World> {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await alice.follow(bob)
  await alice.follow(carol)
  const made = await alice.post('/api/v1/lists', { title: 'close' })
  const { id: list } = made.json as { id: string }
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.id, carol.id] })
  const [home, listed, everybody] = await Promise.all([
    alice.stream('user'),
    alice.stream('list', { list }),
    alice.stream('public'),
  ])
  const open = await bob.say('to all')
  const closed = await bob.say('to followers', { visibility: 'private' })
  const byCarol = await carol.say('by carol')
  const boosted = await bob.post(`/api/v1/statuses/${(await (await person(server, 'dora')).say('far away')).id}/reblog`)
  const last = await carol.say(`about @${bob.username}`)
  for (const socket of [home, listed]) {
    await socket.next('update', ({ payload }) => (payload as { id: string }).id === last.id)
  }
  const posts = [open.id, closed.id, (boosted.json as { id: string }).id]
  return { server, alice, bob, carol, home, list: listed, everybody, posts, byCarol: byCarol.id }
}

/** Ids of the deletions that came before what is posted now. */
async function deletions({ carol, byCarol }: World, socket: TestSocket): Promise<string[]> {
  const mark = await carol.say(`mark after ${byCarol}`)
  const all = await socket.upTo('update', ({ payload }) => (payload as { id: string }).id === mark.id)
  return all.filter(({ event }) => event === 'delete').map(({ payload }) => String(payload))
}

async function assertLeft(world: World): Promise<void> {
  const { alice, home, list, posts } = world
  for (const socket of [home, list]) assert.deepEqual((await deletions(world, socket)).sort(), [...posts].sort())
  const shown = (await alice.get('/api/v1/timelines/home', { limit: '40' })).json as { id: string }[]
  assert.ok(shown.some(({ id }) => id === world.byCarol))
  assert.deepEqual(
    shown.filter(({ id }) => posts.includes(id)),
    [],
  )
}

test('what an operator deletes leaves the streams of home and lists, post by post, and each once', async t => {
  const world = await makeWorld(t)
  const { server, bob } = world
  const ran = await runHere(['accounts', 'delete', bob.username], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
  })
  assert.equal(ran.code, 0, ran.err)
  await assertLeft(world)
  assert.ok((await deletions(world, world.everybody)).includes(world.posts[0] ?? ''))
})

/** The event by which each way of hiding an account makes itself known; nothing is removed yet. */
const WAYS = {
  'somebody deletes their account themselves, as soon as it is hidden': ['deletion_requested_at', 'deletion'],
  'an account is suspended': ['suspended_at', 'suspended'],
} as const

for (const [way, [column, what]] of Object.entries(WAYS)) {
  test(`so it is when ${way}`, async t => {
    const world = await makeWorld(t)
    await sql(
      world.server,
      `with hidden as (update accounts set ${column} = now() where id = $1 returning id)
       insert into events (kind, account_id, data) select 'account.changed', id, jsonb_build_object('change', $2::text) from hidden`,
      [world.bob.id, what],
    )
    await assertLeft(world)
  })
}

test('of an account with more posts than a batch those are told that a feed showed, and no others', async t => {
  const world = await makeWorld(t)
  const { server, bob } = world
  await sql(
    server,
    `insert into statuses (id, account_id, content, visibility)
     select snowflake_at(now() - i * interval '1 day'), $1, 'old', 'public' from generate_series(1, 1500) i`,
    [bob.id],
  )
  const ran = await runHere(['accounts', 'delete', bob.username], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
  })
  assert.equal(ran.code, 0, ran.err)
  await assertLeft(world)
  const [most] = await sql(
    server,
    `select max(n)::integer as n from (select count(*) as n from events where kind = 'status.deleted' group by txid) one`,
  )
  assert.ok(Number(most?.['n']) <= 1200)
})
