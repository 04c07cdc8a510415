import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForMail } from '../../../accounts/waiting.ts'
import { Browser } from '../../../support/browser.ts'
import { personWithPassword } from '../../../support/oauth.ts'
import { sql } from '../../../support/people.ts'
import { startServer } from '../../../support/server.ts'

/*
 * The response time must not reveal whether an e-mail address is registered. Timing cannot be
 * tested reliably, so these tests compare the jobs that a request enqueues.
 */

for (const [what, form, action, user] of [
  ['a password reset', '/auth/password/new', '/auth/password', {}],
  ['a confirmation mail', '/auth/confirmation/new', '/auth/confirmation', { confirmed_at: null }],
] as const) {
  test(`${what} enqueues the same job for every e-mail address, but sends only to the registered one`, async t => {
    const server = await startServer(t)
    const alice = await personWithPassword(server, 'alice', { user })
    await sql(server, 'create table enqueued (id bigint generated always as identity, name text, email text)')
    await sql(
      server,
      `create function note_job() returns trigger language plpgsql as $$ begin
         insert into enqueued (name, email)
         select t.identifier, new.payload ->> 'email' from graphile_worker._private_tasks t where t.id = new.task_id;
         return new;
       end $$`,
    )
    await sql(
      server,
      'create trigger note_job after insert on graphile_worker._private_jobs for each row execute function note_job()',
    )
    const browser = new Browser(server)
    const page = await browser.get(form)
    const [nobody, somebody] = ['nobody@example.com', alice.email]
    for (const email of [nobody, somebody, 'x'.repeat(500)]) {
      const sent = await browser.submit(page, action, { 'user[email]': email })
      assert.deepEqual([sent.status, sent.location], [303, '/auth/sign_in'])
    }
    assert.match(await waitForMail(server, alice.email), /_token=/)
    const rows = await sql(server, 'select name, email from enqueued where email is not null order by id')
    assert.deepEqual(
      rows.map(({ email }) => email),
      [nobody, somebody, ''],
    )
    assert.equal(new Set(rows.map(({ name }) => name)).size, 1)
  })
}
