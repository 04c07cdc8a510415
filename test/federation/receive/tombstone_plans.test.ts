import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'

test('the hourly removal of tombstones does not read those that are kept', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await ctl.sql(
    `insert into tombstones (uri, created_at, kept)
     select 'https://far.example/' || n, now() - interval '20 days', n > 20 from generate_series(1, 20000) n`,
  )
  await ctl.sql('vacuum analyze tombstones')
  const plan = await ctl.ok('explain', 'federation/receive/remove_tombstones')
  assert.match(plan, /Scan[^\n]* on tombstones t [^\n]*actual[^\n]* rows=20\b/)
  assert.doesNotMatch(plan, /Rows Removed by Filter/, plan)
})
