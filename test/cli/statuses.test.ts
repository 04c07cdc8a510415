import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine, type CommandLine } from './command.ts'

/** Ten remote statuses of 100 to 109 days ago, each with its conversation and an attachment. */
async function addOld(ctl: CommandLine): Promise<void> {
  await ctl.sql(`insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/far')`)
  await ctl.sql(
    `with made as (
       select a.id as account, at.at, snowflake_at(at.at) as id, snowflake_at(at.at) as conversation
       from accounts a, (select now() - make_interval(days => 100 + n) as at from generate_series(0, 9) n) at
       where a.domain = 'far.example'
     ), talked as (
       insert into conversations (id, created_at) select conversation, at from made
     ), posted as (
       insert into statuses (id, account_id, local, uri, content, visibility, conversation_id, created_at)
       select id, account, false, 'https://far.example/' || id, '<p>old</p>', 'public', conversation, at from made
     )
     insert into media_attachments (account_id, status_id, type, remote_url, created_at)
     select account, id, 'image', 'https://far.example/1.png', at from made`,
  )
}

const left = async (ctl: CommandLine): Promise<unknown> =>
  (
    await ctl.sql(
      `select (select count(*)::int from statuses) as statuses, (select count(*)::int from media_attachments) as media,
         (select count(*)::int from conversations) as conversations`,
    )
  )[0]

/** The lines without their seconds. */
const done = (out: string): string[] =>
  out
    .trim()
    .split('\n')
    .map(line => line.replace(/^Done after \d+s, /, ''))

test('statuses remove removes old statuses, and then their attachments and conversations', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await addOld(ctl)
  assert.deepEqual(done(await ctl.ok('statuses', 'remove', '--days', '105', '--skip-media-remove')), [
    'removed 5 out of 5 statuses.',
    'removed 5 out of 5 conversations.',
  ])
  assert.deepEqual(await left(ctl), { statuses: 5, media: 10, conversations: 5 })
  assert.deepEqual(done(await ctl.ok('statuses', 'remove', '--days', '105', '--skip-status-remove')), [
    'removed 5 out of 5 media_attachments.',
  ])
  assert.deepEqual(await left(ctl), { statuses: 5, media: 5, conversations: 5 })
  assert.deepEqual(done(await ctl.ok('statuses', 'remove', '-b', '2')), [
    'removed 5 out of 5 statuses.',
    'removed 5 out of 5 media_attachments.',
    'removed 5 out of 5 conversations.',
  ])
  assert.deepEqual(await left(ctl), { statuses: 0, media: 0, conversations: 0 })
})

test('statuses remove leaves what people here, or reports, refer to', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await addOld(ctl)
  await ctl.sql(
    `with old as (
       select s.id, s.account_id, row_number() over (order by s.id) as place from statuses s
     ), near as (
       insert into accounts (username) values ('near') returning id
     ), own as (
       insert into statuses (account_id, visibility) select near.id, 'public' from near returning id, account_id
     ), quoting as (
       insert into statuses (account_id, visibility) select near.id, 'public' from near returning id, account_id
     ), quotes as (
       insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
       select old.id, old.account_id, own.id, own.account_id, 'accepted' from old, own where old.place = 1
       union all
       select quoting.id, quoting.account_id, old.id, old.account_id, 'accepted' from old, quoting where old.place = 2
     ), poll as (
       insert into polls (status_id, options, tallies, multiple, hide_totals)
       select old.id, '{a,b}', '{1,0}', false, false from old where old.place = 3 returning id
     ), votes as (
       insert into poll_votes (poll_id, account_id, choice) select poll.id, near.id, 0 from poll, near
     ), report as (
       insert into reports (account_id, target_account_id, status_ids, category)
       select near.id, old.account_id, array[old.id], 'spam' from near, old where old.place = 4
     )
     select from near`,
  )
  // Those that answer and boost the own status need its row.
  await ctl.sql(
    `with own as (select s.id, s.account_id from statuses s where s.local order by s.id limit 1),
       answer as (
         update statuses s set in_reply_to_id = own.id, in_reply_to_account_id = own.account_id
         from own where s.id = (select o.id from statuses o where not o.local order by o.id offset 4 limit 1)
       )
     update statuses s set reblog_of_id = own.id, content = ''
     from own where s.id = (select o.id from statuses o where not o.local order by o.id offset 5 limit 1)`,
  )
  const [first = ''] = done(await ctl.ok('statuses', 'remove', '--days', '90'))
  assert.equal(first, 'removed 4 out of 10 statuses.')
  const [row] = await ctl.sql('select count(*)::integer as remote from statuses where not local')
  assert.equal(row?.['remote'], 6)
})

test('statuses remove --continue continues where the removal was interrupted, with its days', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await addOld(ctl)
  await ctl.sql(
    `create function stumble() returns trigger language plpgsql as $$
     begin if old.created_at > now() - interval '107 days' then raise 'stumbled'; end if; return old; end $$`,
  )
  await ctl.sql('create trigger stumble before delete on statuses for each row execute function stumble()')
  const broken = await ctl.run('statuses', 'remove', '--days', '102', '-b', '1')
  assert.notEqual(broken.code, 0)
  assert.deepEqual(await left(ctl), { statuses: 7, media: 10, conversations: 10 })
  await ctl.sql('drop trigger stumble on statuses')
  // One before the place where it stopped, and one beyond the days of the first removal.
  await ctl.sql(
    `insert into statuses (id, account_id, local, uri, visibility, created_at)
     select snowflake_at(at.at), a.id, false, 'https://far.example/late' || at.at, 'public', at.at
     from accounts a, (select now() - interval '200 days' as at) at where a.domain = 'far.example'`,
  )
  assert.deepEqual(done(await ctl.ok('statuses', 'remove', '--continue', '--skip-media-remove')), [
    'removed 8 out of 8 statuses.',
    'removed 8 out of 8 conversations.',
  ])
  assert.deepEqual(await left(ctl), { statuses: 3, media: 10, conversations: 2 })
  // Nothing is unfinished any more: it begins again.
  assert.deepEqual(done(await ctl.ok('statuses', 'remove', '--continue', '--skip-media-remove')), [
    'removed 3 out of 3 statuses.',
    'removed 2 out of 2 conversations.',
  ])
})

test('statuses remove --compress-database returns the space of removed statuses', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  // Autovacuum may give space back too.
  await ctl.sql('alter table statuses set (autovacuum_enabled = false)')
  await addOld(ctl)
  await ctl.sql(
    `insert into statuses (id, account_id, local, uri, content, visibility, created_at)
     select snowflake_at(now() - interval '120 days'), a.id, false, 'https://far.example/more' || n, repeat('x', 500), 'public', now() - interval '120 days'
     from accounts a, generate_series(1, 300) n where a.domain = 'far.example'`,
  )
  const size = async (): Promise<number> =>
    Number((await ctl.sql(`select pg_table_size('statuses') as size`))[0]?.['size'])
  const before = await size()
  await ctl.ok('statuses', 'remove')
  assert.ok((await size()) >= before)
  // Rows that another transaction may still see, such as an automatic analyze, stay until it ends.
  let after = before
  for (let left = 20; left > 0 && after >= before / 4; left--) {
    await ctl.ok('statuses', 'remove', '--compress-database')
    after = await size()
  }
  assert.ok(after < before / 4, `${after} of ${before} bytes`)
})
