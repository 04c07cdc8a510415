import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { people, person, sql, uncachedAnonymous, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

const DAY_MS = 86_400_000

test('a suspended account, local or not, is removed after 30 days, and its name and e-mail address stay taken', async t => {
  const { server } = await people(t)
  const suspendedFor = (days: number) => ({ account: { suspended_at: new Date(Date.now() - days * DAY_MS) } })
  const fresh = await person(server, 'fresh', suspendedFor(29))
  const remote = (name: string, account: Record<string, unknown>) =>
    person(server, name, {
      account: { ...account, domain: 'far.example', uri: `https://far.example/${name}`, display_name: 'Words' },
    })
  const suspendedThere = await remote('there', { ...suspendedFor(31).account, suspension_origin: 'remote' })
  const far = await remote('far', suspendedFor(31).account)
  const due = await person(server, 'due')
  const status = await due.postStatus('old words')
  await sql(server, 'update accounts set suspended_at = $2 where id = $1', [due.id, new Date(Date.now() - 31 * DAY_MS)])
  const users = (): Promise<unknown[]> =>
    sql(server, 'select from users where account_id = any ($1::bigint[])', [[due.id, far.id]])
  await until(users, rows => rows.length === 0, 'the removal')
  assert.deepEqual(
    await sql(server, 'select display_name, suspended_at is not null as suspended from accounts where id = $1', [
      far.id,
    ]),
    [{ display_name: '', suspended: true }],
  )
  assert.deepEqual(await sql(server, 'select from statuses where id = $1', [status.id]), [])
  assert.equal((await uncachedAnonymous(server).get(`/api/v1/accounts/${due.id}`)).status, 404)
  for (const remaining of [fresh, suspendedThere]) {
    const { status: answered, json } = await uncachedAnonymous(server).get(`/api/v1/accounts/${remaining.id}`)
    assert.deepEqual([answered, (json as { suspended?: boolean }).suspended], [200, true])
  }
  const [name] = await sql(server, 'select count(*)::integer as n from accounts where username = $1', [due.username])
  const [block] = await sql(
    server,
    `select count(*)::integer as n from canonical_email_blocks where canonical_email_hash = canonical_email_hash($1)`,
    [`${due.username}@example.com`],
  )
  assert.deepEqual([name, block], [{ n: 1 }, { n: 1 }])
})

/** The time of the removal's job in days from now, by the time of the suspension. */
const scheduled = (server: ServerAddress, { id }: Person): Promise<Record<string, unknown>[]> =>
  sql(
    server,
    `select j.id::text, round(extract(epoch from j.run_at - now()) / 86400)::integer as days
     from accounts a
     join graphile_worker.jobs j on j.key = format('account_removal.suspended:%s', extract(epoch from a.suspended_at))
     where a.id = $1`,
    [id],
  )

test('a suspension schedules the removal, which does nothing when it has been lifted or is a later one', async t => {
  const { server } = await people(t)
  const staff = await person(server, 'staff', { roleId: 3 })
  const act = async (who: Person, path: string, body?: object): Promise<void> =>
    assert.equal((await staff.post(`/api/v1/admin/accounts/${who.id}/${path}`, body)).status, 200)
  const [lifted, again] = [await person(server, 'lifted'), await person(server, 'again')]
  const jobs: unknown[] = []
  for (const who of [lifted, again]) {
    await act(who, 'action', { type: 'suspend' })
    const [job] = await scheduled(server, who)
    assert.equal(job?.['days'], 30)
    jobs.push(job['id'])
    await act(who, 'unsuspend')
  }
  await act(again, 'action', { type: 'suspend' })
  const [second] = await scheduled(server, again)
  assert.notEqual(second?.['id'], jobs[1])
  // The day of the first jobs has come.
  await sql(server, 'select graphile_worker.reschedule_jobs($1::bigint[], run_at => now())', [jobs])
  await sql(server, `select pg_notify('jobs:insert', '{"count":2}')`)
  await until(
    () => sql(server, 'select from graphile_worker.jobs where id = any ($1::bigint[])', [jobs]),
    rows => rows.length === 0,
    'the end of the jobs',
  )
  const anyone = uncachedAnonymous(server)
  const suspended = async ({ id }: Person): Promise<unknown> =>
    ((await anyone.get(`/api/v1/accounts/${id}`)).json as { suspended?: boolean }).suspended ?? false
  assert.deepEqual([await suspended(lifted), await suspended(again)], [false, true])
  assert.deepEqual(
    await sql(server, 'select from accounts where deletion_requested_at is not null and id = any ($1::bigint[])', [
      [lifted.id, again.id],
    ]),
    [],
  )
})

test('accounts that a rule about their domain suspends are kept, so that lifting it restores them', async t => {
  const { server } = await people(t)
  const staff = await person(server, 'staff', { roleId: 3 })
  const [rule] = await sql(
    server,
    `insert into domain_blocks (domain, severity, created_at) values ('bad.example', 'suspend', now() - interval '31 days')
     returning id::text`,
  )
  const remote = (name: string, domain: string): Promise<Person> =>
    person(server, name, { account: { domain, uri: `https://${domain}/${name}`, display_name: 'Words' } })
  const kept = await remote('kept', 'sub.bad.example')
  assert.deepEqual(await scheduled(server, kept), [])
  const removed = await remote('removed', 'far.example')
  await sql(server, `update accounts set suspended_at = now() - interval '31 days' where id = $1`, [removed.id])
  const stateOf = async ({ id }: Person): Promise<unknown> => {
    const [row] = await sql(
      server,
      'select display_name, suspended_at is not null as suspended, deletion_requested_at is not null as deleted from accounts where id = $1',
      [id],
    )
    return row
  }
  await becomes(() => stateOf(removed), { display_name: '', suspended: true, deleted: true }, 'the removal')
  assert.deepEqual(await stateOf(kept), { display_name: 'Words', suspended: true, deleted: false })
  assert.equal((await staff.delete(`/api/v1/admin/domain_blocks/${String(rule?.['id'])}`)).status, 200)
  await becomes(() => stateOf(kept), { display_name: 'Words', suspended: false, deleted: false }, 'no rule')
})

test('accounts that were suspended before the removal was scheduled are scheduled by the migration', async t => {
  const { server } = await people(t)
  const old = await person(server, 'old', { account: { suspended_at: new Date(Date.now() - 10 * DAY_MS) } })
  const [job] = await scheduled(server, old)
  await sql(server, 'select graphile_worker.complete_jobs(array[$1::bigint])', [job?.['id']])
  assert.deepEqual(await scheduled(server, old), [])
  const migration = readFileSync(new URL('../../../sql/migrations/0027_suspensions.sql', import.meta.url), 'utf8')
  await sql(server, migration.slice(migration.indexOf('select enqueue(')))
  assert.deepEqual(
    (await scheduled(server, old)).map(({ days }) => days),
    [20],
  )
})
