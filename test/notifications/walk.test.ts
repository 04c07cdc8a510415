import assert from 'node:assert/strict'
import test from 'node:test'
import { linkOf, type Answered } from '../support/client.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

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

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Causes in an order that nobody chose, as their operations would have made them; some are undone. Gives what hides those by one sender. */
async function cause(
  server: TestServer,
  alice: Person,
  chance: () => number,
): Promise<{ suspend: () => Promise<unknown> }> {
  const senders = await Promise.all(Array.from({ length: SENDERS }, (_, index) => person(server, `sender${index}`)))
  const statuses: string[] = []
  for (let index = 0; index < STATUSES; index++) statuses.push((await alice.say(`status ${index}`)).id)
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
    `select notify($1, (item ->> 'sender')::bigint, item ->> 'type', (item ->> 'status')::bigint, (item ->> 'activity')::bigint, item ->> 'key')
     from jsonb_array_elements($2::jsonb) item`,
    [alice.id, JSON.stringify(made)],
  )
  const undone = made.filter(() => chance() < 0.1).map(({ activity }) => activity)
  await sql(server, 'delete from notifications where account_id = $1 and activity_id = any ($2)', [alice.id, undone])
  return { suspend: () => sql(server, 'update accounts set suspended_at = now() where id = $1', [senders[0]?.id]) }
}

/** What the groups have to be, the newest first, from the list that has no groups. */
async function expectGroups(alice: Person, grouped: readonly string[]): Promise<Map<string, Row[]>> {
  const rows: Row[] = []
  let path: string | undefined = '/api/v1/notifications?limit=80'
  while (path !== undefined) {
    const answer: Answered = await alice.get(path)
    for (const { id, type, group_key, account } of answer.json as {
      id: string
      type: string
      group_key: string
      account: { id: string }
    }[])
      rows.push({ id, type, key: grouped.includes(type) ? group_key : `ungrouped-${id}`, sender: account.id })
    path = linkOf(answer, 'next')
  }
  return Map.groupBy(rows, row => row.key)
}

async function walk(alice: Person, start: string, rel: 'next' | 'prev'): Promise<Group[]> {
  const groups: Group[] = []
  let path: string | undefined = start
  while (path !== undefined) {
    const answer: Answered = await alice.get(path)
    assert.equal(answer.status, 200, answer.text)
    const found = (answer.json as { notification_groups: Group[] }).notification_groups
    if (rel === 'next') groups.push(...found)
    else groups.unshift(...found)
    path = linkOf(answer, rel)
  }
  return groups
}

test('going through pages shows every group once and loses none, in both directions', async t => {
  const { alice, server } = await people(t, 'alice')
  const { suspend } = await cause(server, alice, random(SEED))
  const all = ['favourite', 'reblog', 'follow', 'admin.sign_up']
  const choices = [all, ['favourite'], []]
  // A group keeps its place when its newest member is hidden.
  const places: string[][] = []
  for (const grouped of choices) places.push([...(await expectGroups(alice, grouped)).keys()])
  await suspend()
  for (const [index, grouped] of choices.entries()) {
    const expected = await expectGroups(alice, grouped)
    const order = places[index]?.filter(key => expected.has(key))
    const choice = grouped.length === 0 ? '&grouped_types[]=' : grouped.map(type => `&grouped_types[]=${type}`).join('')
    for (const limit of [1, 7, 80]) {
      const where = `${grouped.join()} in pages of ${limit}, seed ${SEED}`
      const down = await walk(alice, `/api/v2/notifications?limit=${limit}${choice}`, 'next')
      assert.deepEqual(
        down.map(one => one.group_key),
        order,
        where,
      )
      const up = await walk(alice, `/api/v2/notifications?limit=${limit}&min_id=0${choice}`, 'prev')
      assert.deepEqual(
        up.map(one => one.group_key),
        down.map(one => one.group_key),
        where,
      )
      for (const group of down) {
        const members = expected.get(group.group_key) ?? []
        assert.equal(group.notifications_count, members.length, group.group_key)
        assert.equal(String(group.most_recent_notification_id), members[0]?.id)
        assert.equal(group.page_max_id, members[0]?.id)
        assert.ok(members.some(({ id }) => id === group.page_min_id))
        assert.deepEqual(group.sample_account_ids, [...new Set(members.slice(0, 8).map(({ sender }) => sender))])
      }
    }
  }
})

test('pages from one place each way have all groups between them', async t => {
  const { alice, server } = await people(t, 'alice')
  await cause(server, alice, random(SEED + 1))
  const groups = await walk(alice, '/api/v2/notifications?limit=80', 'next')
  const middle = String(groups[Math.floor(groups.length / 2)]?.page_max_id)
  const below = await walk(alice, `/api/v2/notifications?limit=9&max_id=${middle}`, 'next')
  const above = await walk(alice, `/api/v2/notifications?limit=9&min_id=${middle}`, 'prev')
  const keys = (some: Group[]): string[] => some.map(one => one.group_key)
  assert.deepEqual(
    [...keys(above), ...keys(below)],
    keys(groups).filter(key => key !== groups[Math.floor(groups.length / 2)]?.group_key),
  )
})
