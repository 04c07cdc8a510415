import { FIGURES, showFigure, type FigureName } from './figures.ts'
import { checkGoals, type Goal, type Verdict } from './goals.ts'
import { median, seriesOf, spread, valuesOf, type Report, type Series } from './report.ts'

/** Aligns columns by their widest cell; columns from `numbers` on are right-aligned. */
export function layOut(rows: readonly (readonly string[])[], numbers: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    row
      .map((cell, column) => (column < numbers ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

const SHOWN: readonly FigureName[] = [
  'p50',
  'p99',
  'max',
  'errors',
  'lost',
  'loadCpu',
  'serverCpu',
  'databaseCpu',
  'databaseSeconds',
  'memory',
]
/** Shown only in rows that have them. */
const RARE: readonly FigureName[] = [
  'cpuPerThousand',
  'delivery',
  'twice',
  'databaseMemory',
  'together',
  'growth',
  'bytesEach',
  'everywhere',
  'start',
  'caughtUp',
]
const SUMMED: ReadonlySet<FigureName> = new Set(['errors', 'lost'])

function show(series: Series, name: FigureName): string {
  const values = valuesOf(series, name)
  if (values.length === 0) return '-'
  return showFigure(name, SUMMED.has(name) ? values.reduce((sum, value) => sum + value, 0) : median(values))
}

function row(series: Series): string[] {
  const rates = valuesOf(series, 'rate')
  const rate = rates.length === 0 ? '-' : `${showFigure('rate', median(rates))} ${series.unit}`
  // Of nought there is no per cent.
  const around = rates.length < 2 ? '' : median(rates) === 0 ? '-' : ((spread(rates) / median(rates)) * 100).toFixed(1)
  const rare = RARE.filter(name => valuesOf(series, name).length > 0)
  return [
    series.scenario,
    series.subject,
    rate,
    around,
    ...SHOWN.map(name => show(series, name)),
    rare.map(name => `${FIGURES[name].label}: ${show(series, name)}`).join(', '),
  ]
}

/** A goal and its result, such as `0.71 (at least 0.6): met`. */
export function showVerdict({ goal, value, spread: around, met }: Verdict): string {
  const digits = goal.of ? 2 : FIGURES[goal.figure].digits
  const limit = goal.min === undefined ? `at most ${goal.max}` : `at least ${goal.min}`
  return `${value.toFixed(digits)} ±${around.toFixed(digits)} (${limit}): ${met ? 'met' : 'NOT MET'}`
}

/**
 * Medians over the rounds; ± is half of the range of the rates in per cent of the median. The
 * goals' results follow.
 */
export function showReport(report: Report, goals: readonly Goal[]): string {
  const heading = ['scenario', 'subject', 'rate/s', '±%', ...SHOWN.map(name => FIGURES[name].label), '']
  const verdicts = checkGoals(report, goals).map(verdict => [
    verdict.goal.scenario,
    verdict.goal.text,
    showVerdict(verdict),
  ])
  const table = layOut([heading, ...seriesOf(report).map(row)], 2)
  return [
    table,
    ...(verdicts.length > 0 ? [layOut(verdicts, 3)] : []),
    ...report.warnings.map(warning => `Note: ${warning}\n`),
  ].join('\n')
}
