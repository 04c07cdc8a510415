import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { people, person, sql, uncachedAnonymous } from '../../support/people.ts'

const DAY_MS = 86_400_000

test('a suspended account, local or not, is removed after 30 days, and its name and e-mail address stay taken', async t => {
  const { server } = await people(t)
  const suspendedFor = (days: number) => ({ account: { suspended_at: new Date(Date.now() - days * DAY_MS) } })
  const due = await person(server, 'due')
  const status = await due.postStatus('old words')
  await sql(server, 'update accounts set suspended_at = $2 where id = $1', [due.id, new Date(Date.now() - 31 * DAY_MS)])
  const fresh = await person(server, 'fresh', suspendedFor(29))
  const remote = (name: string, account: Record<string, unknown>) =>
    person(server, name, {
      account: { ...account, domain: 'far.example', uri: `https://far.example/${name}`, display_name: 'Words' },
    })
  const far = await remote('far', suspendedFor(31).account)
  const suspendedThere = await remote('there', { ...suspendedFor(31).account, suspension_origin: 'remote' })
  const back = await person(server, 'back', suspendedFor(31))
  const staff = await person(server, 'staff', { roleId: 3 })
  assert.equal((await staff.post(`/api/v1/admin/accounts/${back.id}/unsuspend`)).status, 200)
  await sql(server, `select graphile_worker.add_job('account_removal.suspended')`)
  const users = (): Promise<unknown[]> =>
    sql(server, 'select from users where account_id = any ($1::bigint[])', [[due.id, far.id]])
  await until(users, rows => rows.length === 0, 'the removal')
  assert.equal((await uncachedAnonymous(server).get(`/api/v1/accounts/${back.id}`)).status, 200)
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
