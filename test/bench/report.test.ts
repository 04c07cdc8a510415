import assert from 'node:assert/strict'
import { test } from 'tap'
import { compare, showDifferences } from '../../bench/report/compare.ts'
import type { Figures } from '../../bench/report/figures.ts'
import { checkGoals } from '../../bench/report/goals.ts'
import { renderHtml } from '../../bench/report/html.ts'
import { median, spread, type Report } from '../../bench/report/report.ts'
import { showReport } from '../../bench/report/table.ts'

/** A report of one scenario with the figures of each round by subject. */
const reportOf = (subjects: Record<string, readonly Figures[]>): Report => ({
  startedAt: '2030-01-01T00:00:00.000Z',
  machine: { cpu: 'one', cores: 2, memoryBytes: 2 ** 30, node: 'v22' },
  target: 'a <server>',
  command: 'npm run bench -- reading',
  options: { seconds: 1, warmup: 0, repeat: 2 },
  results: Object.entries(subjects).flatMap(([subject, rounds]) =>
    rounds.map((figures, index) => ({ scenario: 'reading', subject, round: index + 1, unit: 'requests', figures })),
  ),
  warnings: ['the machine was loud'],
})

test('median and spread of values are computed', async () => {
  for (const [values, middle, around] of [
    [[3, 1, 2], 2, 1],
    [[4, 1, 2, 3], 2.5, 1.5],
    [[7], 7, 0],
  ] as const) {
    assert.equal(median(values), middle)
    assert.equal(spread(values), around)
  }
  assert.ok(Number.isNaN(median([])))
})

const goal = {
  text: 'half of the bare route',
  scenario: 'reading',
  subject: 'server',
  figure: 'rate',
  of: { subject: 'bare' },
  min: 0.5,
} as const

test('a goal is checked by the median of the ratios of each round', async () => {
  const report = reportOf({
    server: [{ rate: 60 }, { rate: 600 }, { rate: 55 }],
    bare: [{ rate: 100 }, { rate: 1000 }, { rate: 110 }],
  })
  const [verdict] = checkGoals(report, [goal])
  assert.equal(verdict?.value, 0.6)
  assert.equal(verdict.met, true)
  assert.equal(checkGoals(report, [{ ...goal, min: 0.7 }])[0]?.met, false)
  assert.deepEqual(checkGoals(report, [{ ...goal, scenario: 'another' }]), [])
  const quick = { text: '', scenario: 'reading', subject: 'server', figure: 'p99', max: 20 } as const
  assert.equal(checkGoals(reportOf({ server: [{ p99: 20 }] }), [quick])[0]?.met, true)
})

test('a comparison marks differences larger than the spread of the rounds', async () => {
  const before = reportOf({
    server: [
      { rate: 100, p50: 5, errors: 0, loadCpu: 0.1 },
      { rate: 110, p50: 6, errors: 0, loadCpu: 0.1 },
    ],
  })
  const after = reportOf({
    server: [
      { rate: 150, p50: 5, errors: 0, loadCpu: 0.3 },
      { rate: 160, p50: 7, errors: 0, loadCpu: 0.3 },
    ],
  })
  const meanings = (one: Report, other: Report) =>
    Object.fromEntries(compare(one, other).map(d => [d.figure, d.meaning]))
  assert.deepEqual(meanings(before, after), { rate: 'better', p50: 'same', errors: 'same', loadCpu: 'other' })
  assert.equal(meanings(after, before)['rate'], 'worse')
  assert.equal(meanings(reportOf({ server: [{ rate: 1 }] }), after)['rate'], 'unknown')
  assert.match(showDifferences(compare(before, after)), /reading +server +rate\/s +105 +155 +x 1\.48 +\+/)
})

test('a report is shown as a table and as a self-contained page', async () => {
  const report = reportOf({
    server: [{ rate: 60, p50: 1, p90: 2, p99: 3, errors: 0, lost: 0 }],
    bare: [{ rate: 100, p50: 0.5, p90: 0.7, p99: 1 }],
  })
  const text = showReport(report, [goal])
  assert.match(text, /reading +server +60 requests/)
  assert.match(text, /0\.60 ±0\.00 \(at least 0\.5\): met/)
  assert.match(text, /Note: the machine was loud/)
  const page = renderHtml(report, [goal])
  assert.match(page, /<h1>Bench of a &lt;server><\/h1>/)
  assert.equal(page.match(/<svg/g)?.length, 2)
  assert.doesNotMatch(page, /NaN|undefined|https?:/)
})
