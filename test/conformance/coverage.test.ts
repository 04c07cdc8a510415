import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { allLines } from './lines.ts'
import { recordLines } from './records.ts'
import { walked } from './walked.ts'

/*
 * Which lines of the contract have a test. test/contract/coverage.json names them: for each test
 * file and title the ids of the lines that it covers. callers.test.ts and records.test.ts cover
 * lines of one kind by a walk over all operations.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Coverage = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const coverage = JSON.parse(readFileSync(path.join(ROOT, 'test/contract/coverage.json'), 'utf8')) as Coverage

/** Lines that cannot hold here, or that say nothing to test, with the reason. */
const ruledOut = (
  JSON.parse(readFileSync(path.join(ROOT, 'test/contract/ruled_out.json'), 'utf8')) as readonly {
    readonly reason: string
    readonly lines: readonly string[]
  }[]
).flatMap(({ lines }) => lines)

const named = Object.entries(coverage).flatMap(([file, tests]) =>
  Object.entries(tests).flatMap(([title, ids]) => ids.map(id => ({ file, title, id }))),
)

test('the tests and the lines that coverage.json names exist', async () => {
  const texts = new Map<string, string>()
  for (const file of Object.keys(coverage)) {
    const absolute = path.join(ROOT, file)
    texts.set(file, existsSync(absolute) ? readFileSync(absolute, 'utf8') : '')
  }
  const quoted = (title: string): string[] => [`'${title}'`, `"${title}"`, `\`${title}\``]
  const unknown = named.flatMap(({ file, title, id }) => [
    ...(quoted(title).some(text => texts.get(file)?.includes(text)) ? [] : [`${file} has no test "${title}"`]),
    ...(allLines.has(id) ? [] : [`the contract has no line "${id}"`]),
  ])
  assert.deepEqual([...new Set(unknown)], [])
})

test('the lines of the contract that have a test, by group', async t => {
  const covered = new Set([...walked, ...recordLines, ...named].map(({ id }) => id))
  const excepted = new Set(ruledOut)
  assert.deepEqual(
    ruledOut.filter(id => !allLines.has(id) || covered.has(id)),
    [],
    'they exist and have no test',
  )
  const groups = new Map<string, { covered: number; ruledOut: number; left: number }>()
  for (const [id, { group }] of allLines) {
    const counts = groups.get(group) ?? { covered: 0, ruledOut: 0, left: 0 }
    if (covered.has(id)) counts.covered += 1
    else if (excepted.has(id)) counts.ruledOut += 1
    else counts.left += 1
    groups.set(group, counts)
  }
  const rows = [...groups].map(([group, counts]) => ({ group, ...counts }))
  const sum = (member: 'covered' | 'ruledOut' | 'left'): number => rows.reduce((total, row) => total + row[member], 0)
  const all = { group: 'all', covered: sum('covered'), ruledOut: sum('ruledOut'), left: sum('left') }
  for (const { group, covered: yes, ruledOut: no, left } of [...rows, all])
    t.comment(
      `${group.padEnd(28)} covered ${String(yes).padStart(4)}   ruled out ${String(no).padStart(3)}   not covered ${String(left).padStart(4)}`,
    )
  t.comment(`${all.left} left`)
  assert.equal(all.covered + all.ruledOut + all.left, allLines.size)
  const left = [...allLines.keys()].filter(id => !covered.has(id) && !excepted.has(id))
  assert.deepEqual(left, [], 'each line has a test, or a reason in ruled_out.json')
  // It only ever grows: raise it with each line that gets a test.
  assert.ok(all.covered >= COVERED_AT_LEAST, `${all.covered} lines are covered, but were ${COVERED_AT_LEAST}`)
})

const COVERED_AT_LEAST = 3303
