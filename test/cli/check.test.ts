import assert from 'node:assert/strict'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test, type Test } from 'tap'
import { createCommandLine, type CommandLine } from './command.ts'

async function seeded(t: Test): Promise<CommandLine> {
  const ctl = await createCommandLine(t)
  await ctl.run('seed', '--accounts', '60', '--statuses', '1500', '--follows-per-account', '8')
  return ctl
}

/** Two accounts, one of which follows the other. */
const PAIR = 'select f.account_id as one, f.target_account_id as other from follows f order by f.id limit 1'
const AN_ACCOUNT = 'select id from accounts order by id limit 1'
/** An answered status. */
const PARENT =
  'select in_reply_to_id as id, id as reply from statuses where in_reply_to_id is not null order by id limit 1'
/** Both switch the triggers off that would keep rows consistent. */
const QUIETLY = 'set session_replication_role = replica;'

interface Damage {
  readonly check: string
  readonly statement: string
  readonly found: RegExp
  /** The number of findings. */
  readonly times?: number
  /** Other checks that find something too, until this one has mended it. */
  readonly also?: readonly string[]
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'an account with other counters': {
    check: 'account-counters',
    statement: `update account_stats set statuses_count = statuses_count + 7, followers_count = 0
      where account_id = (select other from (${PAIR}) pair)`,
    found: /^account \d+: statuses_count is \d+, counted \d+, followers_count is 0, counted [1-9]\d*( \(mended\))?$/,
  },
  'a status with other counters': {
    check: 'status-counters',
    statement: `update status_stats set replies_count = 99, favourites_count = favourites_count + 1, quotes_count = 3
      where status_id = (select id from (${PARENT}) parent)`,
    found:
      /^status \d+: replies_count is 99, counted \d+, favourites_count is \d+, counted \d+, quotes_count is 3, counted 0/,
  },
  'a status without counters': {
    check: 'status-counters',
    statement: `delete from status_stats where status_id = (select id from (${PARENT}) parent)`,
    found: /^status \d+: replies_count is 0, counted [1-9]/,
  },
  'a poll with fewer votes than were cast': {
    check: 'polls',
    statement: `with p as (select id from polls order by id limit 1), v as (
        insert into poll_votes (poll_id, account_id, choice) select p.id, a.id, 0 from p, accounts a order by a.id desc limit 5
        on conflict do nothing)
      update polls set tallies = array_fill(0, array[cardinality(options)]), voters_count = 1 where id = (select id from p)`,
    found: /^poll \d+: its counts are \{0,0.*\} by 1 voters, its votes \{5,.*\} by \d+/,
  },
  'a pending account of a user who is not': {
    check: 'pending-users',
    statement: `update accounts set pending = true where id = (select account_id from users where approved order by id limit 1)`,
    found: /^user \d+: its account \d+ is pending, but the user is not/,
  },
  'an invite with more users than uses': {
    check: 'invites',
    statement: `with i as (insert into invites (code) values ('abcdefgh') returning id)
      update users set invite_id = i.id from i where users.id in (select id from users order by id limit 1)`,
    found: /^invite \d+: uses is 0, counted 1/,
  },
  'a reply to another account than the author': {
    check: 'replies',
    statement: `update statuses set in_reply_to_account_id = null where id = (select reply from (${PARENT}) parent)`,
    found: /^status \d+: it replies to the account none, but should reply to \d+/,
  },
  'the first of two own answers without the account that both answer': {
    check: 'replies',
    statement: `update statuses set in_reply_to_account_id = null where id = (
        select b.id from statuses a join statuses b on b.in_reply_to_id = a.id join statuses c on c.in_reply_to_id = b.id
        where a.account_id <> b.account_id and b.account_id = c.account_id and c.in_reply_to_account_id = a.account_id
        order by b.id limit 1)`,
    found: /^status \d+: it replies to the account none, but should reply to \d+/,
  },
  'a reply to a deleted status': {
    check: 'replies',
    statement: `update statuses set deleted_at = now() - interval '2 minutes' where id = (
        select s.id from statuses s join statuses r on r.in_reply_to_id = s.id
        where s.in_reply_to_id is null and not exists (select from notifications n where n.status_id = s.id)
        group by s.id having count(*) = 1 order by s.id limit 1)`,
    found: /^status \d+: it replies to the deleted status \d+/,
    also: ['account-counters'],
  },
  'a status without its conversation': {
    check: 'threads',
    statement: `insert into statuses (account_id, visibility, conversation_id) select id, 'direct', 12345 from (${AN_ACCOUNT}) a`,
    found: /^status \d+: its conversation does not exist/,
  },
  'a hashtag under another author': {
    check: 'tag-authors',
    statement: `update status_tags set account_id = null where ctid = (select min(ctid) from status_tags)`,
    found: /^status \d+: its hashtag \d+ is not stored under its author/,
  },
  'a pin of somebody else': {
    check: 'pins',
    statement: `insert into status_pins (account_id, status_id)
      select a.id, s.id from (${AN_ACCOUNT}) a, statuses s where s.account_id <> a.id and s.reblog_of_id is null order by s.id limit 1`,
    found: /^pin \d+: the status \d+ is deleted, a boost, or not by the account \d+/,
  },
  'a quote by nobody who posted': {
    check: 'quotes',
    statement: `with s as (select id, account_id from statuses where reblog_of_id is null order by id desc limit 2), q as (
        insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
        select max(s.id), (select other from (${PAIR}) pair where not exists (select from s where s.account_id = other)), min(s.id),
          (select account_id from s order by id limit 1), 'pending' from s)
      select 1`,
    found: /^quote \d+: its accounts are not the authors of its statuses/,
  },
  'a conversation whose statuses are gone': {
    check: 'conversations',
    statement: `update account_conversations set status_ids = status_ids || 7::bigint
      where id = (select min(id) from account_conversations)`,
    found: /^conversation \d+: it lists statuses that are deleted or of another conversation/,
  },
  'a conversation with a member that does not exist': {
    check: 'conversations',
    statement: `update account_conversations set participant_account_ids = participant_account_ids || 8::bigint
      where id = (select min(id) from account_conversations)`,
    found: /^conversation \d+: it has members that do not exist/,
  },
  'a conversation without a status': {
    check: 'conversations',
    statement: `update account_conversations set status_ids = '{9}', last_status_id = null
      where id = (select max(id) from account_conversations)`,
    found: /^conversation \d+: it lists statuses that are deleted/,
  },
  'a conversation with an older last status': {
    check: 'conversations',
    statement: `update account_conversations set last_status_id = null where id = (select min(id) from account_conversations)`,
    found: /^conversation \d+: its last status is not the newest/,
  },
  'an attachment that is listed and not attached': {
    check: 'status-attachments',
    statement: `update media_attachments set status_id = null where id = (
        select m.id from media_attachments m join statuses s on s.id = m.status_id and s.media_attachment_ids @> array[m.id]
        order by m.id limit 1)`,
    found: /^status \d+: its attachment \d+ is not attached/,
  },
  'an attachment that does not exist': {
    check: 'status-attachments',
    statement: `${QUIETLY} update statuses set media_attachment_ids = '{5}' where id = (
        select id from statuses where media_attachment_ids = '{}' and reblog_of_id is null and content_kinds = '{}' order by id limit 1)`,
    found: /^status \d+: its attachment 5 does not exist or belongs to another status/,
  },
  'content that was not noted': {
    check: 'status-contents',
    statement: `update statuses set content_kinds = '{}' where id = (select min(status_id) from polls)`,
    found: /^status \d+: content_kinds is \{\}, found \{.*poll.*\}/,
  },
  'texts that were not noted': {
    check: 'status-contents',
    statement: `update statuses set attached_text = 'x' where id = (select min(status_id) from polls)`,
    found: /^status \d+: attached_text differs from its attachments and poll/,
  },
  'a notification whose favourite is gone': {
    check: 'notifications',
    statement: `${QUIETLY} update notifications set activity_id = -1
      where id = (select max(id) from notifications where type = 'favourite')`,
    found: /^notification \d+: a notification \(favourite\) of the account \d+ whose cause is gone/,
  },
  'a notification about a deleted status': {
    check: 'notifications',
    statement: `update statuses set deleted_at = now() - interval '2 hours' where id = (
        select s.id from statuses s join notifications n on n.status_id = s.id and n.type = 'favourite'
        where not exists (select from statuses r where s.id in (r.in_reply_to_id, r.reblog_of_id))
          and not exists (select from status_pins p where p.status_id = s.id)
        group by s.id having count(*) = 1 order by s.id limit 1)`,
    found: /^notification \d+: a notification \(\w+\) of the account \d+ about a deleted status/,
    also: ['account-counters'],
  },
  'a group with other members': {
    check: 'notification-groups',
    statement: `with g as (select min(newest_id) as newest, max(newest_id) as last from notification_groups), gone as (
        delete from notification_groups using g where newest_id = g.newest)
      update notification_groups set members = members + 4 from g where newest_id = g.last`,
    found: /^account \d+: its group \S+ says (0|[5-9]|\d\d+) notifications, counted \d+/,
    times: 2,
  },
  'a group without members': {
    check: 'notification-groups',
    statement: `insert into notification_groups (account_id, group_key, type, newest_id, oldest_id, members)
      select id, 'follow-1', 'follow', 1, 1, 2 from (${AN_ACCOUNT}) a`,
    found: /^account \d+: its group follow-1 says 2 notifications, counted 0/,
  },
  'a notification request without notifications': {
    check: 'notification-requests',
    statement: `insert into notification_requests (account_id, from_account_id, notifications_count)
      select one, other, 3 from (${PAIR}) pair`,
    found: /^notification request \d+: notifications_count is 3, counted 0/,
  },
  'an e-mail about nothing': {
    check: 'waiting-emails',
    statement: `insert into waiting_emails (notification_id, due_at, always) values (4611686018427387904, now() - interval '2 hours', false)`,
    found: /^waiting e-mail \d+: the notification does not exist/,
  },
  'a follow despite a block': {
    check: 'follows',
    statement: `insert into blocks (account_id, target_account_id) select other, one from (${PAIR}) pair`,
    found: /^follow \d+: the account \d+ follows \d+, with a block between them/,
    also: ['endorsements', 'list-members'],
  },
  'a follow of oneself': {
    check: 'follows',
    statement: `insert into follows (account_id, target_account_id) select id, id from (${AN_ACCOUNT}) a`,
    found: /^follow \d+: the account \d+ follows \d+, itself/,
  },
  'a request beside a follow': {
    check: 'follows',
    statement: `insert into follow_requests (account_id, target_account_id) select one, other from (${PAIR}) pair`,
    found: /^follow \d+: the account \d+ follows \d+, and requests to follow it/,
  },
  'an endorsement of a stranger': {
    check: 'endorsements',
    statement: `insert into endorsements (account_id, target_account_id)
      select a.id, b.id from accounts a, accounts b
      where a.id <> b.id and not exists (select from follows f where f.account_id = a.id and f.target_account_id = b.id)
      order by a.id, b.id limit 1`,
    found: /^endorsement \d+: the account \d+ endorses \d+ without following it/,
  },
  'a list with a stranger': {
    check: 'list-members',
    statement: `insert into list_accounts (list_id, account_id)
      select l.id, a.id from lists l, accounts a
      where a.id <> l.account_id and not exists (select from follows f where f.account_id = l.account_id and f.target_account_id = a.id)
      order by l.id, a.id limit 1`,
    found: /^list \d+: its member \d+ is not followed by its owner/,
  },
  'a list with another follow': {
    check: 'list-members',
    statement: `update list_accounts set follow_id = null where ctid = (
        select min(m.ctid) from list_accounts m join lists l on l.id = m.list_id and l.account_id <> m.account_id)`,
    found: /^list \d+: its member \d+ is stored with another follow/,
  },
}

const linesOf = (text: string): string[] => text.split('\n').filter(line => line !== '')

test('inconsistencies are found and fixed', async t => {
  const ctl = await seeded(t)
  const clean = await ctl.run('check')
  assert.deepEqual([clean.code, clean.out], [0, ''])
  assert.match(clean.err, /^OK, checked \d{4,} rows\n$/)
  for (const [what, { check, statement, found, times = 1, also = [] }] of Object.entries(DAMAGES)) {
    await ctl.sql(statement)
    const seen = await ctl.run('check', check)
    assert.equal(seen.code, 1, what)
    const lines = linesOf(seen.out)
    assert.equal(lines.length, times, `${what}: ${seen.out}`)
    for (const line of lines) assert.match(line, found, what)
    assert.match(seen.err, /^Found \d+ things? wrong; --fix mends what can be\n$/)
    const mended = await ctl.run('check', check, '--fix')
    assert.equal(mended.code, 0, `${what}: ${mended.out}${mended.err}`)
    assert.deepEqual(
      linesOf(mended.out),
      lines.map(line => `${line} (mended)`),
      what,
    )
    for (const other of also) await ctl.run('check', other, '--fix')
    const after = await ctl.run('check')
    assert.deepEqual([after.code, after.out], [0, ''], what)
  }
})

test('a row that could not be fixed is not reported as mended', async t => {
  const ctl = await seeded(t)
  await ctl.sql(`update account_stats set statuses_count = statuses_count + 7
    where account_id in (select account_id from account_stats order by account_id limit 2)`)
  await ctl.sql(`create function keep() returns trigger language plpgsql as 'begin return null; end'`)
  await ctl.sql(`do $$ begin execute format('create trigger kept before update on account_stats for each row
    when (old.account_id = %s) execute function keep()', (select min(account_id) from account_stats)); end $$`)
  const { code, out, err } = await ctl.run('check', 'account-counters', '--fix')
  assert.deepEqual(
    linesOf(out).map(line => line.endsWith(' (mended)')),
    [false, true],
  )
  assert.deepEqual([code, err], [1, 'Found 2 things wrong, mended 1\n'])
})

test('inconsistencies that cannot be recomputed are only reported', async t => {
  const ctl = await seeded(t)
  await ctl.sql(`insert into accounts (username) values ('nobody')`)
  await ctl.sql(`insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/far')`)
  await ctl.sql(`update users set account_id = (select id from accounts where username = 'far')
    where id = (select max(id) from users)`)
  await ctl.sql(`insert into events (kind) values ('tea.brewed')`)
  await ctl.sql(`insert into events (kind, created_at) values ('emojis.changed', now() + interval '1 day')`)
  await ctl.sql(`select graphile_worker.add_job('tea.brew', '{}'::json, run_at => now() + interval '1 day')`)
  const { code, out, err } = await ctl.run('check', '--json', '--fix')
  assert.equal(code, 1)
  assert.match(err, /^Found \d+ things wrong, mended \d+\n$/)
  const findings = linesOf(out).map(line => JSON.parse(line) as { check: string; problem: string; mended: boolean })
  const reported = findings.filter(one => !one.mended).map(one => `${one.check}: ${one.problem}`)
  for (const wanted of [
    /^users: account \d+: it has no user$/,
    /^users: account \d+: it is of another server and has a user$/,
    /^events: 1 events are of the kind tea\.brewed, which this version does not know$/,
    /^events: 1 events of the kind emojis\.changed are from the future: the clock was wrong$/,
    /^jobs: 1 jobs are of the kind tea\.brew, which this version does not run$/,
  ])
    assert.ok(
      reported.some(line => wanted.test(line)),
      `${String(wanted)} in ${reported.join('\n')}`,
    )
  assert.equal((await ctl.run('check', 'tea')).code, 1)
  assert.match((await ctl.run('check', 'tea')).err, /^Unknown check: tea; there are follows, /)
})

test('files without rows are removed, rows without files are reported', async t => {
  const ctl = await seeded(t)
  const media = path.join(ctl.folder, 'media')
  const files = (await readdir(media, { recursive: true })).filter(name => path.extname(name) !== '').toSorted()
  const [gone = ''] = files
  await rm(path.join(media, gone))
  const key = `media/00/ff/${'0'.repeat(28)}.png`
  const [orphan, young] = [path.join(media, key), path.join(media, key.replace('.png', '.jpg'))]
  await mkdir(path.dirname(orphan), { recursive: true })
  for (const file of [orphan, young]) await writeFile(file, 'x')
  const twoHoursAgo = Date.now() / 1000 - 7200
  await utimes(orphan, twoHoursAgo, twoHoursAgo)
  const seen = await ctl.run('check', 'files')
  assert.equal(seen.code, 1)
  assert.ok(linesOf(seen.out).includes(`file ${key}: no row names it`), seen.out)
  const missing = linesOf(seen.out).filter(line => line.endsWith(`: its file ${gone} is missing`))
  assert.ok(missing.length > 0, seen.out)
  assert.equal(linesOf(seen.out).length, missing.length + 1)
  const fixed = await ctl.run('check', 'files', '--fix')
  assert.equal(fixed.code, 1, 'a missing file cannot be made')
  await assert.rejects(stat(orphan))
  assert.equal((await stat(young)).size, 1, 'a young file may still get its row')
  assert.doesNotMatch((await ctl.run('check', 'files')).out, /no row names it/)
})
