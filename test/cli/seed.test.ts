import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { verifyPassword } from '../../src/platform/password_hashing/index.ts'
import { createCommandLine, type CommandLine } from './command.ts'

const SIZE = ['--accounts', '60', '--statuses', '1500', '--follows-per-account', '8', '--until', '2026-01-01T00:00:00Z']

/** Each query counts inconsistent rows. */
const FAULTS = {
  'reports of missing statuses, or of those of other accounts': `
    select count(*) from reports r
    where not exists (select from statuses s where s.id = any (r.status_ids) and s.account_id = r.target_account_id)
      or r.account_id = r.target_account_id`,
  'texts of attachments and polls':
    'select count(*) from statuses s where s.attached_text <> attached_text_of(s.id, s.media_attachment_ids)',
  'account counters': `
    select count(*) from account_stats c
    where (c.statuses_count, c.following_count, c.followers_count) is distinct from (
      (select count(*) from statuses s where s.account_id = c.account_id and s.visibility <> 'direct'),
      (select count(*) from follows f where f.account_id = c.account_id),
      (select count(*) from follows f where f.target_account_id = c.account_id)
    ) or c.last_status_at is distinct from (
      select max(s.created_at) from statuses s where s.account_id = c.account_id and s.visibility <> 'direct'
    )`,
  'accounts without counters':
    'select count(*) from accounts a left join account_stats c on c.account_id = a.id where c.account_id is null',
  'status counters': `
    select count(*) from statuses s left join status_stats c on c.status_id = s.id
    where (coalesce(c.replies_count, 0), coalesce(c.reblogs_count, 0), coalesce(c.favourites_count, 0)) <> (
      (select count(*) from statuses r where r.in_reply_to_id = s.id and r.visibility in ('public', 'unlisted')),
      (select count(*) from statuses b where b.reblog_of_id = s.id),
      (select count(*) from favourites f where f.status_id = s.id)
    )`,
  'statuses whose ids do not contain their time':
    'select count(*) from statuses s where s.id >> 16 <> floor(extract(epoch from s.created_at) * 1000)',
  'accounts whose ids do not contain their time':
    'select count(*) from accounts a where a.id >> 16 <> floor(extract(epoch from a.created_at) * 1000)',
  'replies before their parent, in another thread, or to the wrong account': `
    select count(*) from statuses s join statuses p on p.id = s.in_reply_to_id
    where p.id >= s.id or p.conversation_id <> s.conversation_id
      or s.in_reply_to_account_id is distinct from case
        when p.account_id = s.account_id then coalesce(p.in_reply_to_account_id, p.account_id)
        else p.account_id
      end`,
  'statuses older than their author':
    'select count(*) from statuses s join accounts a on a.id = s.account_id where a.created_at > s.created_at',
  'rows with missing references': `
    select
      (select count(*) from statuses s where not exists (select from accounts a where a.id = s.account_id))
      + (select count(*) from statuses s where s.in_reply_to_id is not null and not exists (select from statuses p where p.id = s.in_reply_to_id))
      + (select count(*) from statuses s where s.reblog_of_id is not null and not exists (select from statuses p where p.id = s.reblog_of_id))
      + (select count(*) from statuses s where s.reblog_of_id is null and not exists (select from conversations k where k.id = s.conversation_id))
      + (select count(*) from mentions m where not exists (select from statuses s where s.id = m.status_id))
      + (select count(*) from status_tags x where not exists (select from tags t where t.id = x.tag_id))
      + (select count(*) from list_accounts l where not exists (select from follows f where f.id = l.follow_id and f.target_account_id = l.account_id))
      + (select count(*) from users u where not exists (select from accounts a where a.id = u.account_id))`,
  'favourites of invisible statuses': `
    select count(*) from favourites f where not exists (select from visible_statuses(f.account_id) s where s.id = f.status_id)`,
  'replies to invisible statuses': `
    select count(*) from statuses r
    where r.in_reply_to_id is not null and not exists (select from visible_statuses(r.account_id) s where s.id = r.in_reply_to_id)`,
  'boosts of statuses that are not public': `
    select count(*) from statuses b
    where b.reblog_of_id is not null
      and not exists (select from visible_statuses(b.account_id) s where s.id = b.reblog_of_id and s.visibility in ('public', 'unlisted'))`,
  'follows between accounts with a block': `
    select count(*) from follows f join blocks b
      on (b.account_id, b.target_account_id) in ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id))`,
  'notifications without a cause': `
    select count(*) from notifications n
    where not case n.type
      when 'favourite' then exists (
        select from favourites f where f.id = n.activity_id and f.status_id = n.status_id and f.account_id = n.from_account_id)
      when 'follow' then exists (
        select from follows f where f.id = n.activity_id and f.account_id = n.from_account_id and f.target_account_id = n.account_id)
      when 'follow_request' then exists (
        select from follow_requests f where f.id = n.activity_id and f.account_id = n.from_account_id)
      when 'mention' then exists (
        select from mentions m where m.id = n.activity_id and m.status_id = n.status_id and m.account_id = n.account_id)
      when 'reblog' then exists (
        select from statuses s where s.id = n.activity_id and s.reblog_of_id = n.status_id and s.account_id = n.from_account_id)
      else n.activity_id = n.status_id
    end`,
  'groups of notifications': `
    select count(*)
    from (
      select n.account_id, n.group_key, n.type, max(n.id) as newest_id, count(*) as members
      from notifications n where n.group_key not like 'ungrouped-%' group by 1, 2, 3
    ) made
    full join notification_groups g using (account_id, group_key)
    where (made.newest_id, made.members, made.type) is distinct from (g.newest_id, g.members, g.type)`,
  'favourites without a notification': `
    select count(*) from favourites f
    where not exists (select from notifications n where n.type = 'favourite' and n.activity_id = f.id)`,
  'direct statuses missing in the conversations of their recipients': `
    select count(*) from statuses s join mentions m on m.status_id = s.id
    where s.visibility = 'direct' and not exists (
      select from account_conversations k where k.account_id = m.account_id and k.conversation_id = s.conversation_id and s.id = any (k.status_ids)
    )`,
} as const

/** A digest of all data that depends on the seed. */
async function digest(ctl: CommandLine): Promise<string> {
  const parts = await Promise.all(
    [
      'select id, username, display_name, note, locked, discoverable from accounts order by id',
      'select id, account_id, target_account_id, created_at, notify from follows order by id',
      'select id, account_id, text, content, visibility, in_reply_to_id, reblog_of_id, language from statuses order by id',
      'select id, account_id, status_id, created_at from favourites order by id',
      'select id, account_id, from_account_id, type, status_id, activity_id, group_key from notifications order by id',
      'select id, name from tags order by id',
    ].map(statement => ctl.sql(statement)),
  )
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

test('seeded data is consistent, has exact counters and allows sign-in', async t => {
  const ctl = await createCommandLine(t)
  const { code, out } = await ctl.run('seed', ...SIZE, '--password', 'for everybody', '--json', '--tokens', '2')
  assert.equal(code, 0)
  const output = JSON.parse(out) as { rows: Record<string, number>; account: { email: string }; tokens: string[] }
  assert.equal(output.rows['accounts'], 60)
  assert.equal(output.rows['statuses'], 1500)
  assert.equal(output.tokens.length, 2)
  // Newcomers who wait for approval come on top; they have no posts and no followers.
  const [newcomers] = await ctl.sql(`select count(*)::int as rows from users where not approved`)
  assert.deepEqual(newcomers, { rows: 1 })
  assert.deepEqual(await ctl.sql('select count(*)::int as rows from reports'), [{ rows: 3 }])
  for (const [table, rows] of Object.entries(output.rows)) {
    const all = rows + (['accounts', 'users'].includes(table) ? 1 : 0)
    assert.deepEqual(await ctl.sql(`select count(*)::int as rows from ${table}`), [{ rows: all }], table)
  }
  for (const [what, statement] of Object.entries(FAULTS)) {
    assert.equal(
      Number((await ctl.sql(statement))[0]?.['count'] ?? (await ctl.sql(statement))[0]?.['?column?']),
      0,
      what,
    )
  }
  const [user] = await ctl.sql(`select password_hash from users where email = '${output.account.email}'`)
  assert.equal(await verifyPassword(String(user?.['password_hash']), 'for everybody'), true)
  const hash = createHash('sha256')
    .update(output.tokens[0] ?? '')
    .digest('hex')
  assert.equal((await ctl.sql(`select from oauth_tokens where token_hash = '\\x${hash}'`)).length, 1)
  // Rows that are added later get unused ids.
  await ctl.sql(
    'insert into favourites (account_id, status_id) select max(a.id), min(s.id) from accounts a, statuses s on conflict do nothing',
  )
})

test('tokens are for users who may use their accounts, even if all users get one', async t => {
  const ctl = await createCommandLine(t)
  await ctl.run('seed', ...SIZE, '--tokens', '10000')
  const waiting = await ctl.sql(
    `select u.email from oauth_tokens t join users u on u.id = t.user_id where not u.approved or u.confirmed_at is null`,
  )
  assert.deepEqual(waiting, [])
})

test('the same seed gives the same data, another seed other data', async t => {
  const [one, same, other] = [await createCommandLine(t), await createCommandLine(t), await createCommandLine(t)]
  await one.run('seed', ...SIZE, '--seed', '7')
  await same.run('seed', ...SIZE, '--seed', '7')
  await other.run('seed', ...SIZE, '--seed', '8')
  assert.equal(await digest(same), await digest(one))
  assert.notEqual(await digest(other), await digest(one))
})

test('seed adds to seeded data, but to real users only with --force', async t => {
  const ctl = await createCommandLine(t)
  const few = ['seed', '--accounts', '5', '--statuses', '20', '--follows-per-account', '2']
  assert.equal((await ctl.run(...few)).code, 0)
  assert.equal((await ctl.run(...few)).code, 0)
  await ctl.ok('accounts', 'create', 'real', '--email', 'real@example.com', '--confirmed')
  const refused = await ctl.run(...few)
  assert.equal(refused.code, 1)
  assert.equal(refused.err, 'The database has 1 users that were not seeded; --force adds seeded users to them\n')
  const registrations = `select sum(amount)::int as n from day_counters where counter = 'registrations'`
  await ctl.sql(`insert into day_counters (counter, day, domain, detail, slot, amount)
    values ('registrations', '2020-01-01', '', '', 0, 70)`)
  assert.deepEqual(await ctl.sql(registrations), [{ n: 81 }])
  assert.equal((await ctl.run('seed', ...SIZE, '--force')).code, 0)
  assert.deepEqual(await ctl.sql('select count(*)::int as n from accounts'), [{ n: 11 + 61 }], 'with one newcomer')
  assert.deepEqual(await ctl.sql(registrations), [{ n: 81 + 61 }], 'those of people who left stay counted')
  const checked = await ctl.run('check')
  assert.deepEqual([checked.code, checked.out], [0, ''])
  assert.match(await ctl.ok('seed', '--accounts', '0', '--token'), /^Token of @\w+: [\w-]{43}\n$/)
  const nobody = await createCommandLine(t)
  assert.equal(
    (await nobody.run('seed', '--accounts', '0', '--token')).err,
    'There are no seeded users to create tokens for\n',
  )
})

test('a single account without follows still has statuses', async t => {
  const ctl = await createCommandLine(t)
  assert.equal((await ctl.run('seed', '--accounts', '1', '--statuses', '10')).code, 0)
  assert.deepEqual(await ctl.sql('select count(*)::int as n from statuses'), [{ n: 10 }])
})

test('indexes that are rebuilt after a large seed are unchanged', async t => {
  const ctl = await createCommandLine(t)
  const indexes = `
    select tablename, indexname, indexdef, c.conname
    from pg_indexes i left join pg_constraint c on c.conindid = (quote_ident(i.indexname))::regclass and c.contype in ('p', 'u')
    where i.schemaname = 'public' and i.tablename not like 'events%' order by 1, 2`
  const before = await ctl.sql(indexes)
  const many = ['--accounts', '300', '--statuses', '9000', '--follows-per-account', '40', '--favourites', '150000']
  const { out } = await ctl.run('seed', ...many, '--json')
  const output = JSON.parse(out) as { rows: Record<string, number> }
  assert.ok((output.rows['notifications'] ?? 0) > 100_000)
  // What the staff sees.
  const [staff] = await ctl.sql(
    `select
       (select count(*)::int from reports where action_taken_at is null) as open,
       (select count(*)::int from reports where action_taken_at is not null) as resolved,
       (select count(*)::int from account_warnings) as strikes,
       (select count(*)::int from appeals where approved_at is null and rejected_at is null) as appeals,
       (select count(*)::int from users where not approved) as newcomers,
       (select count(*)::int from admin_action_logs where action = 'resolve') as resolutions,
       (select count(*)::int from admin_action_logs where action = 'create') as warnings`,
  )
  assert.deepEqual(staff, { open: 8, resolved: 7, strikes: 3, appeals: 1, newcomers: 6, resolutions: 7, warnings: 3 })
  assert.deepEqual(await ctl.sql(indexes), before)
  assert.equal(Number((await ctl.sql(FAULTS['status counters']))[0]?.['count']), 0)
})

test('seed creates authors, readers and threads of given sizes', async t => {
  const ctl = await createCommandLine(t)
  const shapes = ['--tokens', '5', '--authors', '3,70', '--readers', '20', '--threads', '40']
  const { out } = await ctl.run('seed', ...SIZE, ...shapes, '--json')
  const output = JSON.parse(out) as {
    authors: { id: string; followers: number; token: string }[]
    readers: { id: string; following: number; token: string }[]
    threads: { id: string; replies: number }[]
  }
  const counters = 'select account_id::text as id, followers_count::int, following_count::int from account_stats'
  const stats = new Map((await ctl.sql(counters)).map(row => [row['id'], row]))
  assert.deepEqual(
    output.authors.map(({ id }) => stats.get(id)?.['followers_count']),
    [3, 70],
  )
  assert.deepEqual(
    output.readers.map(({ id }) => stats.get(id)?.['following_count']),
    [20],
  )
  assert.equal(new Set([...output.authors, ...output.readers].map(({ token }) => token)).size, 3)
  const thread = output.threads[0]?.id ?? ''
  const below = `with recursive t as (
    select id from statuses where id = ${thread}
    union all select s.id from statuses s join t on t.id = s.in_reply_to_id) select count(*)::int as n from t`
  assert.deepEqual(await ctl.sql(below), [{ n: 41 }])
  for (const [what, statement] of Object.entries(FAULTS)) {
    assert.equal(Number(Object.values((await ctl.sql(statement))[0] ?? {})[0]), 0, what)
  }
})
