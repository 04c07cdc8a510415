import assert from 'node:assert/strict'
import pg from 'pg'
import { test, type Test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import type { TestSocket } from '../../support/socket.ts'

interface World {
  readonly server: TestServer
  readonly alice: Person
  /** The deleted account; alice follows him and has him in a list. */
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
  const open = await bob.postStatus('to all')
  const closed = await bob.postStatus('to followers', { visibility: 'private' })
  const byCarol = await carol.postStatus('by carol')
  const boosted = await bob.post(
    `/api/v1/statuses/${(await (await person(server, 'dora')).postStatus('far away')).id}/reblog`,
  )
  const last = await carol.postStatus(`about @${bob.username}`)
  for (const socket of [home, listed]) {
    await socket.next('update', ({ payload }) => (payload as { id: string }).id === last.id)
  }
  const posts = [open.id, closed.id, (boosted.json as { id: string }).id]
  return { server, alice, bob, carol, home, list: listed, everybody, posts, byCarol: byCarol.id }
}

/** Ids of the deletes received before a status posted now. */
async function deletions({ carol, byCarol }: World, socket: TestSocket): Promise<string[]> {
  const mark = await carol.postStatus(`mark after ${byCarol}`)
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

test('deleting an account sends one delete for each status to the home and list streams', async t => {
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

/** The column and the change of each way to hide an account; nothing is removed yet. */
const WAYS = {
  'a user deletes their own account, as soon as it is hidden': ['deletion_requested_at', 'deletion'],
  'an account is suspended': ['suspended_at', 'suspended'],
} as const

for (const [way, [column, what]] of Object.entries(WAYS)) {
  test(`the home and list streams receive the deletes when ${way}`, async t => {
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

/** Alice does not follow bob; a hashtag and dora's boost bring his posts to her. */
async function makeWorldElsewhere(t: Test): Promise<World> {
  const { alice, bob, carol, dora, server } = await people(t, 'alice', 'bob', 'carol', 'dora')
  const tag = `tapirs${alice.username.split('_')[1]}`
  await alice.follow(carol)
  await alice.follow(dora)
  await alice.post(`/api/v1/tags/${tag}/follow`)
  const { id: list } = (await alice.post('/api/v1/lists', { title: 'close' })).json as { id: string }
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [carol.id, dora.id] })
  const [home, listed, everybody] = await Promise.all([
    alice.stream('user'),
    alice.stream('list', { list }),
    alice.stream('public'),
  ])
  const tagged = await bob.postStatus(`about #${tag}`)
  const far = await bob.postStatus('far away')
  const boost = await dora.post(`/api/v1/statuses/${far.id}/reblog`)
  const byCarol = await carol.postStatus(`also about #${tag}`)
  for (const socket of [home, listed]) {
    await socket.next('update', ({ payload }) => (payload as { id: string }).id === byCarol.id)
  }
  const posts = [tagged.id, (boost.json as { id: string }).id]
  return { server, alice, bob, carol, home, list: listed, everybody, posts, byCarol: byCarol.id }
}

async function assertLeftElsewhere(world: World): Promise<void> {
  const [, boost] = world.posts
  assert.deepEqual((await deletions(world, world.home)).sort(), [...world.posts].sort())
  assert.deepEqual(await deletions(world, world.list), [boost])
}

async function deleteByOperator({ server, bob }: World): Promise<void> {
  const ran = await runHere(['accounts', 'delete', bob.username], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
  })
  assert.equal(ran.code, 0, ran.err)
}

for (const [way, [column, change]] of Object.entries(WAYS)) {
  test(`statuses brought by a hashtag or another account's boost are deleted once when ${way}`, async t => {
    const world = await makeWorldElsewhere(t)
    await sql(
      world.server,
      `with hidden as (update accounts set ${column} = now() where id = $1 returning id)
       insert into events (kind, account_id, data) select 'account.changed', id, jsonb_build_object('change', $2::text) from hidden`,
      [world.bob.id, change],
    )
    await assertLeftElsewhere(world)
    await deleteByOperator(world)
    assert.deepEqual([...(await deletions(world, world.home)), ...(await deletions(world, world.list))], [])
  })
}

test('deleting an account sends one delete for each status brought by a hashtag or a boost', async t => {
  const world = await makeWorldElsewhere(t)
  await deleteByOperator(world)
  await assertLeftElsewhere(world)
})

/**
 * Suspends and unsuspends bob in one transaction, whose events the server reads together, while it
 * cannot look up statuses; returns when it waits to do so.
 */
async function unsuspendDuringLookup(server: TestServer, bob: Person): Promise<void> {
  const [changer, holder] = [1, 2].map(() => new pg.Client({ connectionString: server.databaseUrl }))
  assert.ok(changer && holder)
  await Promise.all([changer.connect(), holder.connect()])
  try {
    await changer.query('begin')
    await changer.query(
      `insert into events (kind, account_id, data)
       select 'account.changed', $1, jsonb_build_object('change', change) from unnest('{suspended, unsuspended}'::text[]) change`,
      [bob.id],
    )
    // Begun later, so it does not hold back the log.
    await holder.query('begin')
    await holder.query('lock table status_tags in access exclusive mode')
    await changer.query('commit')
    const waiting = `select from pg_locks where not granted and relation = 'status_tags'::regclass`
    while ((await changer.query(waiting)).rowCount === 0);
  } finally {
    await Promise.all([changer.end(), holder.end()])
  }
}

async function changeSuspension(server: TestServer, bob: Person, change: 'suspended' | 'unsuspended'): Promise<void> {
  await sql(
    server,
    `with changed as (update accounts set suspended_at = case when $2 = 'suspended' then now() end where id = $1 returning id)
     insert into events (kind, account_id, data) select 'account.changed', id, jsonb_build_object('change', $2::text) from changed`,
    [bob.id, change],
  )
}

test('a delete is sent again for a status whose author was suspended and unsuspended', async t => {
  const world = await makeWorldElsewhere(t)
  const { server, bob, home, posts } = world
  await changeSuspension(server, bob, 'suspended')
  await changeSuspension(server, bob, 'unsuspended')
  await assertLeftElsewhere(world)
  assert.equal((await bob.delete(`/api/v1/statuses/${posts[0]}`)).status, 200)
  assert.deepEqual(await deletions(world, home), [posts[0]])
})

test('a delete is sent again when the author was unsuspended while the statuses were looked up', async t => {
  const world = await makeWorldElsewhere(t)
  const { server, bob, home, posts } = world
  await unsuspendDuringLookup(server, bob)
  await assertLeftElsewhere(world)
  assert.equal((await bob.delete(`/api/v1/statuses/${posts[0]}`)).status, 200)
  assert.deepEqual(await deletions(world, home), [posts[0]])
})

test('an account with more statuses than a batch sends deletes only for statuses that a feed showed', async t => {
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
  const [largest] = await sql(
    server,
    `select max(n)::integer as n from (select count(*) as n from events where kind = 'status.deleted' group by txid) one`,
  )
  assert.ok(Number(largest?.['n']) <= 1200)
})
