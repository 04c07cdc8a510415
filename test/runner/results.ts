import type { Parser, Result } from 'tap-parser'

/** The result of one test. */
export interface TestResult {
  /** The names of its parent tests and its own. */
  readonly names: readonly string[]
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** The reason for skipping it. */
  readonly reason: string
  readonly timeMs: number | null
  /** Its comments and failures. */
  readonly comments: string[]
  readonly faults: Result[]
}

/** The parsed standard output of a test file. */
export interface Output {
  /** In the order in which the tests ended. */
  readonly tests: TestResult[]
  /** Faults outside of tests, and lines that do not belong to the report. */
  readonly faults: Result[]
  readonly lines: string[]
  /** The number of tests that were not selected. */
  filtered: number
}

/** Comments by tap itself. */
const FORMAL = /^# (Subtest: |Subtest$|time=|timeout=|\{ total: )/

const isFiltered = ({ skip }: Result): boolean => typeof skip === 'string' && skip.startsWith('filter: ')

function toResult(names: readonly string[], point: Result): Omit<TestResult, 'comments' | 'faults'> {
  const outcome = point.skip !== false ? 'skipped' : point.ok ? 'passed' : 'failed'
  return { names, outcome, reason: typeof point.skip === 'string' ? point.skip : '', timeMs: point.time }
}

/**
 * Collects the report of a test file. A subtest is a test; a point without one is an assertion of
 * its parent test, or a test that was skipped before it began.
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
