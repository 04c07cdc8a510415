import assert from 'node:assert/strict'
import { test } from 'tap'
import { verifyPassword } from '../../src/platform/password_hashing/index.ts'
import { createCommandLine } from './command.ts'

const NEW_PASSWORD = /^OK\nNew password: ([0-9a-f]{32})\n$/

test('accounts create makes a confirmed owner with a generated password', async t => {
  const ctl = await createCommandLine(t)
  const out = await ctl.ok('accounts', 'create', 'Ada', '--email', 'Ada@example.com', '--confirmed', '--role', 'Owner')
  const password = NEW_PASSWORD.exec(out)?.[1] ?? ''
  const [user] = await ctl.sql(`
    select u.email, u.password_hash, u.confirmed_at is not null as confirmed, u.approved, r.name as role, a.pending, a.username,
      exists (select from account_stats s where s.account_id = a.id) as counted
    from users u join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id`)
  assert.equal(await verifyPassword(String(user?.['password_hash']), password), true)
  assert.deepEqual(
    { ...user, password_hash: '' },
    {
      email: 'ada@example.com',
      password_hash: '',
      confirmed: true,
      approved: true,
      role: 'Owner',
      pending: false,
      username: 'Ada',
      counted: true,
    },
  )
})

test('accounts create with a password prints none, and without --confirmed sends a confirmation', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('settings', 'registrations', 'approved')
  const out = await ctl.ok('accounts', 'create', 'bob', '--email', 'bob@example.com', '--password', 'long enough')
  assert.equal(out, 'OK\n')
  const [user] = await ctl.sql('select confirmed_at, approved, password_hash from users')
  assert.equal(user?.['confirmed_at'], null)
  assert.equal(user?.['approved'], false)
  assert.equal(await verifyPassword(String(user?.['password_hash']), 'long enough'), true)
  const [jobs] = await ctl.sql(
    `select count(*)::int as n from graphile_worker.jobs where task_identifier like '%confirmation%'`,
  )
  assert.equal(jobs?.['n'], 1)
  assert.equal(await ctl.ok('accounts', 'approve', 'bob'), 'OK\n')
  assert.deepEqual(await ctl.sql('select approved from users'), [{ approved: true }])
})

test('invalid accounts are refused with an error for each attribute', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'carol', '--email', 'carol@example.com', '--confirmed')
  const cases: [string[], string][] = [
    [['create', 'CAROL', '--email', 'c2@example.com'], 'Failure/Error: account.username\n    taken\n'],
    [['create', 'dora', '--email', 'nowhere'], 'Failure/Error: email\n    invalid\n'],
    [['create', 'dora', '--email', 'Carol@Example.com'], 'Failure/Error: email\n    taken\n'],
    [
      ['create', 'no spaces', '--email', 'x@example.com', '--password', 'short'],
      'Failure/Error: account.username\n    invalid\nFailure/Error: password\n    too_short\n',
    ],
    [['create', 'dora', '--email', 'd@example.com', '--role', 'Nobody'], 'Cannot find user role with that name\n'],
    [['modify', 'nobody', '--approve'], 'No user with such username\n'],
    [['modify', 'carol', '--role', 'Nobody'], 'Cannot find user role with that name\n'],
    [['approve', 'nobody'], 'No such account\n'],
    [['approve', '--number', '0'], 'Number must be positive\n'],
    [['delete'], 'No username provided\n'],
    [['delete', 'carol', '--email', 'carol@example.com'], 'Use username or --email, not both\n'],
    [['delete', '--email', 'nobody@example.com'], 'No user with such email\n'],
    [['follow', 'nobody'], 'No such account\n'],
    [['unfollow', 'nobody@else.example'], 'No such account\n'],
  ]
  for (const [given, message] of cases) {
    assert.deepEqual(await ctl.run('accounts', ...given), { code: 1, out: '', err: message }, given.join(' '))
  }
  assert.deepEqual(await ctl.run('accounts', 'approve'), { code: 0, out: '', err: '' })
  assert.deepEqual(await ctl.sql('select username from accounts'), [{ username: 'carol' }])
})

test('accounts modify changes a user, and a new password ends all sessions', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'erin', '--email', 'erin@example.com', '--confirmed')
  await ctl.sql(`
    with app as (
      insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash) values ('x', '{}', '{}', 'x', '') returning id
    ), session as (insert into sessions (session_hash, user_id) select '\\x01', u.id from users u)
    insert into oauth_tokens (token_hash, application_id, user_id, scopes) select '\\x00', app.id, u.id, '{read}' from app, users u`)
  await ctl.sql(`update users set otp_secret = 'secret', otp_enabled_at = now()`)
  assert.match(
    await ctl.ok(
      'accounts',
      'modify',
      '@erin',
      '--reset_password',
      '--role',
      'Moderator',
      '--disable-2fa',
      '--disable',
    ),
    NEW_PASSWORD,
  )
  const state = `
    select u.disabled, u.otp_secret, u.email, u.unconfirmed_email, (select name from roles where id = u.role_id) as role,
      (select count(*)::int from sessions) as sessions, (select count(*)::int from oauth_tokens where revoked_at is null) as tokens
    from users u`
  const changed = {
    disabled: true,
    otp_secret: null,
    email: 'erin@example.com',
    unconfirmed_email: null,
    role: 'Moderator',
    sessions: 0,
    tokens: 0,
  }
  assert.deepEqual(await ctl.sql(state), [changed])
  await ctl.ok('accounts', 'modify', 'erin', '--email', 'new@example.com', '--enable', '--remove-role')
  const waiting = { ...changed, disabled: false, role: null, unconfirmed_email: 'new@example.com' }
  assert.deepEqual(await ctl.sql(state), [waiting])
  await ctl.ok('accounts', 'modify', 'erin', '--confirm')
  assert.deepEqual(await ctl.sql(state), [{ ...waiting, email: 'new@example.com', unconfirmed_email: null }])
})

test('accounts modify ends links that somebody else asked for', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'erin', '--email', 'erin@example.com', '--confirmed')
  const ask = () =>
    ctl.sql(`
      update users set unconfirmed_email = 'thief@example.com', confirmation_token_hash = '\\x01', reset_password_token_hash = '\\x02'`)
  const state = () =>
    ctl.sql(`
      select email, unconfirmed_email, confirmation_token_hash is not null as confirms, reset_password_token_hash is not null as resets
      from users`)
  const ended = { email: 'erin@example.com', unconfirmed_email: null, confirms: false, resets: false }
  await ask()
  await ctl.ok('accounts', 'modify', 'erin', '--reset-password')
  assert.deepEqual(await state(), [ended])
  await ask()
  await ctl.ok('accounts', 'modify', 'erin', '--email', 'new@example.com', '--confirm')
  assert.deepEqual(await state(), [{ ...ended, email: 'new@example.com' }])
  await ask()
  await ctl.sql(`update users set otp_enabled_at = now(), otp_secret = 'x'`)
  await ctl.ok('accounts', 'modify', 'erin', '--disable-2fa')
  assert.deepEqual(await state(), [
    { email: 'new@example.com', unconfirmed_email: 'thief@example.com', confirms: true, resets: true },
  ])
  await ctl.ok('accounts', 'modify', 'erin', '--disable-2fa')
  // The operator's own address stays.
  await ctl.ok('accounts', 'modify', 'erin', '--email', 'other@example.com', '--reset-password')
  const notices = await ctl.sql(`
    select j.payload ->> 'kind' as kind, j.payload ->> 'email' as email from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier = 'letters.notice' order by j.id`)
  assert.deepEqual(notices, [
    { kind: 'two_factor_disabled', email: null },
    { kind: 'email_changing', email: 'new@example.com' },
  ])
  const [both] = await state()
  assert.deepEqual([both?.['unconfirmed_email'], both?.['resets']], ['other@example.com', false])
})

test('accounts delete keeps the name taken, frees the e-mail address and keeps counters exact', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('seed', '--accounts', '20', '--statuses', '400', '--follows-per-account', '5', '--json').catch(() => '')
  const [author] = await ctl.sql(`
    select a.username, s.statuses_count::int as statuses
    from account_stats s join accounts a on a.id = s.account_id order by s.statuses_count desc, a.id limit 1`)
  const username = String(author?.['username'])
  const [all] = await ctl.sql(`
    select count(*)::int as n from statuses s join accounts a on a.id = s.account_id where a.username = '${username}'`)
  const dry = await ctl.ok('accounts', 'delete', username, '--dry-run')
  assert.equal(
    dry,
    `Deleting user with ${String(all?.['n'])} statuses, this might take a while... (DRY RUN)\nOK (DRY RUN)\n`,
  )
  // Seeded reports may name statuses of the author; those stay as evidence, deleted.
  const unreported = `not (s.deleted_at is not null and exists (select from reports r where s.id = any (r.status_ids)))`
  const out = await ctl.ok('accounts', 'delete', username)
  assert.equal(out, dry.replaceAll(' (DRY RUN)', ''))
  const [left] = await ctl.sql(`
    select a.suspended_at is not null as suspended, a.note, (select count(*)::int from users u where u.account_id = a.id) as users,
      (select count(*)::int from statuses s where s.account_id = a.id and ${unreported}) as statuses,
      (select count(*)::int from notifications n where n.from_account_id = a.id) as notifications
    from accounts a where a.username = '${username}'`)
  assert.deepEqual(left, { suspended: true, note: '', users: 0, statuses: 0, notifications: 0 })
  assert.deepEqual(await wrongCounters(ctl), [{ accounts: 0, statuses: 0 }])

  const again = ['accounts', 'create', username, '--email', `${username}@seed.example`, '--confirmed']
  assert.equal((await ctl.run(...again)).err, 'Failure/Error: account.username\n    taken\n')
  assert.match(await ctl.ok(...again, '--reattach'), NEW_PASSWORD)
  assert.deepEqual(await ctl.run(...again, '--reattach'), {
    code: 0,
    out: 'The chosen username is currently in use\nUse --force to reattach it anyway and delete the other user\n',
    err: '',
  })
  const before = await ctl.sql(`select id from accounts where username = '${username}'`)
  assert.match(await ctl.ok(...again, '--reattach', '--force'), NEW_PASSWORD)
  assert.notDeepEqual(await ctl.sql(`select id from accounts where username = '${username}'`), before)
})

test('accounts follow, unfollow, suspend and unsuspend change relationships and state', async t => {
  const ctl = await createCommandLine(t)
  for (const name of ['fay', 'gus', 'hal'])
    await ctl.ok('accounts', 'create', name, '--email', `${name}@example.com`, '--confirmed')
  await ctl.ok('accounts', 'create', 'ira', '--email', 'ira@example.com')
  assert.equal(await ctl.ok('accounts', 'follow', 'fay'), 'OK, followed target from 2 accounts\n')
  assert.equal(await ctl.ok('accounts', 'follow', 'fay'), 'OK, followed target from 0 accounts\n')
  const facts = `
    select
      (select s.followers_count::int from account_stats s join accounts a on a.id = s.account_id where a.username = 'fay') as followers,
      (select count(*)::int from notifications where type = 'follow') as notifications`
  assert.deepEqual(await ctl.sql(facts), [{ followers: 2, notifications: 2 }])
  assert.equal(await ctl.ok('accounts', 'suspend', 'gus'), 'OK\n')
  assert.equal(await ctl.ok('accounts', 'suspend', 'gus'), 'OK\n')
  const suspended = `select username from accounts where suspended_at is not null`
  assert.deepEqual(await ctl.sql(suspended), [{ username: 'gus' }])
  await ctl.ok('accounts', 'unsuspend', 'gus')
  assert.deepEqual(await ctl.sql(suspended), [])
  assert.equal(await ctl.ok('accounts', 'unfollow', '@fay'), 'OK, unfollowed target from 2 accounts\n')
  assert.deepEqual(await ctl.sql(facts), [{ followers: 0, notifications: 0 }])
})

/** Counts the rows whose counters differ from the data. */
const wrongCounters = (ctl: {
  sql(statement: string): Promise<Record<string, unknown>[]>
}): Promise<Record<string, unknown>[]> =>
  ctl.sql(`
    select
      (
        select count(*)::int from account_stats c
        where (c.statuses_count, c.following_count, c.followers_count) is distinct from (
          (select count(*) from statuses s where s.account_id = c.account_id and s.visibility <> 'direct' and s.deleted_at is null),
          (select count(*) from follows f where f.account_id = c.account_id),
          (select count(*) from follows f where f.target_account_id = c.account_id)
        )
      ) as accounts,
      (
        select count(*)::int from statuses s left join status_stats c on c.status_id = s.id
        where (coalesce(c.replies_count, 0), coalesce(c.reblogs_count, 0), coalesce(c.favourites_count, 0)) is distinct from (
          (select count(*) from statuses r where r.in_reply_to_id = s.id and r.visibility in ('public', 'unlisted') and r.deleted_at is null),
          (select count(*) from statuses r where r.reblog_of_id = s.id and r.deleted_at is null),
          (select count(*) from favourites f where f.status_id = s.id)
        )
      ) as statuses`)
