import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test, type Test } from 'tap'
import { readConfig } from '../../../src/core/config.ts'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { openTokens, type Tokens } from '../../../src/auth/oauth/token_store.ts'
import { createTestDatabase } from '../../support/database.ts'
import { loggedEvent } from '../../support/logged_event.ts'
import { person, sql, type Person } from '../../support/people.ts'

interface World {
  readonly people: readonly Person[]
  readonly tokens: Tokens
  /** Opens another cache, as a process that starts later does. */
  open(): Tokens
  /** Emits an event as if another process had committed it. */
  emit(kind: string, account: Person): void
  /** Runs before the next statement with this name. */
  before(name: string, work: () => Promise<void>): void
}

const secretOf = ({ token }: Person): string => token ?? ''

/** Opens a token cache with room for two tokens and two viewers. */
async function open(t: Test): Promise<World> {
  const { url } = await createTestDatabase(t)
  const real = openDatabase({ connection: { connectionString: url }, poolSize: 2 })
  t.after(() => real.close())
  let waiting: { name: string; work: () => Promise<void> } | undefined
  const database: Database = {
    ...real,
    async one(query, parameters) {
      const due = waiting?.name === query.name ? waiting : undefined
      if (due) waiting = undefined
      await due?.work()
      return real.one(query, parameters)
    },
  }
  const local$ = new Subject<LoggedEvent>()
  const openCache = (): Tokens => {
    const opened = openTokens({ database, config: readConfig({}) }, local$, error => assert.fail(String(error)), 2)
    t.after(() => opened.close())
    return opened
  }
  const tokens = openCache()
  const server = { url: '', databaseUrl: url }
  const people = await Promise.all(['alice', 'bob', 'carol'].map(name => person(server, name)))
  return {
    people,
    tokens,
    open: openCache,
    emit: (kind, { id }) => local$.next(loggedEvent(kind, { account_id: id })),
    before: (name, work) => void (waiting = { name, work }),
  }
}

const revokeAll = ({ server, userId }: Person): Promise<unknown> =>
  sql(server, 'update oauth_tokens set revoked_at = now() where user_id = $1', [userId])

test('a cached viewer is dropped when it changes, even if others evicted its token', async t => {
  const { people, tokens, emit } = await open(t)
  const [alice, bob, carol] = people
  assert.ok(alice && bob && carol)
  for (const one of [alice, bob, alice, carol, alice]) await tokens.find(secretOf(one))
  await sql(alice.server, 'update users set disabled = true where id = $1', [alice.userId])
  emit('user.changed', alice)
  assert.equal((await tokens.find(secretOf(alice)))?.viewer?.state, 'disabled')
})

test('revoking all tokens of a user includes a token whose viewer was evicted', async t => {
  const { people, tokens, emit } = await open(t)
  const [alice, bob, carol] = people
  assert.ok(alice && bob && carol)
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, false)
  // As the session cookie of a browser does.
  for (const one of [bob, carol]) await tokens.viewer(one.userId)
  await revokeAll(alice)
  emit('token.revoked', alice)
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, true)
})

test('a token revoked while its viewer is loaded counts as revoked', async t => {
  const { people, tokens, emit, before } = await open(t)
  const [alice] = people
  assert.ok(alice)
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, false)
  emit('user.changed', alice)
  before('auth/oauth/find_viewer', async () => {
    await revokeAll(alice)
    emit('token.revoked', alice)
  })
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, true)
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, true)
})

test('uses are recorded together, at most once in 24 hours, also by a process that starts later', async t => {
  const { people, tokens, open: openAgain } = await open(t)
  const [alice, bob, carol] = people
  assert.ok(alice && bob && carol)
  const use = async (store: Tokens, one: Person, address: string): Promise<void> => {
    const token = await store.find(secretOf(one))
    assert.ok(token)
    store.touch(token, address)
  }
  const inOrder = (rows: Record<string, unknown>[]): Record<string, unknown>[] =>
    rows.toSorted((a, b) => Number(a.user_id) - Number(b.user_id))
  const recorded = (): Promise<Record<string, unknown>[]> =>
    sql(
      alice.server,
      `select t.user_id, host(t.last_used_ip) as ip, d.user_id is not null as active, u.last_active_at is not null as seen
       from oauth_tokens t
       join users u on u.id = t.user_id
       left join active_days d on d.user_id = t.user_id
       where t.user_id = any ($1) order by u.id`,
      [people.map(({ userId }) => userId)],
    )
  const of = (one: Person, ip: string | null) => ({ user_id: one.userId, ip, active: ip !== null, seen: ip !== null })

  for (const one of [bob, alice]) await use(tokens, one, '192.0.2.1')
  await use(tokens, bob, '192.0.2.2')
  await tokens.close()
  assert.deepEqual(await recorded(), inOrder([of(alice, '192.0.2.1'), of(bob, '192.0.2.1'), of(carol, null)]))

  await sql(alice.server, `update oauth_tokens set last_used_at = now() - interval '25 hours' where user_id = $1`, [
    bob.userId,
  ])
  const later = openAgain()
  for (const one of people) await use(later, one, '192.0.2.3')
  await later.close()
  assert.deepEqual(await recorded(), inOrder([of(alice, '192.0.2.1'), of(bob, '192.0.2.3'), of(carol, '192.0.2.3')]))
})
