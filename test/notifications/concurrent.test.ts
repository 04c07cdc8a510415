import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../cli/command.ts'
import { linkOf, type ClientResponse } from '../support/client.ts'
import { connect, waitForLocks } from '../support/other_transaction.ts'
import { people, person, type Person } from '../support/people.ts'

const V2 = '/api/v2/notifications'
const ROUNDS = 3
const FANS = 4
const STATUSES = 12

interface Group {
  group_key: string
  most_recent_notification_id: number
}

const groupsOf = ({ json }: ClientResponse): Group[] => (json as { notification_groups: Group[] }).notification_groups

/** Reads all pages; returns the groups of each. */
async function walk(alice: Person): Promise<Group[][]> {
  const pages: Group[][] = []
  let path: string | undefined = `${V2}?limit=3`
  while (path !== undefined) {
    const page: ClientResponse = await alice.get(path)
    assert.equal(page.status, 200, page.text)
    pages.push(groupsOf(page))
    path = linkOf(page, 'next')
  }
  return pages
}

test('no page repeats a group and no group is lost while notifications arrive', async t => {
  const { alice, server } = await people(t, 'alice')
  const statuses: string[] = []
  for (let at = 0; at < STATUSES; at += 1) statuses.push((await alice.postStatus(`status ${at}`)).id)
  const act = async (fan: Person, id: string, what: string): Promise<void> => {
    assert.equal((await fan.post(`/api/v1/statuses/${id}/${what}`)).status, 200)
  }
  const first = await person(server, 'first')
  for (const id of statuses) await act(first, id, 'favourite')

  for (let round = 0; round < ROUNDS; round += 1) {
    const fans = await Promise.all(Array.from({ length: FANS }, (_, at) => person(server, `fan${round}${at}`)))
    const before = groupsOf(await alice.get(V2, { limit: '80' }))
    const writing = Promise.all(
      fans.map(async (fan, at) => {
        for (let count = 0; count < STATUSES; count += 1) {
          // Each fan uses another order, so that any group can move up at any time.
          const id = statuses[(count * (2 * at + 5) + round) % STATUSES] ?? ''
          await act(fan, id, 'favourite')
          await act(fan, id, 'reblog')
        }
      }),
    )
    const pages = await walk(alice)
    await writing
    // A later page may repeat a group with its older members.
    for (const page of pages) {
      const keys = page.map(one => one.group_key)
      assert.equal(new Set(keys).size, keys.length, `round ${round} shows a group twice: ${keys.join(', ')}`)
    }
    const keys = new Set(pages.flat().map(one => one.group_key))
    // A group that is not shown has moved above the first page meanwhile.
    const top = pages[0]?.[0]?.most_recent_notification_id ?? 0
    const after = new Map(groupsOf(await alice.get(V2, { limit: '80' })).map(one => [one.group_key, one]))
    for (const { group_key: key } of before) {
      const newest = after.get(key)?.most_recent_notification_id ?? 0
      assert.ok(keys.has(key) || newest > top, `round ${round} does not show ${key}`)
    }
  }
})

test('a request counts a notification whose transaction began before the one that opened it', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const other = await connect(t, server)
  const counts = async (): Promise<unknown[]> =>
    ((await alice.get('/api/v1/notifications/requests')).json as { notifications_count: string }[]).map(
      ({ notifications_count: count }) => count,
    )
  await other.query('begin')
  const { rows } = await other.query<{ id: string }>(
    `with posted as (
       insert into statuses (account_id, text, content, visibility) values ($1, 'psst', '<p>psst</p>', 'direct') returning id
     )
     insert into mentions (status_id, account_id) select posted.id, $2 from posted returning status_id::text as id`,
    [bob.id, alice.id],
  )
  const earlier = rows[0]?.id ?? ''
  const { id } = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  await other.query(
    `select notify($2, $1, 'mention', m.status_id, m.id) from mentions m where m.account_id = $2 and m.status_id = $3`,
    [bob.id, alice.id, earlier],
  )
  await other.query('commit')
  assert.deepEqual(await counts(), ['2'])
  const environment = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir }
  const checked = await runHere(['check', 'notification-requests'], environment)
  assert.equal(checked.code, 0, checked.out)
  await bob.delete(`/api/v1/statuses/${earlier}`)
  assert.deepEqual(await counts(), ['1'])
  await bob.delete(`/api/v1/statuses/${id}`)
  assert.deepEqual(await counts(), [])
})

test('a request ends with the last of its notifications, when two are removed at once', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [one, two] = [
    await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' }),
    await bob.postStatus(`@${alice.username} again`, { visibility: 'direct' }),
  ]
  const requests = async (): Promise<unknown> => (await alice.get('/api/v1/notifications/requests')).json
  assert.equal(((await requests()) as unknown[]).length, 1)
  const other = await connect(t, server)
  await other.query('begin')
  await other.query('delete from notifications where account_id = $1 and status_id = $2', [alice.id, one.id])
  const deleted = bob.delete(`/api/v1/statuses/${two.id}`)
  await waitForLocks(server, 1, deleted)
  await other.query('commit')
  assert.equal((await deleted).status, 200)
  assert.deepEqual(await requests(), [])
})
