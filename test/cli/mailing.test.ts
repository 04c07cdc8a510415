import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

test('published terms and announcements are sent to all users once', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'alice', '--email', 'alice@example.com', '--confirmed')
  await ctl.sql(`insert into terms_of_service (text) values ('Draft')`)
  const [terms] = await ctl.sql(
    `insert into terms_of_service (text, changelog, effective_date, published_at)
     values ('All', 'Everything', '2031-02-03', now()) returning id::text`,
  )
  await ctl.ok('announcements', 'create', 'Maintenance')
  const [announcement] = await ctl.sql('select id::text from announcements')
  for (const [group, made] of [['terms', terms] as const, ['announcements', announcement] as const]) {
    const id = String(made?.['id'])
    const fails = async (...given: string[]): Promise<string> => {
      const { code, err } = await ctl.run(group, 'notify', ...given)
      assert.equal(code, 1)
      return err
    }
    assert.match(await fails('999'), /No such published/)
    assert.equal(await ctl.ok(group, 'notify', id, '--dry-run'), 'Would send 1 e-mails (DRY RUN)\n')
    assert.match(await ctl.ok(group, 'notify', id, '--test', 'alice'), /a test to alice@example\.com/)
    assert.match(await fails(id, '--test', 'nobody'), /No user/)
    assert.equal(await ctl.ok(group, 'notify', id), 'OK, the server will send 1 e-mails\n')
    assert.match(await fails(id), /E-mails were sent on/)
  }
  const jobs = await ctl.sql(
    `select task_identifier as name, count(*)::int as amount from graphile_worker.jobs
     where task_identifier like 'member_mailings.%' group by 1 order by 1`,
  )
  assert.deepEqual(jobs, [
    { name: 'member_mailings.send', amount: 2 },
    { name: 'member_mailings.test', amount: 2 },
  ])
  const log = await ctl.sql(
    `select target_type from admin_action_logs where action = 'notify' and account_id is null order by id`,
  )
  assert.deepEqual(log, [{ target_type: 'TermsOfService' }, { target_type: 'Announcement' }])
})
