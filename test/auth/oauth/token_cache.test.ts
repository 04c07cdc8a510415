import assert from 'node:assert/strict'
import { Subject } from 'rxjs'
import { test, type Test } from 'tap'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import type { LoggedEvent } from '../../../src/platform/events/index.ts'
import { openTokens, type Tokens } from '../../../src/auth/oauth/token_store.ts'
import { createTestDatabase } from '../../support/database.ts'
import { loggedEvent } from '../../support/logged_event.ts'
import { person, sql, type Person } from '../../support/people.ts'

interface World {
  readonly people: readonly Person[]
  readonly tokens: Tokens
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
  const tokens = openTokens(database, local$, error => assert.fail(String(error)), 2)
  t.after(() => tokens.close())
  const server = { url: '', databaseUrl: url }
  const people = await Promise.all(['alice', 'bob', 'carol'].map(name => person(server, name)))
  return {
    people,
    tokens,
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
  before('auth/oauth/find_viewer', async () => {
    await revokeAll(alice)
    emit('token.revoked', alice)
  })
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, true)
  assert.equal((await tokens.find(secretOf(alice)))?.revoked, true)
})
