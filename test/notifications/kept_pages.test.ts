import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { NOTIFICATION_TYPES } from '../../src/notifications/index.ts'
import { people, person, sql, waitForEventLog, type Person } from '../support/people.ts'
import { requestFromEach } from '../support/processes.ts'
import type { ServerAddress, TestServer } from '../support/server.ts'
import { notificationsOf, notified } from './notified.ts'

const SEED = 20261122
const STEPS = 60
const GROUPED = ['favourite', 'reblog', 'follow', 'admin.sign_up']
const MAX_ID = '9223372036854775807'

type Query = Record<string, string | string[]>

/** A generator of numbers from 0 to 1 from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const statement = (name: string): string =>
  readFileSync(new URL(`../../sql/queries/notifications/${name}.sql`, import.meta.url), 'utf8')

const text = (query: Query, name: string): string | null => {
  const value = query[name]
  return typeof value === 'string' ? value : null
}

const texts = (query: Query, name: string): string[] | undefined => {
  const value = query[`${name}[]`]
  return Array.isArray(value) ? value : undefined
}

/** The parameters as the statements take them. */
function partOf(query: Query) {
  const [wanted, unwanted] = [texts(query, 'types'), texts(query, 'exclude_types') ?? []]
  const types = NOTIFICATION_TYPES.filter(
    type => (wanted === undefined || wanted.includes(type)) && !unwanted.includes(type),
  )
  return {
    types,
    isOfAll: types.length === NOTIFICATION_TYPES.length,
    account: text(query, 'account_id'),
    filtered: query['include_filtered'] === 'true',
    range: [text(query, 'max_id'), text(query, 'since_id'), text(query, 'min_id')] as const,
    limit: Number(text(query, 'limit') ?? 40),
  }
}

/** The ids that the database gives for a page, by the statements that decide everything in SQL. */
async function idsByDatabase(server: ServerAddress, viewer: string, query: Query): Promise<string[]> {
  const { types, isOfAll, account, filtered, range, limit } = partOf(query)
  const rows =
    account !== null
      ? await sql(server, statement('page_from'), [viewer, account, types, ...range, limit])
      : isOfAll
        ? await sql(server, statement('page'), [viewer, filtered, ...range, limit])
        : await sql(server, statement('page_of_types'), [viewer, types, filtered, ...range, limit])
  return rows.map(row => String(row['id']))
}

/** The groups that the database gives for a page. */
async function groupsByDatabase(server: ServerAddress, viewer: string, query: Query): Promise<unknown[]> {
  const { types, account, filtered, range, limit } = partOf(query)
  const [max, since, min] = range
  const grouped = texts(query, 'grouped_types') ?? GROUPED
  const rows =
    account !== null
      ? await sql(server, statement('groups_from'), [viewer, account, types, grouped, ...range, limit])
      : min === null
        ? await sql(server, statement('groups'), [viewer, types, grouped, filtered, max, since, limit])
        : await sql(server, statement('groups_above'), [viewer, types, grouped, filtered, max, min, limit])
  if (account === null && min !== null) rows.reverse()
  const cut = min ?? (rows.length < limit ? (since ?? '0') : undefined)
  const bottom =
    cut === undefined ? String(BigInt((rows.at(-1)?.['id'] as string | undefined) ?? 0)) : String(BigInt(cut) + 1n)
  const keys = rows.map(row => String(row['group_key'])).filter(key => !key.startsWith('ungrouped-'))
  const members = await sql(server, statement('group_members'), [viewer, keys, bottom, max ?? MAX_ID])
  return rows.map(row => {
    const one = members.find(found => found['group_key'] === row['group_key'])
    return {
      group_key: row['group_key'],
      notifications_count: one ? one['members'] : 1,
      most_recent_notification_id: Number(row['id']),
      page_min_id: String(one?.['oldest'] ?? row['id']),
      page_max_id: String(row['id']),
      sample_account_ids: one ? [...new Set(one['sample'] as string[])].map(String) : [String(row['from_account_id'])],
    }
  })
}

interface Group {
  group_key: string
  notifications_count: number
  most_recent_notification_id: number
  page_min_id: string
  page_max_id: string
  sample_account_ids: string[]
}

const said = (group: Group): object => ({
  group_key: group.group_key,
  notifications_count: group.notifications_count,
  most_recent_notification_id: group.most_recent_notification_id,
  page_min_id: group.page_min_id,
  page_max_id: group.page_max_id,
  sample_account_ids: group.sample_account_ids,
})

interface World {
  readonly server: TestServer
  readonly alice: Person
  readonly others: readonly Person[]
  readonly pick: <T>(list: readonly T[]) => T | undefined
  /** Statuses of alice, and of others who mention her. */
  readonly own: string[]
  readonly mentions: { by: Person; id: string }[]
  readonly witness: Person
}

const at = (id: string, action: string): string => `/api/v1/statuses/${id}/${action}`
const of = ({ id }: Person, action: string): string => `/api/v1/accounts/${id}/${action}`

async function stand(world: World, who: Person, change: 'suspended' | 'unsuspended'): Promise<void> {
  await sql(
    world.server,
    `with changed as (
       update accounts set suspended_at = case when $2 = 'suspended' then now() end where id = $1 returning id
     )
     insert into events (kind, account_id, data)
     select 'account.changed', changed.id, jsonb_build_object('change', $2::text) from changed`,
    [who.id, change],
  )
  await waitForEventLog(world.witness)
}

type Action = (world: World, who: Person, status: string) => Promise<unknown>

/** What happens to alice, and what she does. */
const ACTIONS: readonly (readonly [weight: number, name: string, act: Action])[] = [
  [6, 'favourite', (_, who, status) => who.post(at(status, 'favourite'))],
  [2, 'unfavourite', (_, who, status) => who.post(at(status, 'unfavourite'))],
  [4, 'boost', (_, who, status) => who.post(at(status, 'reblog'))],
  [2, 'unboost', (_, who, status) => who.post(at(status, 'unreblog'))],
  [3, 'follow alice', ({ alice }, who) => who.post(of(alice, 'follow'))],
  [1, 'unfollow alice', ({ alice }, who) => who.post(of(alice, 'unfollow'))],
  [5, 'mention', mention],
  [2, 'take a mention out', ({ pick, mentions }) => edit(pick(mentions), 'nobody')],
  [2, 'mention again', ({ pick, mentions, alice }) => edit(pick(mentions), `@${alice.username} again`)],
  [2, 'delete a mention', ({ pick, mentions }) => deleted(pick(mentions))],
  [2, 'post', async ({ own, alice }) => own.push((await alice.postStatus('another')).id)],
  [1, 'delete a post', ({ alice }, _, status) => alice.delete(`/api/v1/statuses/${status}`)],
  [1, 'alice blocks', ({ alice }, who) => alice.post(of(who, 'block'))],
  [2, 'alice unblocks', ({ alice }, who) => alice.post(of(who, 'unblock'))],
  [1, 'alice mutes', ({ alice }, who) => alice.post(of(who, 'mute'))],
  [2, 'alice unmutes', ({ alice }, who) => alice.post(of(who, 'unmute'))],
  [1, 'block alice', ({ alice }, who) => who.post(of(alice, 'block'))],
  [2, 'unblock alice', ({ alice }, who) => who.post(of(alice, 'unblock'))],
  [2, 'alice follows', ({ alice }, who) => alice.post(of(who, 'follow'))],
  [1, 'alice unfollows', ({ alice }, who) => alice.post(of(who, 'unfollow'))],
  [1, 'lock', (_, who) => who.patch('/api/v1/accounts/update_credentials', { locked: true, discoverable: true })],
  [1, 'filter', ({ alice }) => alice.post('/api/v2/filters', FILTER)],
  [1, 'policy filters', ({ alice }) => alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })],
  [2, 'policy accepts', ({ alice }) => alice.patch('/api/v2/notifications/policy', { for_not_following: 'accept' })],
  [1, 'accept requests', ({ alice }) => answerRequests(alice, 'accept')],
  [1, 'dismiss requests', ({ alice }) => answerRequests(alice, 'dismiss')],
  [2, 'dismiss', dismissOne],
  [2, 'dismiss a group', dismissGroup],
  [0.3, 'clear', ({ alice }) => alice.post('/api/v1/notifications/clear')],
  [1, 'suspend', (world, who) => stand(world, who, 'suspended')],
  [2, 'unsuspend', (world, who) => stand(world, who, 'unsuspended')],
]

const FILTER = { title: 'again', context: ['notifications'], keywords_attributes: [{ keyword: 'again' }] }

async function mention({ alice, mentions, pick }: World, who: Person): Promise<void> {
  const visibility = pick(['public', 'private', 'direct'])
  const response = await who.post('/api/v1/statuses', { status: `@${alice.username} hello`, visibility })
  if (response.status === 200) mentions.push({ by: who, id: (response.json as { id: string }).id })
}

const edit = async (mention: { by: Person; id: string } | undefined, status: string): Promise<unknown> =>
  mention && mention.by.put(`/api/v1/statuses/${mention.id}`, { status })

const deleted = async (mention: { by: Person; id: string } | undefined): Promise<unknown> =>
  mention && mention.by.delete(`/api/v1/statuses/${mention.id}`)

async function answerRequests(alice: Person, response: 'accept' | 'dismiss'): Promise<unknown> {
  const requests = (await alice.get('/api/v1/notifications/requests')).json as { id: string }[]
  return alice.post(`/api/v1/notifications/requests/${response}`, { id: requests.map(({ id }) => id) })
}

async function dismissOne({ alice, pick }: World): Promise<unknown> {
  const one = pick(await notified(alice, { include_filtered: 'true' }))
  return one && alice.post(`/api/v1/notifications/${one.id}/dismiss`)
}

async function dismissGroup({ alice, pick }: World): Promise<unknown> {
  const one = pick(await notified(alice))
  return one && alice.post(`/api/v2/notifications/${one.group_key}/dismiss`)
}

/** A random action, and its name. */
async function act(world: World, chance: () => number): Promise<string> {
  const all = ACTIONS.reduce((sum, [weight]) => sum + weight, 0)
  let left = chance() * all
  const [, name, run] = ACTIONS.find(([weight]) => (left -= weight) < 0) ?? ACTIONS[0] ?? []
  const who = world.pick(world.others)
  assert.ok(name !== undefined && run && who)
  await run(world, who, world.pick(world.own) ?? '1')
  return `${name} (${who.username})`
}

/** Queries of both versions, with bounds among the notifications. */
function queriesFor(ids: readonly string[], { pick, others }: World): Query[] {
  const [one = '1', other = '1'] = [pick(ids), pick(ids)]
  return [
    {},
    { limit: '3' },
    { max_id: one },
    { since_id: one },
    { min_id: one, limit: '2' },
    { max_id: one, since_id: other },
    { max_id: one, min_id: other },
    { 'types[]': ['favourite', 'mention'] },
    { 'exclude_types[]': ['reblog'], limit: '4' },
    { account_id: pick(others)?.id ?? '1' },
    { include_filtered: 'true' },
    { include_filtered: 'true', min_id: other },
  ]
}

const groupQueries = (queries: readonly Query[]): Query[] => [
  ...queries,
  { 'grouped_types[]': ['favourite'] },
  { 'grouped_types[]': ['follow', 'reblog'], limit: '5' },
  { expand_accounts: 'partial_avatars' },
]

/** Reads a page twice in each process, so that the second is a kept one. */
async function read(alice: Person, path: string, query: Query): Promise<unknown> {
  const ask = async (): Promise<Awaited<ReturnType<Person['get']>>> => {
    await alice.get(path, query)
    return alice.get(path, query)
  }
  const response = await requestFromEach(ask)
  assert.equal(response.status, 200, response.text)
  return response.json
}

async function forget({ server, witness }: World): Promise<void> {
  await sql(server, `insert into events (kind, data) values ('caches.cleared', '{"change": "all"}')`)
  await waitForEventLog(witness)
}

async function createWorld(server: TestServer, alice: Person, chance: () => number): Promise<World> {
  const others = await Promise.all(['bob', 'carol', 'dora', 'eve'].map(name => person(server, name)))
  const witness = await person(server, 'witness')
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(chance() * list.length)]
  const own = [(await alice.postStatus('one')).id, (await alice.postStatus('two')).id]
  return { server, alice, others, witness, pick, own, mentions: [] }
}

test('whatever happens, pages are what the database says, and what they are without anything in memory', async t => {
  const { alice, server } = await people(t, 'alice')
  const chance = random(SEED)
  const world = await createWorld(server, alice, chance)
  t.after(() => world.witness.close())
  const kept: { path: string; query: Query; answer: unknown; where: string }[] = []
  for (let step = 1; step <= STEPS; step += 1) {
    const where = `step ${step} (seed ${SEED}): ${await act(world, chance)}`
    const ids = (await notified(alice)).map(({ id }) => id)
    const queries = queriesFor(ids, world)
    const [single, grouped] = [world.pick(queries) ?? {}, world.pick(groupQueries(queries)) ?? {}]
    for (const query of [{}, single]) {
      const response = (await read(alice, '/api/v1/notifications', query)) as { id: string }[]
      assert.deepEqual(
        response.map(({ id }) => id),
        await idsByDatabase(server, alice.id, query),
        `${where}, ${JSON.stringify(query)}`,
      )
      kept.push({ path: '/api/v1/notifications', query, answer: response, where })
    }
    for (const query of [{}, grouped]) {
      const response = (await read(alice, '/api/v2/notifications', query)) as { notification_groups: Group[] }
      assert.deepEqual(
        response.notification_groups.map(said),
        await groupsByDatabase(server, alice.id, query),
        `${where}, in groups, ${JSON.stringify(query)}`,
      )
      kept.push({ path: '/api/v2/notifications', query, answer: response, where })
    }
    const last = kept.splice(0)
    if (step % 4 !== 0) continue
    await forget(world)
    for (const { path, query, answer: response, where: said } of last)
      assert.deepEqual(await read(alice, path, query), response, `${said}, ${path} ${JSON.stringify(query)}`)
  }
})

test('clearing and dismissing are read at once', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol]) await fan.post(`/api/v1/statuses/${status.id}/favourite`)
  await bob.follow(alice)
  const [follow, favourite] = await notified(alice)
  assert.deepEqual(await notificationsOf(alice), ['follow by bob', 'favourite by carol', 'favourite by bob'])
  await alice.post(`/api/v1/notifications/${String(follow?.id)}/dismiss`)
  assert.deepEqual(await notificationsOf(alice), ['favourite by carol', 'favourite by bob'])
  await alice.post(`/api/v2/notifications/${String(favourite?.group_key)}/dismiss`)
  assert.deepEqual(await notificationsOf(alice), [])
  await carol.follow(alice)
  assert.deepEqual(await notificationsOf(alice), ['follow by carol'])
  await alice.post('/api/v1/notifications/clear')
  assert.deepEqual(await notificationsOf(alice), [])
})

/** What bob does, and what takes its notification away again. */
const UNDONE: readonly (readonly [name: string, cause: Action, undo: Action])[] = [
  ['a favourite', (_, bob, id) => bob.post(at(id, 'favourite')), (_, bob, id) => bob.post(at(id, 'unfavourite'))],
  ['a boost', (_, bob, id) => bob.post(at(id, 'reblog')), (_, bob, id) => bob.post(at(id, 'unreblog'))],
  ['a follow', ({ alice }, bob) => bob.post(of(alice, 'follow')), ({ alice }, bob) => bob.post(of(alice, 'unfollow'))],
  ['a mention', mention, ({ mentions }) => deleted(mentions.at(-1))],
  ['a private mention', mention, ({ alice, mentions }) => hide(alice, mentions.at(-1))],
  ['a muted person', mention, ({ alice }, bob) => alice.post(of(bob, 'mute'))],
  ['a blocked person', mention, ({ alice }, bob) => alice.post(of(bob, 'block'))],
  ['a suspended person', mention, (world, bob) => stand(world, bob, 'suspended')],
]

/** The author blocks the reader, who may not see the status any more. */
const hide = async (alice: Person, mention: { by: Person; id: string } | undefined): Promise<unknown> =>
  mention?.by.post(of(alice, 'block'))

for (const [name, cause, undo] of UNDONE) {
  test(`${name} is listed at once, and not after it was undone or hidden`, async t => {
    const { alice, bob, server } = await people(t, 'alice', 'bob')
    const world = await createWorld(server, alice, () => 0)
    t.after(() => world.witness.close())
    const listed = async (): Promise<number[]> => {
      const groups = (await read(alice, '/api/v2/notifications', {})) as { notification_groups: Group[] }
      return [((await read(alice, '/api/v1/notifications', {})) as object[]).length, groups.notification_groups.length]
    }
    assert.deepEqual(await listed(), [0, 0])
    await cause(world, bob, world.own[0] ?? '')
    assert.deepEqual(await listed(), [1, 1])
    await undo(world, bob, world.own[0] ?? '')
    assert.deepEqual(await listed(), [0, 0])
  })
}

test('the metrics count pages in memory, and the pages that were rendered from there', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await bob.follow(alice)
  const figures = async (): Promise<number[]> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    return ['hits', 'misses', 'bytes', 'limit_bytes'].map(name =>
      Number(new RegExp(`^millrace_cache_${name}\\{cache="notifications"\\} (\\d+)`, 'm').exec(metrics)?.[1]),
    )
  }
  await requestFromEach(() => alice.get('/api/v1/notifications'))
  const [hitsBefore = 0, missesBefore = 0] = await figures()
  const again = await requestFromEach(() => alice.get('/api/v1/notifications'))
  assert.equal((again.json as object[]).length, 1)
  const [hits = 0, misses = 0, bytes = 0, limitBytes = 0] = await figures()
  assert.ok(hits > hitsBefore && misses === missesBefore, `${hits} after ${hitsBefore}, ${misses}`)
  assert.ok(bytes > 0 && bytes <= limitBytes, `${bytes} of ${limitBytes}`)
})
