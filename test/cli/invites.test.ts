import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from './command.ts'

test('all invites are listed, newest first', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('accounts', 'create', 'host', '--email', 'host@example.com', '--confirmed')
  await ctl.sql(`
    insert into invites (user_id, code)
    select u.id, 'code' || lpad(n::text, 4, '0') from users u, generate_series(1, 1001) n
  `)
  const codes = (await ctl.ok('invites', 'list')).match(/^code\d{4}/gm)
  assert.equal(codes?.length, 1001)
  assert.deepEqual(codes, codes.toSorted().toReversed())
})
