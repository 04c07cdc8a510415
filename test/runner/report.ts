import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Result } from 'tap-parser'
import type { TestResult } from './results.ts'
import type { FileResult } from './run_file.ts'

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

const MARKS = { passed: '✔', failed: '✖', skipped: '﹣' } as const

const indent = (text: string, by: string): string => text.replace(/^(?=.)/gm, by)

const seconds = (ms: number | null): string => (ms === null ? '' : ` (${(ms / 1000).toFixed(2)} s)`)

function lineOf({ names, outcome, reason, timeMs }: TestResult): string {
  const skipped = outcome === 'skipped' ? ` # skipped${reason && `: ${reason}`}` : seconds(timeMs)
  return `${'  '.repeat(names.length)}${MARKS[outcome]} ${names.at(-1) ?? ''}${skipped}`
}

/** A test file with its tests, their comments, and other output. */
export function describeFile(result: FileResult): string {
  const lines = [`${hasFailed(result) ? MARKS.failed : MARKS.passed} ${result.file}${seconds(result.timeMs)}`]
  for (const test of result.tests) {
    lines.push(lineOf(test), ...test.comments.map(comment => `${'  '.repeat(test.names.length + 1)}# ${comment}`))
  }
  if (result.lines.length > 0) lines.push(indent(result.lines.join('\n'), '  > '))
  if (result.errors !== '') lines.push(indent(result.errors.trimEnd(), '  ! '))
  return lines.join('\n')
}

export const hasFailed = ({ trouble, faults, tests }: FileResult): boolean =>
  trouble !== undefined || faults.length > 0 || tests.some(({ outcome }) => outcome === 'failed')

interface Diagnosis {
  readonly at?: { readonly fileName?: string; readonly lineNumber?: number; readonly columnNumber?: number }
  readonly stack?: string
  readonly diff?: string
  readonly [field: string]: unknown
}

/** Fields that are shown separately, or are of no use to a reader. */
const SHOWN = new Set(
  'at stack source diff actual expected generatedMessage tapCaught found wanted compare operator cause test'.split(' '),
)

/**
 * The difference of two values, as node:assert shows it. Empty where the report has lost it, since
 * it has no undefined, for example.
 */
function differenceOf({ actual, expected, operator }: Diagnosis): string | undefined {
  if (!/equal$/i.test(String(operator))) return undefined
  try {
    assert.deepEqual(actual, expected)
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return undefined
}

/** The failure in one line. The difference replaces a message of node:assert. */
function titleOf({ name, tapError }: Result, { generatedMessage }: Diagnosis, difference: string | undefined): string {
  const title = tapError ?? (name || 'failed')
  if (difference === undefined) return title
  return generatedMessage === true ? '' : title.replace(/ \+ actual - expected .*$/, '')
}

const placeOf = ({ at }: Diagnosis): string =>
  at?.fileName === undefined ? '' : `at ${at.fileName}:${at.lineNumber ?? ''}:${at.columnNumber ?? ''}`

function describeCause(cause: unknown): string {
  const { type = 'Error', message = cause, stack = '' } = (cause ?? {}) as Record<string, unknown>
  return `cause: ${String(type)}: ${String(message)}\n${indent(String(stack).trimEnd(), '    at ')}`
}

function describeFault(fault: Result): string {
  const details = (fault.diag ?? {}) as Diagnosis
  const difference = details.diff?.includes('\n') === true ? details.diff.trimEnd() : differenceOf(details)
  const rest = Object.entries(details).filter(([field]) => !SHOWN.has(field))
  return [
    titleOf(fault, details, difference),
    difference,
    details.stack ? indent(details.stack.trimEnd(), '    at ') : placeOf(details),
    'cause' in details ? describeCause(details['cause']) : '',
    ...rest.map(([field, value]) => `${field}: ${typeof value === 'string' ? value : inspect(value, { depth: 6 })}`),
  ]
    .filter(Boolean)
    .join('\n')
}

/** All failures of a file, each with the file's name; empty when all passed. */
export function describeFailures({ file, trouble, faults, tests }: FileResult): string[] {
  const found: string[] = []
  if (trouble !== undefined) found.push(`${MARKS.failed} ${file}: ${trouble}`)
  for (const fault of faults) found.push(`${MARKS.failed} ${file}\n${indent(describeFault(fault), '    ')}`)
  for (const { names, outcome, faults: own } of tests) {
    if (outcome !== 'failed') continue
    const title = `${MARKS.failed} ${file}: ${names.join(' › ')}`
    found.push([title, ...own.map(fault => indent(describeFault(fault), '    '))].join('\n'))
  }
  return found
}

/**
 * Counts tests. A failure of the file itself counts as a failed test, and so does each fault
 * outside of tests.
 */
export function count(results: readonly FileResult[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { tests, faults, trouble } of results) {
    for (const { outcome } of tests) counts[outcome] += 1
    counts.failed += faults.length + (trouble === undefined ? 0 : 1)
  }
  return counts
}

/** The last line of a run. */
export const summarise = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
