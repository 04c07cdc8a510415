import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'tap'
import { verifyPassword } from '../../src/platform/password_hashing/index.ts'
import { createCommandLine, type CommandLine } from './command.ts'

const SIZE = ['--accounts', '60', '--statuses', '1500', '--follows-per-account', '8', '--until', '2026-01-01T00:00:00Z']

/** Each counts what must not be. */
const FAULTS = {
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
  'ids that are not their time':
    'select count(*) from statuses s where s.id >> 16 <> floor(extract(epoch from s.created_at) * 1000)',
  'accounts whose ids are not their time':
    'select count(*) from accounts a where a.id >> 16 <> floor(extract(epoch from a.created_at) * 1000)',
  'answers before what they answer, or in another thread': `
    select count(*) from statuses s join statuses p on p.id = s.in_reply_to_id
    where p.id >= s.id or p.conversation_id <> s.conversation_id or p.account_id <> s.in_reply_to_account_id`,
  'statuses before their author came':
    'select count(*) from statuses s join accounts a on a.id = s.account_id where a.created_at > s.created_at',
  'rows whose other end is not there': `
    select
      (select count(*) from statuses s where not exists (select from accounts a where a.id = s.account_id))
      + (select count(*) from statuses s where s.in_reply_to_id is not null and not exists (select from statuses p where p.id = s.in_reply_to_id))
      + (select count(*) from statuses s where s.reblog_of_id is not null and not exists (select from statuses p where p.id = s.reblog_of_id))
      + (select count(*) from statuses s where s.reblog_of_id is null and not exists (select from conversations k where k.id = s.conversation_id))
      + (select count(*) from mentions m where not exists (select from statuses s where s.id = m.status_id))
      + (select count(*) from status_tags x where not exists (select from tags t where t.id = x.tag_id))
      + (select count(*) from list_accounts l where not exists (select from follows f where f.id = l.follow_id and f.target_account_id = l.account_id))
      + (select count(*) from users u where not exists (select from accounts a where a.id = u.account_id))`,
  'likes of what is not seen': `
    select count(*) from favourites f where not exists (select from visible_statuses(f.account_id) s where s.id = f.status_id)`,
  'answers to what is not seen': `
    select count(*) from statuses r
    where r.in_reply_to_id is not null and not exists (select from visible_statuses(r.account_id) s where s.id = r.in_reply_to_id)`,
  'boosts of what is not public': `
    select count(*) from statuses b
    where b.reblog_of_id is not null
      and not exists (select from visible_statuses(b.account_id) s where s.id = b.reblog_of_id and s.visibility in ('public', 'unlisted'))`,
  'follows between who blocks': `
    select count(*) from follows f join blocks b
      on (b.account_id, b.target_account_id) in ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id))`,
  'notifications of what was not': `
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
  'likes that nobody is told of': `
    select count(*) from favourites f
    where not exists (select from notifications n where n.type = 'favourite' and n.activity_id = f.id)`,
  'direct statuses in no conversation of their reader': `
    select count(*) from statuses s join mentions m on m.status_id = s.id
    where s.visibility = 'direct' and not exists (
      select from account_conversations k where k.account_id = m.account_id and k.conversation_id = s.conversation_id and s.id = any (k.status_ids)
    )`,
} as const

/** A digest of everything that a seed decides. */
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

test('seeded data is whole, its counters are exact, and one can sign in to it', async t => {
  const ctl = await createCommandLine(t)
  const { code, out } = await ctl.run('seed', ...SIZE, '--password', 'for everybody', '--json', '--tokens', '2')
  assert.equal(code, 0)
  const told = JSON.parse(out) as { rows: Record<string, number>; account: { email: string }; tokens: string[] }
  assert.equal(told.rows['accounts'], 60)
  assert.equal(told.rows['statuses'], 1500)
  assert.equal(told.tokens.length, 2)
  for (const [table, rows] of Object.entries(told.rows)) {
    const [found] = await ctl.sql(`select count(*)::int as rows from ${table}`)
    assert.deepEqual(found, { rows }, table)
  }
  for (const [what, statement] of Object.entries(FAULTS)) {
    assert.equal(
      Number((await ctl.sql(statement))[0]?.['count'] ?? (await ctl.sql(statement))[0]?.['?column?']),
      0,
      what,
    )
  }
  const [user] = await ctl.sql(`select password_hash from users where email = '${told.account.email}'`)
  assert.equal(await verifyPassword(String(user?.['password_hash']), 'for everybody'), true)
  const hash = createHash('sha256')
    .update(told.tokens[0] ?? '')
    .digest('hex')
  assert.equal((await ctl.sql(`select from oauth_tokens where token_hash = '\\x${hash}'`)).length, 1)
  // What is added afterwards takes ids that nothing has.
  await ctl.sql(
    'insert into favourites (account_id, status_id) select max(a.id), min(s.id) from accounts a, statuses s on conflict do nothing',
  )
})

test('the same number gives the same data, another one other data', async t => {
  const [one, same, other] = [await createCommandLine(t), await createCommandLine(t), await createCommandLine(t)]
  await one.run('seed', ...SIZE, '--seed', '7')
  await same.run('seed', ...SIZE, '--seed', '7')
  await other.run('seed', ...SIZE, '--seed', '8')
  assert.equal(await digest(same), await digest(one))
  assert.notEqual(await digest(other), await digest(one))
})

test('more data is added to seeded data, but not to real users without --force', async t => {
  const ctl = await createCommandLine(t)
  const few = ['seed', '--accounts', '5', '--statuses', '20', '--follows-per-account', '2']
  assert.equal((await ctl.run(...few)).code, 0)
  assert.equal((await ctl.run(...few)).code, 0)
  await ctl.ok('accounts', 'create', 'real', '--email', 'real@example.com', '--confirmed')
  const refused = await ctl.run(...few)
  assert.equal(refused.code, 1)
  assert.equal(refused.err, 'The database has 1 users that were not seeded; --force adds seeded users to them\n')
  assert.equal((await ctl.run(...few, '--force')).code, 0)
  assert.deepEqual(await ctl.sql('select count(*)::int as n from accounts'), [{ n: 16 }])
  assert.match(await ctl.ok('seed', '--accounts', '0', '--token'), /^Token of @\w+: [\w-]{43}\n$/)
  const nobody = await createCommandLine(t)
  assert.equal(
    (await nobody.run('seed', '--accounts', '0', '--token')).err,
    'There are no seeded users to create tokens for\n',
  )
})

test('a single account has nobody to follow, and writes all the same', async t => {
  const ctl = await createCommandLine(t)
  assert.equal((await ctl.run('seed', '--accounts', '1', '--statuses', '10')).code, 0)
  assert.deepEqual(await ctl.sql('select count(*)::int as n from statuses'), [{ n: 10 }])
})

test('where many rows are written before their indexes, these are as they were', async t => {
  const ctl = await createCommandLine(t)
  const indexes = `
    select tablename, indexname, indexdef, c.conname
    from pg_indexes i left join pg_constraint c on c.conindid = (quote_ident(i.indexname))::regclass and c.contype in ('p', 'u')
    where i.schemaname = 'public' and i.tablename not like 'events%' order by 1, 2`
  const before = await ctl.sql(indexes)
  const many = ['--accounts', '300', '--statuses', '9000', '--follows-per-account', '40', '--favourites', '150000']
  const { out } = await ctl.run('seed', ...many, '--json')
  const told = JSON.parse(out) as { rows: Record<string, number> }
  assert.ok((told.rows['notifications'] ?? 0) > 100_000)
  assert.deepEqual(await ctl.sql(indexes), before)
  assert.equal(Number((await ctl.sql(FAULTS['status counters']))[0]?.['count']), 0)
})

test('authors, readers and threads of given sizes', async t => {
  const ctl = await createCommandLine(t)
  const shapes = ['--tokens', '5', '--authors', '3,70', '--readers', '20', '--threads', '40']
  const { out } = await ctl.run('seed', ...SIZE, ...shapes, '--json')
  const told = JSON.parse(out) as {
    authors: { id: string; followers: number; token: string }[]
    readers: { id: string; following: number; token: string }[]
    threads: { id: string; replies: number }[]
  }
  const counters = 'select account_id::text as id, followers_count::int, following_count::int from account_stats'
  const stats = new Map((await ctl.sql(counters)).map(row => [row['id'], row]))
  assert.deepEqual(
    told.authors.map(({ id }) => stats.get(id)?.['followers_count']),
    [3, 70],
  )
  assert.deepEqual(
    told.readers.map(({ id }) => stats.get(id)?.['following_count']),
    [20],
  )
  assert.equal(new Set([...told.authors, ...told.readers].map(({ token }) => token)).size, 3)
  const thread = told.threads[0]?.id ?? ''
  const below = `with recursive t as (
    select id from statuses where id = ${thread}
    union all select s.id from statuses s join t on t.id = s.in_reply_to_id) select count(*)::int as n from t`
  assert.deepEqual(await ctl.sql(below), [{ n: 41 }])
  for (const [what, statement] of Object.entries(FAULTS)) {
    assert.equal(Number(Object.values((await ctl.sql(statement))[0] ?? {})[0]), 0, what)
  }
})
