import assert from 'node:assert/strict'
import { test } from 'tap'
import { staffMember } from '../administration/staff_fixtures.ts'
import { becomes } from '../platform/settings/pair.ts'
import { startServer } from '../support/server.ts'
import { people } from '../support/people.ts'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { createCommandLine, type CommandLine } from './command.ts'

async function withPeople(ctl: CommandLine, ...names: string[]): Promise<void> {
  for (const name of names) await ctl.ok('accounts', 'create', name, '--email', `${name}@example.com`, '--confirmed')
}

const follows = (ctl: CommandLine): Promise<Record<string, unknown>[]> =>
  ctl.sql(
    `select a.username || ' ' || b.username as pair from follows f
     join accounts a on a.id = f.account_id join accounts b on b.id = f.target_account_id order by 1`,
  )
const pairs = async (ctl: CommandLine): Promise<unknown[]> => (await follows(ctl)).map(({ pair }) => pair)

const follow = (ctl: CommandLine, ...wanted: readonly (readonly [string, string])[]): Promise<unknown> =>
  ctl.sql(
    `insert into follows (account_id, target_account_id)
     select a.id, b.id from (values ${wanted.map(([one, other]) => `('${one}', '${other}')`).join(', ')}) w (one, other)
     join accounts a on a.username = w.one join accounts b on b.username = w.other`,
  )

test('the relationships of an account are removed in either direction, with their list memberships', async t => {
  const ctl = await createCommandLine(t)
  await withPeople(ctl, 'ada', 'bob', 'cleo')
  await follow(ctl, ['ada', 'bob'], ['ada', 'cleo'], ['bob', 'ada'], ['bob', 'cleo'])
  await ctl.sql(
    `with l as (insert into lists (account_id, title) select id, 'close' from accounts where username = 'bob' returning id, account_id)
     insert into list_accounts (list_id, account_id, follow_id)
     select l.id, f.target_account_id, f.id from l join follows f using (account_id)`,
  )
  const reset = (...given: string[]) => ctl.run('accounts', 'reset-relationships', ...given)
  assert.equal((await reset('ada')).err, 'Please specify either --follows or --followers, or both\n')
  assert.equal((await reset('nobody', '--follows')).err, 'No such account\n')
  assert.equal((await reset('ada', '--follows')).out, 'Processed 2 relationships\n')
  assert.deepEqual(await pairs(ctl), ['bob ada', 'bob cleo'])
  assert.equal((await reset('@ada', '--follows', '--followers')).out, 'Processed 1 relationships\n')
  assert.deepEqual(await pairs(ctl), ['bob cleo'])
  assert.deepEqual(await ctl.sql('select count(*)::int as n from list_accounts'), [{ n: 1 }])
  assert.deepEqual(
    await ctl.sql(
      `select a.username, s.following_count::int as following, s.followers_count::int as followers
       from account_stats s join accounts a on a.id = s.account_id order by 1`,
    ),
    [
      { username: 'ada', following: 0, followers: 0 },
      { username: 'bob', following: 1, followers: 0 },
      { username: 'cleo', following: 0, followers: 1 },
    ],
  )
  const kinds = await ctl.sql(
    `select kind, count(*)::int as n from events where kind ~ '^(relationship|list)' group by 1 order by 1`,
  )
  assert.deepEqual(kinds, [
    { kind: 'list.changed', n: 1 },
    { kind: 'relationship.changed', n: 3 },
  ])
})

test('whose follows are removed follows the accounts of the setting again', async t => {
  const server = await startServer(t, { settings: { auto_follow_accounts: ['bob'] } })
  const ctl = await createCommandLine(t, server.databaseUrl)
  await withPeople(ctl, 'bob', 'ada', 'cleo')
  await becomes(() => pairs(ctl), ['ada bob', 'cleo bob'], 'newcomers follow bob')
  await follow(ctl, ['ada', 'cleo'], ['cleo', 'ada'])
  await ctl.ok('accounts', 'reset-relationships', 'ada', '--followers')
  assert.equal(await ctl.ok('accounts', 'reset-relationships', 'ada', '--follows'), 'Processed 2 relationships\n')
  await becomes(() => pairs(ctl), ['ada bob', 'cleo bob'], 'ada follows bob again, and nobody else')
  const { browser } = await staffMember(t, server, 'owner')
  const [row] = await ctl.sql(`select id::text from accounts where username = 'cleo'`)
  const page = `/admin/accounts/${String(row?.['id'])}`
  await follow(ctl, ['cleo', 'ada'])
  const fields = { follows: '1', sure: '1' }
  await browser.submit(await browser.get(page), `${page}/reset_relationships`, fields)
  await becomes(async () => (await pairs(ctl)).filter(pair => String(pair).startsWith('cleo')), ['cleo bob'], 'cleo')
})

test('an account is moved to one that names it as an alias, and the move is repeated', async t => {
  const ctl = await createCommandLine(t)
  await withPeople(ctl, 'old', 'new', 'other', 'fan')
  await follow(ctl, ['fan', 'old'])
  const migrate = (...given: string[]) => ctl.run('accounts', 'migrate', ...given)
  for (const [given, message] of [
    [['old'], 'Use either --replay or --target'],
    [['old', '--replay', '--target', 'new'], 'Use --replay or --target, not both'],
    [['nobody', '--replay'], 'No such account: nobody'],
    [['old', '--replay'], 'The specified account has not performed any migration'],
    [['old', '--target', 'missing'], 'The specified target account could not be found: missing'],
  ] as const)
    assert.deepEqual(await migrate(...given), { code: 1, out: '', err: `${message}\n` }, given.join(' '))
  assert.match((await migrate('old', '--target', 'new')).err, /^Error: .*does not name this account as an alias/)
  await ctl.sql(
    `insert into account_aliases (account_id, alias_account_id)
     select n.id, o.id from accounts n, accounts o where n.username in ('new', 'other') and o.username = 'old'`,
  )
  assert.equal((await migrate('old', '--target', 'new')).out, 'OK, migrated old to new\n')
  const waiting = `select count(*)::int as n from graphile_worker.jobs where task_identifier = 'accounts.move_followers'`
  assert.deepEqual(await ctl.sql(waiting), [{ n: 1 }])
  assert.match((await migrate('old', '--target', 'other')).err, /^The specified account is redirecting to a different/)
  assert.equal((await migrate('old', '--replay')).out, 'OK, migrated old to new\n')
  assert.deepEqual(await ctl.sql(waiting), [{ n: 2 }])
  await ctl.sql(
    `update accounts set moved_to_account_id = (select id from accounts where username = 'other') where username = 'old'`,
  )
  assert.match(
    (await migrate('old', '--replay')).err,
    /^The specified account is not redirecting to its last migration/,
  )
  assert.equal((await migrate('old', '--replay', '--force')).out, 'OK, migrated old to new\n')
})

test('a request that becomes a follow by ctl accounts follow keeps its options and lists', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const ctl = await createCommandLine(t, server.databaseUrl)
  await alice.request('PATCH', '/api/v1/accounts/update_credentials', { body: { locked: true } })
  await bob.post(`/api/v1/accounts/${alice.id}/follow`, { reblogs: false, notify: true, languages: ['de'] })
  const list = entity((await bob.post('/api/v1/lists', { title: 'close' })).json)
  const added = await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.id] })
  assert.equal(added.status, 200, added.text)
  await ctl.ok('accounts', 'follow', alice.username)
  const [now] = entities((await bob.get('/api/v1/accounts/relationships', { id: alice.id })).json)
  assert.deepEqual(
    ['following', 'requested', 'showing_reblogs', 'notifying', 'languages'].map(name => now?.[name]),
    [true, false, false, true, ['de']],
  )
  const members = entities((await bob.get(`/api/v1/lists/${list.id}/accounts`)).json)
  assert.deepEqual(
    members.map(member => member.id),
    [alice.id],
  )
  const checked = await ctl.run('check')
  assert.deepEqual([checked.code, checked.out], [0, ''])
})
