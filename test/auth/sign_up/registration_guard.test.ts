import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { person, sql } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, startServer, type TestServer } from '../../support/server.ts'

/** Runs the hourly check; returns whether sign-ups need approval after it. */
async function runGuard(server: TestServer): Promise<unknown> {
  await sql(server, `select graphile_worker.add_job('registration.guard')`)
  const left = () => sql(server, `select 1 from graphile_worker.jobs where task_identifier = 'registration.guard'`)
  await until(left, jobs => jobs.length === 0, 'the check')
  const { json } = await new Client(server, 'unknown').get('/api/v2/instance')
  return (json as { registrations: { approval_required: unknown } }).registrations.approval_required
}

test('sign-ups need approval after a week without an active moderator, and managers are notified', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env: { SMTP_URL: mail.url } })
  const admin = await person(server, 'admin', { roleId: 2 })
  assert.equal(await runGuard(server), false, 'a new server is not changed')
  await sql(
    server,
    `update users set created_at = now() - interval '30 days', last_active_at = now() - interval '7 days 23 hours'`,
  )
  assert.equal(await runGuard(server), false, 'a moderator was active')
  await sql(server, `update users set last_active_at = now() - interval '8 days'`)
  assert.equal(await runGuard(server), true)
  assert.match((await mail.email(`${admin.username}@example.com`, /need approval now/)).text, /No moderator/)
})

test('managers are also notified when the check ends between the change and the notice', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env: { SMTP_URL: mail.url } })
  const admin = await person(server, 'admin', { roleId: 2 })
  await sql(
    server,
    `update users set created_at = now() - interval '30 days', last_active_at = now() - interval '8 days';
     create function refuse() returns trigger language plpgsql as $$ begin raise 'no notice'; end $$;
     create trigger refuse before insert on graphile_worker._private_jobs for each row
       when (new.payload::text like '%registrations_guarded%') execute function refuse();
     select graphile_worker.add_job('registration.guard')`,
  )
  const left = `select id::text, last_error from graphile_worker.jobs where task_identifier = 'registration.guard'`
  const [job] = await until(
    () => sql(server, left),
    jobs => jobs[0]?.['last_error'] !== null,
    'a failed check',
  )
  await sql(server, 'drop trigger refuse on graphile_worker._private_jobs')
  await sql(server, 'select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())', [job?.['id']])
  assert.equal(await runGuard(server), true)
  assert.match((await mail.email(`${admin.username}@example.com`, /need approval now/)).text, /No moderator/)
})

test('registrations stay open when the guard is disabled or only some domains may sign up', async t => {
  for (const env of [
    { DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS: 'true' },
    { EMAIL_DOMAIN_ALLOWLIST: 'example.com' },
  ]) {
    const server = await startServer(t, { ...OPEN_REGISTRATIONS, env })
    await person(server, 'old')
    await sql(server, `update users set created_at = now() - interval '30 days'`)
    assert.equal(await runGuard(server), false, JSON.stringify(env))
  }
})
