import assert from 'node:assert/strict'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { person, sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

/** Runs the hourly look; gives whether sign-ups need approval after it. */
async function look(server: TestServer): Promise<unknown> {
  await sql(server, `select graphile_worker.add_job('registration.guard')`)
  const left = () => sql(server, `select 1 from graphile_worker.jobs where task_identifier = 'registration.guard'`)
  await until(left, jobs => jobs.length === 0, 'the look')
  const { json } = await new Client(server, 'unknown').get('/api/v2/instance')
  return (json as { registrations: { approval_required: unknown } }).registrations.approval_required
}

test('sign-ups need approval when no moderator has been there for more than a week, and managers hear of it', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const admin = await person(server, 'admin', { roleId: 2 })
  assert.equal(await look(server), false, 'a new server is left alone')
  await sql(
    server,
    `update users set created_at = now() - interval '30 days', last_active_at = now() - interval '7 days 23 hours'`,
  )
  assert.equal(await look(server), false, 'a moderator was there')
  await sql(server, `update users set last_active_at = now() - interval '8 days'`)
  assert.equal(await look(server), true)
  assert.match((await mail.email(`${admin.username}@example.com`, /need approval now/)).text, /No moderator/)
})

test('an operator who wants them open, or lets in some domains only, is not disturbed', async t => {
  for (const env of [
    { DISABLE_AUTOMATIC_SWITCHING_TO_APPROVED_REGISTRATIONS: 'true' },
    { EMAIL_DOMAIN_ALLOWLIST: 'example.com' },
  ]) {
    const server = await startServer(t, { env })
    await person(server, 'old')
    await sql(server, `update users set created_at = now() - interval '30 days'`)
    assert.equal(await look(server), false, JSON.stringify(env))
  }
})
