import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf, type ClientResponse } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { suspend as suspendAccount } from './notified.ts'

const CAUSES = 400
const SENDERS = 12
const STATUSES = 6
const SEED = 20261121

interface Row {
  id: string
  type: string
  key: string
  sender: string
}

interface Group {
  group_key: string
  notifications_count: number
  type: string
  most_recent_notification_id: number
  page_min_id: string
  page_max_id: string
  sample_account_ids: string[]
}

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

/**
 * Creates notifications in random order as their operations do, and undoes some. Returns a function
 * that suspends one sender.
 */
async function cause(
  server: TestServer,
  alice: Person,
  chance: () => number,
): Promise<{ suspend: () => Promise<unknown> }> {
  const senders = await Promise.all(Array.from({ length: SENDERS }, (_, index) => person(server, `sender${index}`)))
  const statuses: string[] = []
  for (let index = 0; index < STATUSES; index++) statuses.push((await alice.postStatus(`status ${index}`)).id)
  const types = ['favourite', 'favourite', 'reblog', 'follow', 'mention', 'status', 'poll', 'update']
  const made = Array.from({ length: CAUSES }, (_, index) => {
    const type = types[Math.floor(chance() * types.length)] ?? 'mention'
    const status = type === 'follow' ? null : statuses[Math.floor(chance() * STATUSES)]
    const hours = Math.floor(chance() * 3)
    const key = ['favourite', 'reblog'].includes(type)
      ? `${type}-${status}-${490000 + hours}`
      : type === 'follow'
        ? `follow-${490000 + hours}`
        : null
    return { type, status, key, sender: senders[Math.floor(chance() * SENDERS)]?.id, activity: index + 1 }
  })
  await sql(
    server,
    `insert into notifications (id, account_id, from_account_id, type, status_id, activity_id, group_key)
     overriding system value
     select n.id, $1, n.sender, n.type, n.status, n.activity, coalesce(n.key, 'ungrouped-' || n.id)
     from (
       select nextval('notifications_id_seq') as id, item.*
       from jsonb_to_recordset($2::jsonb) item (sender bigint, type text, status bigint, activity bigint, key text)
     ) n`,
    [alice.id, JSON.stringify(made)],
  )
  const undone = made.filter(() => chance() < 0.1).map(({ activity }) => activity)
  await sql(server, 'delete from notifications where account_id = $1 and activity_id = any ($2)', [alice.id, undone])
  return { suspend: () => suspendAccount(server, senders[0]?.id ?? '', alice) }
}

/** Reads all notifications of a person from the ungrouped list, newest first, with group keys. */
async function listAll(alice: Person, grouped: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  let path: string | undefined = '/api/v1/notifications?limit=80'
  while (path !== undefined) {
    const response: ClientResponse = await alice.get(path)
    for (const { id, type, group_key, account } of response.json as {
      id: string
      type: string
      group_key: string
      account: { id: string }
    }[])
      rows.push({ id, type, key: grouped.includes(type) ? group_key : `ungrouped-${id}`, sender: account.id })
    path = linkOf(response, 'next')
  }
  return rows
}

interface Page {
  readonly path: string
  readonly groups: Group[]
}

async function walk(alice: Person, start: string, rel: 'next' | 'prev'): Promise<Page[]> {
  const pages: Page[] = []
  let path: string | undefined = start
  while (path !== undefined) {
    const response: ClientResponse = await alice.get(path)
    assert.equal(response.status, 200, response.text)
    pages.push({ path, groups: (response.json as { notification_groups: Group[] }).notification_groups })
    path = linkOf(response, rel)
  }
  return pages
}

/** A model of a page of groups, computed from all notifications. */
function expectPage(rows: readonly Row[], path: string): object[] {
  const parameters = new URL(path, 'http://server.example').searchParams
  const bound = (name: string): number | undefined => (parameters.has(name) ? Number(parameters.get(name)) : undefined)
  const limit = Number(parameters.get('limit'))
  const [max, min] = [bound('max_id') ?? Infinity, bound('min_id')]
  const below = rows.filter(({ id }) => Number(id) < max)
  const bottom = min ?? bound('since_id') ?? 0
  const inside = [
    ...Map.groupBy(
      below.filter(({ id }) => Number(id) > bottom),
      ({ key }) => key,
    ),
  ]
  const placed = inside
    .map(([key, members]) => ({ key, members, place: Number((min === undefined ? members[0] : members.at(-1))?.id) }))
    .sort((one, other) => other.place - one.place)
  const page = min === undefined ? placed.slice(0, limit) : placed.slice(-limit)
  const isFull = page.length === limit
  const from = min === undefined && isFull ? Number(page.at(-1)?.place) : bottom + 1
  return page.map(({ key }) => {
    const members = below.filter(one => one.key === key)
    return {
      group_key: key,
      notifications_count: members.length,
      most_recent_notification_id: Number(members[0]?.id),
      page_min_id: members.findLast(({ id }) => Number(id) >= from)?.id,
      page_max_id: members[0]?.id,
      sample_account_ids: [...new Set(members.slice(0, 8).map(({ sender }) => sender))],
    }
  })
}

const modelled = ({ group_key, notifications_count, most_recent_notification_id, ...group }: Group): object => ({
  group_key,
  notifications_count,
  most_recent_notification_id,
  page_min_id: group.page_min_id,
  page_max_id: group.page_max_id,
  sample_account_ids: group.sample_account_ids,
})

test('a page that starts inside a group shows the group up to that notification', async t => {
  const { alice, bob, carol, dora, eve } = await people(t, 'alice', 'bob', 'carol', 'dora', 'eve')
  const status = await alice.postStatus('hello')
  for (const fan of [bob, carol, dora, eve]) await fan.post(`/api/v1/statuses/${status.id}/favourite`)
  const ids = (await listAll(alice, [])).map(({ id }) => id)
  const [, third = '', second = '', first = ''] = ids
  const cut = async (query: Record<string, string>): Promise<unknown[]> =>
    (
      (await alice.get('/api/v2/notifications', query)).json as { notification_groups: Group[] }
    ).notification_groups.map(one => [
      one.notifications_count,
      one.page_min_id,
      one.page_max_id,
      one.sample_account_ids,
    ])
  assert.deepEqual(await cut({ max_id: third }), [[2, first, second, [carol.id, bob.id]]])
  assert.deepEqual(await cut({ max_id: third, since_id: first }), [[2, second, second, [carol.id, bob.id]]])
  assert.deepEqual(await cut({ max_id: third, min_id: first }), [[2, second, second, [carol.id, bob.id]]])
  assert.deepEqual(await cut({ min_id: second }), [[4, third, ids[0], [eve.id, dora.id, carol.id, bob.id]]])
  assert.deepEqual(await cut({ since_id: String(ids[0]) }), [])
  assert.deepEqual(await cut({ max_id: first }), [])
  assert.deepEqual((await alice.get('/api/v2/notifications/unread_count')).json, { count: 1 })
})

test('pages of random notifications match the model and cover all in both directions', async t => {
  const { alice, server } = await people(t, 'alice')
  const { suspend } = await cause(server, alice, random(SEED))
  const all = ['favourite', 'reblog', 'follow', 'admin.sign_up']
  for (const hidden of [false, true]) {
    if (hidden) await suspend()
    for (const grouped of [all, ['favourite'], []]) {
      const rows = await listAll(alice, grouped)
      const keys = [...new Set(rows.map(({ key }) => key))].sort()
      const choice =
        grouped.length === 0 ? '&grouped_types[]=' : grouped.map(type => `&grouped_types[]=${type}`).join('')
      for (const limit of hidden ? [7] : [4, 80]) {
        const [down, up] = await Promise.all([
          walk(alice, `/api/v2/notifications?limit=${limit}${choice}`, 'next'),
          walk(alice, `/api/v2/notifications?limit=${limit}&min_id=0${choice}`, 'prev'),
        ])
        for (const pages of [down, up]) {
          const where = `${grouped.join()} in pages of ${limit}, hidden ${hidden}, seed ${SEED}`
          const seen = new Set(pages.flatMap(({ groups }) => groups.map(({ group_key: key }) => key)))
          assert.deepEqual([...seen].sort(), keys, where)
          // A hidden newest or oldest member still decides the place of its group.
          if (!hidden)
            for (const { path, groups } of pages) assert.deepEqual(groups.map(modelled), expectPage(rows, path), path)
        }
      }
    }
  }
})

test('ranges with random bounds match the model', async t => {
  const { alice, server } = await people(t, 'alice')
  const chance = random(SEED + 1)
  await cause(server, alice, chance)
  const rows = await listAll(alice, ['favourite', 'reblog', 'follow', 'admin.sign_up'])
  const anywhere = (): string => rows[Math.floor(chance() * rows.length)]?.id ?? ''
  for (let round = 0; round < 60; round += 1) {
    const path = `/api/v2/notifications?limit=${1 + Math.floor(chance() * 20)}`
    for (const range of [
      `&max_id=${anywhere()}`,
      `&min_id=${anywhere()}`,
      `&max_id=${anywhere()}&since_id=${anywhere()}`,
      `&max_id=${anywhere()}&min_id=${anywhere()}`,
    ]) {
      const response = await alice.get(path + range)
      const found = (response.json as { notification_groups: Group[] }).notification_groups
      assert.deepEqual(found.map(modelled), expectPage(rows, path + range), path + range)
    }
  }
})
