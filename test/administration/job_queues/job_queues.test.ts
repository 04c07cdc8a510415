import assert from 'node:assert/strict'
import { test } from 'tap'
import { withoutSecrets } from '../../../src/platform/jobs/index.ts'
import { sql } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { waitForJobs } from '../../federation/federation_fixtures.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/jobs'

test('jobs need the permission to view DevOps pages', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH, '/sidekiq'])
  const { browser: admin } = await staffMember(t, server, 'admin')
  assert.equal((await admin.get(PATH)).status, 403)
  const { browser } = await staffMember(t, server, 'owner')
  assert.equal((await browser.get('/sidekiq')).location, PATH)
  await assertCsrf(browser, `${PATH}/batch`, { change: 'delete', 'ids[]': '1' })
})

test('failed jobs are shown without secrets, retried and deleted', async t => {
  const server = await sharedServer()
  const { person, browser } = await staffMember(t, server, 'owner')
  const rows = await sql(
    server,
    `select (graphile_worker.add_job('test.unknown', json_build_object('token', 'payload-secret'), max_attempts => 3,
       run_at => now() + interval '1 day')).id::text as id from generate_series(1, 3)`,
  )
  const ids = rows.map(row => String(row['id']))
  await sql(
    server,
    `select graphile_worker.permanently_fail_jobs($1::bigint[], 'refused by https://push.example/secret-path?key=1 <b>' || chr(10) || 'at line 1')`,
    [ids.slice(0, 2)],
  )
  const page = await browser.get(PATH)
  const text = readText(page)
  assert.match(text, /test\.unknown 2 0 0 1/)
  assert.ok(text.includes('refused by https://push.example/… <b>'))
  for (const secret of ['payload-secret', 'secret-path', 'at line 1']) assert.ok(!page.text.includes(secret), secret)
  const waiting = await browser.get(`${PATH}?state=waiting&name=test.unknown`)
  assert.match(readText(waiting), /Only jobs of the kind test\.unknown/)

  const [first, second, third] = ids
  await browser.submit(page, `${PATH}/batch`, { change: 'delete', 'ids[]': [first ?? '', '999999999'] })
  assert.match(readText(await browser.get(PATH)), /1 entry was changed/)
  await browser.submit(page, `${PATH}/batch`, { change: 'retry', 'ids[]': [second ?? ''] })
  const left = await sql(
    server,
    `select id::text, attempts, run_at <= now() as due from graphile_worker.jobs where id = any ($1::bigint[]) order by id`,
    [ids],
  )
  assert.deepEqual(left, [
    { id: second, attempts: 0, due: true },
    { id: third, attempts: 0, due: false },
  ])
  assert.deepEqual(await loggedActions(server, person), ['destroy Job test.unknown', 'retry Job test.unknown'])
})

test('jobs that failed for the last time a month ago, and more than 10,000 of them, are removed', async t => {
  const server = await startServer(t)
  const kind = 'test.unknown'
  const add = async (amount: number, days: number, isFailed = true): Promise<void> => {
    const text = `select (graphile_worker.add_job($1, max_attempts => 3, run_at => now() + interval '1 day')).id
      from generate_series(1, $2::integer)`
    const ids = (await sql(server, text, [kind, amount])).map(row => row['id'])
    if (isFailed) await sql(server, `select graphile_worker.permanently_fail_jobs($1::bigint[], 'x')`, [ids])
    const age = `update graphile_worker._private_jobs set updated_at = now() - interval '40 days', run_at = now() - interval '1 day' * $1 where id = any ($2::bigint[])`
    await sql(server, age, [days, ids])
  }
  const stored = () =>
    sql(
      server,
      `select count(*)::integer as jobs, count(*) filter (where attempts < max_attempts)::integer as waiting
       from graphile_worker.jobs where task_identifier = $1`,
      [kind],
    )
  await add(2, 31)
  await add(1, 31, false)
  await add(10_002, 29)
  assert.deepEqual(await stored(), [{ jobs: 10_005, waiting: 1 }])
  await sql(server, `select graphile_worker.add_job('jobs.remove_failed')`)
  await waitForJobs(t, server, 'jobs.remove_failed')
  assert.deepEqual(await stored(), [{ jobs: 10_001, waiting: 1 }])
})

test('activities of other servers that failed for the last time a day ago are removed', async t => {
  const server = await startServer(t)
  for (const [kind, hours] of [
    ['federation.receive', 23],
    ['federation.receive', 25],
    ['federation.forward', 25],
  ]) {
    const text = `select (graphile_worker.add_job($2, json_build_object('hours', $1::integer),
      max_attempts => 3, run_at => now() + interval '1 day')).id`
    const [row] = await sql(server, text, [hours, kind])
    await sql(server, `select graphile_worker.permanently_fail_jobs(array[$1::bigint], 'x')`, [row?.['id']])
    const age = `update graphile_worker._private_jobs
      set updated_at = now() - interval '40 days', run_at = now() - interval '1 hour' * $1 where id = $2::bigint`
    await sql(server, age, [hours, row?.['id']])
  }
  await sql(server, `select graphile_worker.add_job('jobs.remove_failed')`)
  await waitForJobs(t, server, 'jobs.remove_failed')
  const kept = `select payload ->> 'hours' as hours from graphile_worker._private_jobs j
    join graphile_worker._private_tasks k on k.id = j.task_id where k.identifier like 'federation.%'`
  assert.deepEqual(await sql(server, kept), [{ hours: '23' }])
})

test('an error loses paths of URLs, long words and further lines', async () => {
  assert.equal(withoutSecrets('GET https://a.example:8443/x?y=z failed\nstack'), 'GET https://a.example:8443/… failed')
  assert.equal(withoutSecrets(`token ${'a'.repeat(43)} is wrong`), 'token … is wrong')
  assert.equal(withoutSecrets('short'), 'short')
})
