import assert from 'node:assert/strict'
import { test } from 'tap'
import { toSqlFilter, type AccountFilter } from '../../../src/administration/accounts/filter.ts'
import { createCommandLine } from '../../cli/command.ts'

const ACCOUNTS = 50_000
/** A long transaction holds back the event logs of all tests on the cluster. */
const PORTION = 2500

/** Accounts, half of them local, of which few are in a state other than active. */
const fill = (first: number, last: number): string => `
  with made as (
    insert into accounts (id, username, domain, display_name, uri, suspended_at, silenced_at, sensitized_at)
    select n, 'user' || n, case when n % 2 = 0 then 'server' || n % 500 || '.example' end, 'Name ' || n, 'uri:' || n,
      case when n % 101 = 0 then now() end, case when n % 103 = 0 then now() end, case when n % 107 = 0 then now() end
    from generate_series(${first}, ${last}) n
    returning id, domain
  ), logins as (
    insert into users (account_id, email, password_hash, confirmed_at, approved, disabled, role_id, sign_up_ip)
    select id, 'mail' || id || '@example.com', '-', now(), id % 109 <> 0, id % 113 = 0, case when id % 1001 = 0 then 1 end,
      '10.0.0.0'::inet + id
    from made where domain is null
    returning id
  ), signed_in as (
    insert into login_activities (user_id, method, success, ip) select id, 'password', true, '172.20.0.0'::inet + id from logins
  ), tokens as (
    insert into oauth_tokens (token_hash, user_id, scopes, last_used_ip)
    select ('\\x' || lpad(to_hex(id), 16, '0'))::bytea, id, '{}', '172.24.0.0'::inet + id from logins
  )
  insert into sessions (session_hash, user_id, ip)
  select ('\\x' || lpad(to_hex(id), 16, '0'))::bytea, id, '172.16.0.0'::inet + id from logins`

const FILTERS: Readonly<Record<string, AccountFilter>> = {
  none: {},
  local: { origin: 'local', status: 'active' },
  remote: { origin: 'remote', status: 'active' },
  pending: { origin: 'local', status: 'pending' },
  disabled: { status: 'disabled' },
  silenced: { origin: 'local', status: 'silenced' },
  suspended: { origin: 'local', status: 'suspended' },
  sensitized: { status: 'sensitized' },
  staff: { origin: 'local', status: 'active', staff: true },
  role: { roleIds: ['1'] },
  base: { roleIds: ['-99'], status: 'active' },
  inviter: { invitedBy: '7' },
  username: { origin: 'local', status: 'active', username: 'user4321' },
  rare: { origin: 'local', status: 'active', username: 'nobody' },
  name: { displayName: 'name 4321' },
  domain: { origin: 'remote', domain: 'server8.example', status: 'active' },
  empty: { origin: 'local', domain: 'server8.example' },
  email: { origin: 'local', status: 'active', email: 'mail4321' },
  address: { ip: '10.0.16.1', status: 'active', origin: 'local' },
  network: { ip: '172.16.16.0/28' },
  usernames: { username: 'user' },
  emails: { email: 'mail' },
  names: { displayName: 'n', status: 'suspended' },
  networks: { ip: '0.0.0.0/0' },
  several: { origin: 'local', status: 'active', username: 'user', email: 'mail4321', staff: true },
}

test('no filter of accounts reads all of them', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  for (let first = 1; first <= ACCOUNTS; first += PORTION) await ctl.sql(fill(first, first + PORTION - 1))
  await ctl.sql('insert into invites (user_id, code) select u.id, u.id::text from users u limit 5000')
  await ctl.sql('analyze')
  for (const [name, filter] of Object.entries(FILTERS)) {
    for (const [max, min] of [
      [null, null],
      ['20000', null],
      [null, '20000'],
    ] as const) {
      const given = [`'${JSON.stringify(toSqlFilter(filter))}'`, max ?? 'null', 'null', min ?? 'null', '100']
      const [made] = await ctl.sql(`select staff_accounts_query(${given.join(', ')}) as text`)
      const rows = await ctl.sql(`explain (analyze, buffers) ${String(made?.['text'])}`)
      const plan = rows.map(row => row['QUERY PLAN']).join('\n')
      assert.doesNotMatch(
        plan,
        /Seq Scan on (accounts|users|sessions|login_activities|oauth_tokens)\b/,
        `${name}\n${plan}`,
      )
      const read = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan)
      const buffers = Number(read?.[1] ?? 0) + Number(read?.[2] ?? 0)
      assert.ok(buffers < 2000, `${name}: ${buffers} buffers\n${plan}`)
    }
  }
})
