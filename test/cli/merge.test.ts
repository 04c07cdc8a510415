import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { runHere } from './command.ts'

/** Rows of two accounts of one person, by SQL as other servers' activities store them. */
const ROWS = `
  insert into accounts (username, domain, uri, public_key) values
    ('old', 'old.example', 'https://old.example/1', 'key'), ('new', 'new.example', 'https://new.example/1', 'key'),
    ('other', 'new.example', 'https://new.example/2', 'other key');
  insert into account_stats (account_id) select id from accounts on conflict do nothing;
  create view who as select id, username as name from accounts;
  insert into follows (account_id, target_account_id)
  select a.id, b.id from who a, who b
  where (a.name ~ '^alice' and b.name in ('old', 'new')) or (a.name ~ '^bob' and b.name = 'old') or (a.name = 'old' and b.name ~ '^alice');
  insert into statuses (account_id, visibility, local, uri, text, content)
  select id, 'public', false, 'https://old.example/note', 'hi', '<p>hi</p>' from who where name = 'old';
  insert into favourites (account_id, status_id) select w.id, s.id from who w, statuses s where w.name in ('old', 'new') and s.local;
  insert into mentions (account_id, status_id) select w.id, s.id from who w, statuses s where w.name in ('old', 'new') and s.local;
  insert into statuses (account_id, visibility, local, uri, reblog_of_id)
  select w.id, 'public', false, 'https://' || w.name || '.example/boost', s.id from who w, statuses s where w.name in ('old', 'new') and s.local;
  update account_stats c set statuses_count = case w.name when 'old' then 2 else 1 end from who w
  where w.id = c.account_id and w.name in ('old', 'new');
  insert into status_stats (status_id) select id from statuses on conflict do nothing;
  update status_stats c set favourites_count = 2, reblogs_count = 2 from statuses s where s.id = c.status_id and s.local;
  insert into account_notes (account_id, target_account_id, comment) select a.id, b.id, 'hm' from who a, who b where a.name ~ '^alice' and b.name = 'old';
  insert into reports (account_id, target_account_id, category, comment, status_ids)
  select a.id, b.id, 'other', 'x', '{}' from who a, who b where a.name ~ '^alice' and b.name = 'old'`

test('two accounts of one person become one, with all that belongs to them once', async t => {
  const server = await startServer(t)
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const mine = await alice.postStatus('look')
  for (const statement of ROWS.split(';')) await sql(server, statement)
  const environment = {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
    PUBLIC_URL: server.config.publicUrl,
  }
  const merge = (...given: string[]) => runHere(['accounts', 'merge', ...given], environment)
  assert.equal((await merge('none@old.example', 'new@new.example')).err, 'No such account (none@old.example)\n')
  assert.equal((await merge(alice.username, 'new@new.example')).err, `No such account (${alice.username})\n`)
  const refused = await merge('other@new.example', 'new@new.example')
  assert.match(refused.err, /Accounts don't have the same public key, might not be duplicates!\nOverride with --force/)
  assert.equal(refused.code, 1)

  const done = await merge('old@old.example', '@new@new.example')
  assert.deepEqual([done.code, done.out, done.err], [0, 'OK\n', ''])
  const [account] = (await alice.get('/api/v1/accounts/search', { q: 'new@new.example' })).json as Record<
    string,
    unknown
  >[]
  const id = String(account?.['id'])
  assert.deepEqual([account?.['followers_count'], account?.['following_count'], account?.['statuses_count']], [2, 1, 2])
  assert.deepEqual(await sql(server, `select from accounts where username = 'old'`), [])
  for (const who of [alice, bob]) {
    const [relation] = (await who.get('/api/v1/accounts/relationships', { id })).json as Record<string, unknown>[]
    assert.equal(relation?.['following'], true)
    if (who === alice) assert.deepEqual([relation?.['followed_by'], relation?.['note']], [true, 'hm'])
  }
  const posts = (await alice.get(`/api/v1/accounts/${id}/statuses`)).json as Record<string, unknown>[]
  assert.deepEqual(
    posts.map(post => post['uri']),
    ['https://new.example/boost', 'https://old.example/note'],
  )
  assert.equal((posts[1]?.['account'] as { acct: string } | undefined)?.acct, 'new@new.example')
  const shown = (await alice.get(`/api/v1/statuses/${mine.id}`)).json as Record<string, number>
  assert.deepEqual([shown['favourites_count'], shown['reblogs_count']], [1, 1])
  assert.equal((await sql(server, 'select from mentions where status_id = $1', [mine.id])).length, 1)
  // The counters by day are those of a recount, but for what happened and was undone.
  const counters = `select counter::text, day::text, domain, detail, sum(amount)::int as amount from day_counters
    where counter not in ('interactions', 'statuses', 'deleted_statuses')
    group by 1, 2, 3, 4 having sum(amount) <> 0 order by 1, 2, 3, 4`
  // That the two were active is recorded a moment after their first requests.
  while ((await sql(server, 'select from active_days')).length < 2);
  const kept = await sql(server, counters)
  await sql(server, 'select recount_days()')
  assert.deepEqual(kept, await sql(server, counters))
})
