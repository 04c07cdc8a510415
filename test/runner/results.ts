import type { Parser, Result } from 'tap-parser'

/** What became of one test. */
export interface TestResult {
  /** Its name after those of the tests that it is part of. */
  readonly names: readonly string[]
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason: string
  readonly timeMs: number | null
  /** What it said about itself, and what failed in it. */
  readonly comments: string[]
  readonly faults: Result[]
}

/** What a test file wrote to standard output. */
export interface Output {
  /** In the order in which the tests ended. */
  readonly tests: TestResult[]
  /** Faults of no test, and lines that are no report. */
  readonly faults: Result[]
  readonly lines: string[]
  /** How many tests were left out because they were not asked for. */
  filtered: number
}

/** Comments that tap writes itself. */
const FORMAL = /^# (Subtest: |Subtest$|time=|timeout=|\{ total: )/

const isFiltered = ({ skip }: Result): boolean => typeof skip === 'string' && skip.startsWith('filter: ')

function toResult(names: readonly string[], point: Result): Omit<TestResult, 'comments' | 'faults'> {
  const outcome = point.skip !== false ? 'skipped' : point.ok ? 'passed' : 'failed'
  return { names, outcome, reason: typeof point.skip === 'string' ? point.skip : '', timeMs: point.time }
}

/**
 * Collects what a test file reports. A subtest is a test; a point without one is an assertion of the test that it stands in,
 * or a test that was skipped before it began.
 */
export function collect(parser: Parser): Output {
  const output: Output = { tests: [], faults: [], lines: [], filtered: 0 }
  follow(parser, [], [], output.faults, output)
  parser.on('extra', (text: string) => void output.lines.push(text.trimEnd()))
  return output
}

function follow(parser: Parser, names: readonly string[], comments: string[], faults: Result[], output: Output): void {
  let child: { comments: string[]; faults: Result[] } | undefined
  parser.on('child', (subtest: Parser) => {
    child = { comments: [], faults: [] }
    follow(subtest, [...names, subtest.name], child.comments, child.faults, output)
  })
  parser.on('comment', (text: string) => {
    if (!FORMAL.test(text)) comments.push(text.trim().replace(/^# ?/, ''))
  })
  parser.on('assert', (point: Result) => {
    const own = child
    child = undefined
    if (own) output.tests.push({ ...toResult([...names, point.name], point), ...own })
    else if (point.skip !== false) {
      if (isFiltered(point)) output.filtered += 1
      else output.tests.push({ ...toResult([...names, point.name], point), comments: [], faults: [] })
    } else if (!point.ok) faults.push(point)
  })
}
