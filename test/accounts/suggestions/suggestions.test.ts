import assert from 'node:assert/strict'
import pg from 'pg'
import { test } from 'tap'
import { person, sql, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

interface Suggestion {
  source: string
  sources: string[]
  account: { id: string }
}

test('accounts chosen by the administrators are suggested until followed, muted or dismissed', async t => {
  const first = await startServer(t)
  const discoverable = { account: { discoverable: true } }
  const names = ['one', 'two', 'three', 'four', 'hidden'] as const
  const [one, two, three, four, hidden] = await Promise.all(
    names.map(name => person(first, name, name === 'hidden' ? {} : discoverable)),
  )
  assert.ok(one && two && three && four && hidden)
  await sql(
    first,
    `insert into settings (key, value) values ('bootstrap_timeline_accounts', $1), ('auto_follow_accounts', $2)`,
    [
      JSON.stringify([one, two, three, hidden].map(({ username }) => username)),
      JSON.stringify([four.username, three.username]),
    ],
  )
  const server = await startServer(t, { databaseUrl: first.databaseUrl })
  const alice = await person(server, 'alice', discoverable)
  const suggested = async (query: Record<string, string> = {}): Promise<string[]> =>
    ((await alice.get('/api/v2/suggestions', query)).json as Suggestion[]).map(({ account }) => account.id).sort()
  const ids = (...chosen: Person[]): string[] => chosen.map(({ id }) => id).sort()
  const list = await alice.get('/api/v2/suggestions', { limit: '1' })
  assert.deepEqual([(list.json as unknown[]).length, list.headers.get('link')], [1, null])
  for (const { source, sources } of (await alice.get('/api/v2/suggestions')).json as Suggestion[])
    assert.deepEqual([source, sources], ['staff', ['featured']])
  assert.deepEqual(await suggested(), ids(one, two, three, four))
  const inOrder = async (path: string): Promise<string[]> =>
    ((await alice.get(path)).json as ({ id: string } | { account: { id: string } })[]).map(one =>
      'account' in one ? one.account.id : one.id,
    )
  const order = await inOrder('/api/v2/suggestions')
  for (const path of ['/api/v2/suggestions', '/api/v1/suggestions']) assert.deepEqual(await inOrder(path), order)
  const old = await alice.get('/api/v1/suggestions', { limit: '1' })
  assert.equal((old.json as { id: string }[]).length, 1)
  assert.equal((await alice.delete(`/api/v2/suggestions/${one.id}`)).status, 404)
  assert.equal(old.headers.get('deprecation'), '@1621123200')
  assert.equal((await suggested({ offset: '3' })).length, 1)
  assert.deepEqual(await suggested({ offset: '300' }), [])
  await alice.post(`/api/v1/accounts/${one.id}/follow`)
  await alice.post(`/api/v1/accounts/${two.id}/mute`)
  for (const id of [three.id, three.id, '123', 'x']) {
    const response = await alice.delete(`/api/v1/suggestions/${id}`)
    assert.deepEqual([response.status, response.json], [200, {}])
  }
  assert.deepEqual(await suggested(), ids(four))
})

test('suggestions computed while the settings change are not cached', async t => {
  const server = await startServer(t)
  const guide = await person(server, 'guide', { account: { discoverable: true } })
  const alice = await person(server, 'alice')
  const stream = await alice.stream('user')
  const suggested = async (): Promise<string[]> =>
    ((await alice.get('/api/v2/suggestions')).json as Suggestion[]).map(({ account }) => account.id)
  const [changer, holder] = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      return client
    }),
  )
  assert.ok(changer && holder)
  try {
    assert.deepEqual(await suggested(), [])
    await changer.query('begin')
    await changer.query(`insert into settings (key, value) values ('bootstrap_timeline_accounts', $1)`, [
      JSON.stringify([guide.username]),
    ])
    await changer.query(
      `insert into events (kind, data) values ('settings.changed', '{"keys": ["bootstrap_timeline_accounts"]}')`,
    )
    // Its stream message shows that the events before it were processed.
    await changer.query(`insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
    // Next in the lock queue of the table, so the server can read it only after this transaction.
    await holder.query('begin')
    const held = holder.query('lock table settings in access exclusive mode')
    const waiting = `select from pg_locks where not granted and relation = 'settings'::regclass`
    while ((await changer.query(waiting)).rowCount === 0);
    await changer.query('commit')
    await held
    await stream.next('filters_changed')
    assert.deepEqual(await suggested(), [])
  } finally {
    await holder.query('rollback')
    await Promise.all([changer.end(), holder.end()])
  }
  let found: string[] = []
  for (const endMs = Date.now() + 10_000; found.length === 0 && Date.now() < endMs;) found = await suggested()
  assert.deepEqual(found, [guide.id])
})
