import assert from 'node:assert/strict'
import { test } from 'tap'
import { entities, entity } from '../statuses/status_fixtures.ts'
import { person, sql, type Person } from '../support/people.ts'
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
  insert into account_notes (account_id, target_account_id, comment) select a.id, b.id, 'of ' || b.name from who a, who b where a.name ~ '^bob' and b.name in ('old', 'new');
  insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
  select a.id, b.id, b.name = 'old', case b.name when 'new' then now() + interval '1 day' end from who a, who b where a.name ~ '^bob' and b.name in ('old', 'new');
  insert into notifications (account_id, from_account_id, type, status_id, group_key)
  select s.account_id, w.id, 'favourite', s.id, 'favourite-' || s.id from who w, statuses s where w.name in ('old', 'new') and s.local;
  insert into statuses (account_id, visibility, local, uri, conversation_id)
  select w.id, 'direct', false, 'https://' || w.name || '.example/psst', (select min(conversation_id) from statuses where local)
  from who w where w.name in ('old', 'new');
  insert into account_conversations (account_id, conversation_id, participant_account_ids, status_ids, last_status_id, unread)
  select a.id, s.conversation_id, array[w.id], array[s.id], s.id, w.name = 'old'
  from who a, who w join statuses s on s.account_id = w.id and s.visibility = 'direct' where a.name ~ '^alice' and w.name in ('old', 'new');
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
    else assert.deepEqual([relation?.['muting_notifications'], relation?.['note']], [true, 'of new\nof old'])
  }
  const muted = await sql(server, 'select expires_at from mutes')
  assert.deepEqual(muted, [{ expires_at: null }], 'the mute without an end stays')
  const conversations = await sql(
    server,
    'select cardinality(status_ids) as statuses, unread from account_conversations',
  )
  assert.deepEqual(conversations, [{ statuses: 2, unread: true }])
  const posts = (await alice.get(`/api/v1/accounts/${id}/statuses`)).json as Record<string, unknown>[]
  assert.deepEqual(
    posts.map(post => post['uri']),
    ['https://new.example/boost', 'https://old.example/note'],
  )
  assert.equal((posts[1]?.['account'] as { acct: string } | undefined)?.acct, 'new@new.example')
  const shown = (await alice.get(`/api/v1/statuses/${mine.id}`)).json as Record<string, number>
  assert.deepEqual([shown['favourites_count'], shown['reblogs_count']], [1, 1])
  assert.equal((await sql(server, 'select from mentions where status_id = $1', [mine.id])).length, 1)
  const notified = (await alice.get('/api/v1/notifications', { 'types[]': 'favourite' })).json
  assert.equal((notified as unknown[]).length, 1)
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

/** How five people are related to two accounts of one person, each in another way. */
const RELATIONS = `
  insert into accounts (username, domain, uri, public_key) values
    ('old', 'old.example', 'https://old.example/1', 'key'), ('new', 'new.example', 'https://new.example/1', 'key');
  insert into account_stats (account_id) select id from accounts on conflict do nothing;
  create view who as select id, regexp_replace(username, '[_0-9].*', '') as name from accounts;
  insert into follows (account_id, target_account_id)
  select a.id, b.id from who a, who b where (a.name, b.name) in (('alice', 'old'), ('bob', 'old'), ('carol', 'old'), ('carol', 'new'));
  insert into follow_requests (account_id, target_account_id)
  select a.id, b.id from who a, who b where (a.name, b.name) in (('alice', 'new'), ('dave', 'old'), ('dave', 'new'));
  insert into blocks (account_id, target_account_id) select a.id, b.id from who a, who b where (a.name, b.name) = ('bob', 'new');
  insert into endorsements (account_id, target_account_id) select a.id, b.id from who a, who b where (a.name, b.name) = ('carol', 'old');
  insert into lists (account_id, title) select id, 'close' from who where name in ('alice', 'bob', 'carol', 'dave');
  insert into list_accounts (list_id, account_id, follow_id, follow_request_id)
  select l.id, b.id, f.id, r.id from lists l join who a on a.id = l.account_id
  join who b on (a.name, b.name) in (('alice', 'new'), ('bob', 'old'), ('carol', 'old'), ('dave', 'old'))
  left join follows f on f.account_id = a.id and f.target_account_id = b.id
  left join follow_requests r on r.account_id = a.id and r.target_account_id = b.id;
  insert into statuses (account_id, visibility, local, uri, content) select id, 'public', false, 'https://' || name || '.example/note', 'hi'
  from who where name in ('old', 'new');
  insert into conversations (id) select id from statuses; update statuses set conversation_id = id;
  update account_stats set statuses_count = 1 where account_id in (select account_id from statuses);
  insert into mentions (status_id, account_id) select s.id, w.id from statuses s, who w where w.name = 'erin';
  insert into notifications (account_id, from_account_id, type, status_id, activity_id, group_key, filtered)
  select m.account_id, s.account_id, 'mention', s.id, m.id, 'ungrouped-' || m.id, true from mentions m join statuses s on s.id = m.status_id;
  insert into notification_requests (account_id, from_account_id, last_status_id, notifications_count, created_at)
  select n.account_id, n.from_account_id, n.status_id, 1, n.created_at from notifications n`

test('relations to two accounts that become one neither get lost nor contradict each other', async t => {
  const server = await startServer(t)
  const names = ['alice', 'bob', 'carol', 'dave', 'erin']
  const [alice, bob, carol, dave, erin] = (await Promise.all(names.map(name => person(server, name)))) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  t.after(() => Promise.all([alice, bob, carol, dave, erin].map(one => one.close())))
  for (const statement of RELATIONS.split(';')) await sql(server, statement)
  const ctl = (...given: string[]) =>
    runHere(given, {
      DATABASE_URL: server.databaseUrl,
      DATA_DIR: server.config.dataDir,
      PUBLIC_URL: server.config.publicUrl,
    })
  assert.equal((await ctl('check')).out, '')
  assert.equal((await ctl('accounts', 'merge', 'old@old.example', 'new@new.example')).code, 0)
  const [row] = await sql(server, `select id::text from accounts where username = 'new'`)
  const id = String(row?.['id'])
  const relation = async (who: Person): Promise<string[]> => {
    const [one] = entities((await who.get('/api/v1/accounts/relationships', { id })).json)
    const named = ['following', 'requested', 'blocking', 'endorsed'].filter(name => one?.[name] === true)
    const [list] = entities((await who.get('/api/v1/lists')).json)
    const members = list ? entities((await who.get(`/api/v1/lists/${list.id}/accounts`)).json) : []
    return [...named, ...members.map(member => (member.id === id ? 'listed' : `lists ${member.id}`))]
  }
  assert.deepEqual(await relation(alice), ['following', 'listed'])
  assert.deepEqual(await relation(bob), ['blocking'])
  assert.deepEqual(await relation(carol), ['following', 'endorsed', 'listed'])
  assert.deepEqual(await relation(dave), ['requested', 'listed'])
  const requests = entities((await erin.get('/api/v1/notifications/requests')).json)
  assert.deepEqual(
    requests.map(one => [entity(one['account']).id, one['notifications_count']]),
    [[id, '2']],
  )
  const checked = await ctl('check')
  assert.deepEqual([checked.code, checked.out], [0, ''])
})
