import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'

const TYPES = ['mention', 'status', 'favourite', 'follow', 'poll'] as const
const VISIBILITIES = ['public', 'direct'] as const

/**
 * Everything that decides about notifications, each for some of the accounts: with primes as
 * divisors, so that the pairs of accounts meet in all combinations of two.
 */
const FACTS = [
  `insert into blocks (account_id, target_account_id) select a.id, b.id from numbered a join numbered b on b.n <> a.n where (a.n * 7 + b.n) % 11 = 0`,
  `insert into mutes (account_id, target_account_id, hide_notifications, expires_at)
   select a.id, b.id, b.n % 3 > 0, case when b.n % 5 = 0 then now() - interval '1 hour' end
   from numbered a join numbered b on b.n <> a.n where (a.n * 5 + b.n) % 7 = 0`,
  `insert into follows (account_id, target_account_id) select a.id, b.id from numbered a join numbered b on b.n <> a.n where (a.n * 3 + b.n) % 5 = 0`,
  `insert into account_domain_blocks (account_id, domain) select a.id, 'far.example' from numbered a where a.n % 4 = 0`,
  `insert into notification_policies (account_id, for_not_following, for_new_accounts)
   select a.id, case a.n % 2 when 0 then 'filter' else 'accept' end, 'drop' from numbered a where a.n % 3 = 1`,
  `insert into notification_permissions (account_id, from_account_id) select a.id, b.id from numbered a join numbered b on b.n <> a.n where (a.n + b.n) % 6 = 0`,
  `insert into conversation_mutes (account_id, conversation_id)
   select a.id, s.conversation_id from numbered a, statuses s where a.n % 8 = 3`,
  `update accounts set silenced_at = now() from numbered a where accounts.id = a.id and a.n % 9 = 4`,
  `update accounts set suspended_at = now() from numbered a where accounts.id = a.id and a.n = 6`,
  `update accounts set deletion_requested_at = now() from numbered a where accounts.id = a.id and a.n = 8`,
]

const NUMBERED = `
  with numbered as (
    select a.id, row_number() over (order by a.id) as n from accounts a where a.username like 'account%'
  )`

/**
 * Accounts of this server and of another one, statuses that answer and mention some of them, and
 * all facts.
 */
async function furnish(server: TestServer): Promise<void> {
  await sql(
    server,
    `insert into accounts (username, domain, uri)
     select 'account' || n, case when n > 15 then 'far.example' end, case when n > 15 then 'https://far.example/' || n else '' end
     from generate_series(1, 20) n`,
  )
  await sql(server, 'insert into conversations (id) select generate_series(1, 40)')
  for (const [at, visibility] of VISIBILITIES.entries())
    await sql(
      server,
      `${NUMBERED}, posted as (
         insert into statuses (id, account_id, text, content, visibility, conversation_id, in_reply_to_account_id)
         select snowflake(), a.id, '', '', $1::visibility, a.n + $2, (select b.id from numbered b where b.n = a.n + 1)
         from numbered a
         returning id, account_id
       )
       insert into mentions (status_id, account_id)
       select p.id, b.id from posted p join numbered a on a.id = p.account_id join numbered b on b.n in (a.n + 2, a.n + 3)`,
      [visibility, at * 20],
    )
  for (const fact of FACTS) await sql(server, NUMBERED + fact)
}

test('notifications of one statement are decided as notification_verdict decides about each', async t => {
  const { server } = await people(t, 'alice')
  await furnish(server)
  const seen = new Map<string, number>()
  for (const type of TYPES) {
    const given = `
      ${NUMBERED}, given as (
        select a.id as recipient, s.account_id as originator, s.id as status, row_number() over () as activity
        from numbered a
        cross join statuses s
      )`
    const verdicts = await sql(
      server,
      `${given}
       select recipient::text, originator::text, status::text, notification_verdict(recipient, originator, $1, status) as verdict
       from given`,
      [type],
    )
    const [row] = await sql(
      server,
      `${given}
       select notify_all(array_agg(recipient), array_agg(originator), $1, array_agg(status), array_agg(activity)) as events
       from given`,
      [type],
    )
    const events = row?.['events'] as { account_id: string; status_id: string; data: { filtered: boolean } }[]
    const stored = new Map(
      events.map(event => [`${event.account_id} ${event.status_id}`, event.data.filtered ? 'filter' : 'accept']),
    )
    for (const { recipient, originator, status, verdict } of verdicts) {
      const outcome = stored.get(`${String(recipient)} ${String(status)}`) ?? 'drop'
      assert.equal(outcome, verdict, `${type} for ${String(recipient)} by ${String(originator)}`)
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
    }
  }
  for (const outcome of ['accept', 'filter', 'drop'])
    assert.ok((seen.get(outcome) ?? 0) > 50, `${outcome}: ${seen.get(outcome)}`)
})
