import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

/** What may relate a remote account, by its username, to somebody or something here. */
const RELATIONS: Readonly<Record<string, string>> = {
  followed: 'insert into follows (account_id, target_account_id) values ($ada, $it)',
  follower: 'insert into follows (account_id, target_account_id) values ($it, $ada)',
  asked: 'insert into follow_requests (account_id, target_account_id) values ($ada, $it)',
  blocked: 'insert into blocks (account_id, target_account_id) values ($ada, $it)',
  muted: 'insert into mutes (account_id, target_account_id) values ($ada, $it)',
  noted: `insert into account_notes (account_id, target_account_id, comment) values ($ada, $it, 'x')`,
  author: `insert into statuses (account_id, visibility, local, uri) values ($it, 'public', false, 'https://far.example/1')`,
  mentioned: `with s as (insert into statuses (account_id, visibility) values ($ada, 'public') returning id)
    insert into mentions (status_id, account_id) select s.id, $it from s`,
  liker: `with s as (insert into statuses (account_id, visibility) values ($ada, 'public') returning id)
    insert into favourites (status_id, account_id) select s.id, $it from s`,
  reported: `insert into reports (account_id, target_account_id, category, comment, status_ids) values ($ada, $it, 'other', 'x', '{}')`,
  moved_to: `update accounts set moved_to_account_id = $it where username = 'followed'`,
  limited: 'update accounts set silenced_at = now() where id = $it',
  suspended: 'update accounts set suspended_at = now() where id = $it',
  fresh: 'update accounts set fetched_at = now() where id = $it',
}

test('remote accounts without any relation are pruned, others are kept', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'ada', '--email', 'ada@example.com', '--confirmed')
  for (const name of [...Object.keys(RELATIONS), 'stranger', 'figure']) {
    await ctl.sql(
      `insert into accounts (username, domain, uri, fetched_at)
       values ('${name}', 'far.example', 'https://far.example/${name}', now() - interval '3 days')`,
    )
  }
  const idOf = (name: string): string => `(select id from accounts where username = '${name}')`
  for (const [name, statement] of Object.entries(RELATIONS))
    await ctl.sql(statement.replaceAll('$ada', idOf('ada')).replaceAll('$it', idOf(name)))
  await ctl.sql(
    `insert into account_stats (account_id, followers_count) values (${idOf('figure')}, 7) on conflict do nothing`,
  )
  const left = async (): Promise<unknown[]> =>
    (await ctl.sql('select username from accounts where domain is not null order by id')).map(row => row['username'])
  const all = await left()

  assert.equal(await ctl.ok('accounts', 'prune', '--dry-run'), 'OK, pruned 2 accounts (DRY RUN)\n')
  assert.deepEqual(await left(), all)
  assert.equal(await ctl.ok('accounts', 'prune', '-c', '2'), 'OK, pruned 2 accounts\n')
  assert.deepEqual(await left(), Object.keys(RELATIONS))
  assert.deepEqual(await ctl.sql(`select count(*)::int as n from events where kind = 'account.deleted'`), [{ n: 2 }])
  assert.equal(await ctl.ok('accounts', 'prune'), 'OK, pruned 0 accounts\n')
  assert.equal(
    (await ctl.run('accounts', 'prune', '-c', '0')).err,
    'Cannot run with this concurrency setting, must be at least 1\n',
  )
})
