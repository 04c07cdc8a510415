import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { people, person, sql, uncachedAnonymous } from '../../support/people.ts'

const DAY_MS = 86_400_000

test('what a suspended account left goes after 30 days, its name and address stay taken', async t => {
  const { server } = await people(t)
  const suspendedFor = (days: number) => ({ account: { suspended_at: new Date(Date.now() - days * DAY_MS) } })
  const due = await person(server, 'due')
  const status = await due.say('old words')
  await sql(server, 'update accounts set suspended_at = $2 where id = $1', [due.id, new Date(Date.now() - 31 * DAY_MS)])
  const fresh = await person(server, 'fresh', suspendedFor(29))
  const far = await person(server, 'far', {
    account: { ...suspendedFor(31).account, domain: 'far.example', uri: 'https://far.example/far' },
  })
  await sql(server, `select graphile_worker.add_job('account_removal.suspended')`)
  const users = (): Promise<unknown[]> => sql(server, 'select from users where account_id = $1', [due.id])
  await until(users, rows => rows.length === 0, 'the removal')
  assert.deepEqual(await sql(server, 'select from statuses where id = $1', [status.id]), [])
  assert.equal((await uncachedAnonymous(server).get(`/api/v1/accounts/${due.id}`)).status, 404)
  for (const kept of [fresh, far]) {
    const { status: answered, json } = await uncachedAnonymous(server).get(`/api/v1/accounts/${kept.id}`)
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
