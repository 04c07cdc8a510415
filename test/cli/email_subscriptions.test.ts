import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

test('the subscribers of an account are listed and removed', async t => {
  const ctl = await createCommandLine(t)
  const fails = async (...given: string[]): Promise<string> => {
    const { code, err } = await ctl.run(...given)
    assert.equal(code, 1)
    return err
  }
  await ctl.ok('accounts', 'create', 'alice', '--email', 'alice@example.com', '--confirmed')
  await ctl.sql(
    `insert into email_subscriptions (account_id, email, confirmed_at)
     select a.id, 'reader' || n || '@example.com', case when n > 1 then now() end
     from accounts a cross join generate_series(1, 1503) n where a.username = 'alice'`,
  )
  const listed = await ctl.ok('email-subscriptions', 'list', 'alice')
  assert.equal(listed.match(/reader\d+@example\.com/g)?.length, 1502)
  assert.match(listed, /\n1502 confirmed, 1 not confirmed yet\n$/)
  assert.equal(await ctl.ok('email-subscriptions', 'remove', 'alice', 'READER7@example.com'), 'OK, removed 1\n')
  assert.match(await fails('email-subscriptions', 'remove', 'alice', 'reader7@example.com'), /No such subscriber/)
  assert.match(await fails('email-subscriptions', 'remove', 'alice'), /either an address or --all/)
  assert.match(await fails('email-subscriptions', 'list', 'nobody'), /No user/)
  assert.equal(await ctl.ok('email-subscriptions', 'remove', 'alice', '--all'), 'OK, removed 1502\n')
  const log = await ctl.sql(
    `select action, target_type, target_name from admin_action_logs where target_type = 'EmailSubscription'`,
  )
  assert.equal(log.length, 2)
})
