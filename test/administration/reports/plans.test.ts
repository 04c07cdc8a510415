import assert from 'node:assert/strict'
import { test } from 'tap'
import { createCommandLine } from '../../cli/command.ts'

const REPORTS = 30_000
/** A long transaction holds back the event logs of all tests on the cluster. */
const PORTION = 3000

const ACCOUNTS = `
  insert into accounts (id, username, domain, uri)
  select n, 'user' || n, case when n % 4 > 0 then 'server' || n % 40 || '.example' when n = 4000 then 'rare.example' end, 'uri:' || n
  from generate_series(1, 4000) n`

/** Most are resolved, few are assigned; some accounts are reported, or report, very often. */
const fill = (first: number, last: number): string => `
  insert into reports (account_id, target_account_id, category, comment, status_ids, action_taken_at, assigned_account_id)
  select 1 + n % case when n % 2 = 0 then 3 else 3999 end, 1 + (n * 7) % case when n % 3 = 0 then 5 else 3999 end, 'other', '', '{}',
    case when n % 29 > 0 then now() end, case when n % 101 = 0 then 1 + n % 5 end
  from generate_series(${first}, ${last}) n`

const FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {},
  open: { state: 'open' },
  resolved: { state: 'resolved' },
  reporter: { account_id: '2' },
  'rare reporter, open': { account_id: '3001', state: 'open' },
  'busy reporter, resolved': { account_id: '2', state: 'resolved' },
  target: { target_account_id: '3' },
  'rare target, open': { target_account_id: '3001', state: 'open' },
  'both sides': { account_id: '2', target_account_id: '3', state: 'resolved' },
  'unknown target': { target_account_id: '3999999' },
  domain: { target_domain: 'server3.example' },
  'domain, open': { target_domain: 'server3.example', state: 'open' },
  'rare domain': { target_domain: 'rare.example', state: 'open' },
  'unknown domain': { target_domain: 'unknown.example' },
  assigned: { assigned_account_id: '3' },
  'assigned, open': { assigned_account_id: '3', state: 'open' },
  'assigned of a domain': { assigned_account_id: '3', target_domain: 'server3.example', state: 'open' },
  'assigned to nobody': { assigned_account_id: '3999' },
}

test('no filter of reports reads all of them', async t => {
  const ctl = await createCommandLine(t)
  await ctl.ok('migrate')
  await ctl.sql(ACCOUNTS)
  // The daily counters are another test's, and take most of the time.
  await ctl.sql('alter table reports disable trigger reports_counted')
  for (let first = 1; first <= REPORTS; first += PORTION) await ctl.sql(fill(first, first + PORTION - 1))
  await ctl.sql('analyze')
  for (const open of ['few', 'most']) {
    if (open === 'most') {
      await ctl.sql('update reports set action_taken_at = case when id % 200 = 0 then now() end')
      await ctl.sql('vacuum analyze reports')
    }
    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const [max, min] of [
        [null, null],
        ['20000', null],
        [null, '20000'],
      ] as const) {
        const given = [`'${JSON.stringify(filter)}'`, max ?? 'null', 'null', min ?? 'null', '100']
        const [made] = await ctl.sql(`select staff_reports_query(${given.join(', ')}) as text`)
        const rows = await ctl.sql(`explain (analyze, buffers) ${String(made?.['text'])}`)
        const plan = rows.map(row => row['QUERY PLAN']).join('\n')
        const what = `${open} open, ${name}, ${max ?? ''}..${min ?? ''}\n${plan}`
        assert.doesNotMatch(plan, /Seq Scan/, what)
        const read = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan)
        // A thousand buffers are a few milliseconds.
        assert.ok(Number(read?.[1] ?? 0) + Number(read?.[2] ?? 0) < 1000, what)
      }
    }
  }
})
