import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'

test('statements about subscribers scan no large table', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'alice', '--email', 'alice@example.com', '--confirmed', '--role', 'Owner')
  await ctl.sql(`update users set email_subscriptions = true`)
  const [alice] = await ctl.sql('select id::text as id from accounts')
  const account = alice?.['id']
  const [status] = await ctl.sql(
    `insert into statuses (account_id, text, content, visibility)
     select id, 'hello', 'hello', 'public' from accounts returning id::text as id`,
  )
  await ctl.sql(`insert into accounts (username) select 'author' || n from generate_series(1, 60) n`)
  await ctl.sql(
    `insert into statuses (account_id, text, content, visibility)
     select id, 'hello', 'hello', 'public' from accounts cross join generate_series(1, 100) n`,
  )
  await ctl.sql(
    `insert into email_subscriptions (account_id, email, confirmed_at, requested_at)
     select a.id, 'reader' || n || '@example.com', case when n % 100 > 0 then now() - interval '1 hour' end, now() - interval '1 hour'
     from accounts a cross join generate_series(1, 400) n`,
  )
  await ctl.sql(
    `insert into email_deliveries (mailing, recipient_id, created_at)
     select 'status:' || n % 50, n, now() - n * interval '1 minute' from generate_series(1, 30000) n`,
  )
  await ctl.sql(
    `with made as (insert into accounts (username) select 'member' || n from generate_series(1, 5000) n returning id, username)
     insert into users (account_id, email, password_hash, confirmed_at) select id, username || '@example.com', '-', now() from made`,
  )
  await ctl.sql('analyze')
  const reads: Record<string, Record<string, unknown>> = {
    'notifications/email_subscriptions/recipients': { status: status?.['id'], after: '100', limit: 50 },
    'notifications/email_subscriptions/recipient': { status: status?.['id'], subscription: '7' },
    'notifications/email_subscriptions/page': { account, limit: 41 },
    'notifications/email_subscriptions/clean': {},
    'notifications/unsubscribe/subscription': { subscription: '7' },
    'platform/mail/claim': { mailing: 'status:1', recipient: '40000' },
    'platform/mail/forget_deliveries': {},
    'instance/mailings/recipients': { after: '100', since: new Date().toISOString(), limit: 100 },
  }
  for (const [name, parameters] of Object.entries(reads)) {
    const plan = await ctl.ok('explain', name, JSON.stringify(parameters))
    assert.match(plan, /Execution Time/, name)
    assert.doesNotMatch(
      plan,
      /Seq Scan on (email_subscriptions|email_deliveries|users|accounts|statuses)\b/,
      `${name}\n${plan}`,
    )
  }
})
