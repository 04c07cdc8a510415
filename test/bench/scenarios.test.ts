import assert from 'node:assert/strict'
import { test } from 'tap'
import { readOptions } from '../../bench/options.ts'
import { run } from '../../bench/run.ts'
import { chooseScenarios } from '../../bench/scenarios.ts'
import { showReport } from '../../bench/report/table.ts'
import { ROOT } from '../../bench/target/server.ts'
import { goalsOfTurns, runByTurns } from '../../bench/turns.ts'

const TINY =
  '--accounts 60 --statuses 600 --people 12 --followers 40 --sockets 20 --connections 4 --seconds 1 --speed 14400 --warmup 0 --repeat 1'
/** One scenario of each kind. */
const SOME = [
  'public',
  'list',
  'posting-100',
  'posting-100000',
  'fanout-public',
  'event-latency',
  'storm',
  'mixed',
  'day',
]

test('scenarios run against their own server for a second without errors', async () => {
  const chosen = chooseScenarios(SOME)
  const report = await run(chosen, readOptions(TINY.split(' ')), () => undefined)
  const faults = report.warnings.filter(warning => / failed: | answers |left out/.test(warning))
  assert.deepEqual(faults, [])
  for (const { name } of chosen) {
    const results = report.results.filter(({ scenario }) => scenario === name || scenario.startsWith(`${name}, `))
    assert.ok(results.length > 0, name)
    for (const { subject, figures } of results) {
      assert.ok(
        (figures.rate ?? figures.everywhere ?? figures.databaseMemory ?? 0) > 0,
        `${name}, ${subject} did nothing`,
      )
      assert.equal(figures.errors ?? 0, 0, `${name}, ${subject}`)
      assert.equal(figures.lost ?? 0, 0, `${name}, ${subject}`)
      assert.equal(figures.twice ?? 0, 0, `${name}, ${subject}`)
    }
  }
})

test('the servers of two checkouts take turns, and the report has their ratio', async () => {
  const chosen = chooseScenarios(['home', 'posting-mentions', 'storm'])
  const report = await runByTurns(chosen, { ...readOptions(TINY.split(' ')), against: ROOT }, () => undefined)
  assert.deepEqual(report.warnings, ['storm was left out: it measures more than requests'])
  for (const scenario of ['home', 'posting-mentions']) {
    const results = report.results.filter(result => result.scenario === scenario)
    for (const subject of ['this checkout', 'the other']) {
      const turns = results.filter(result => result.subject === subject)
      assert.ok(turns.length >= 4, `${scenario}, ${subject} has ${turns.length} turns`)
      const total = (figure: 'rate' | 'errors'): number =>
        turns.reduce((sum, turn) => sum + (turn.figures[figure] ?? 0), 0)
      assert.ok(total('rate') > 0, `${scenario}, ${subject} did nothing`)
      assert.equal(total('errors'), 0)
    }
  }
  assert.match(showReport(report, goalsOfTurns(chosen)), /home +the rate, by that of the other +\d\.\d\d ±/)
})
