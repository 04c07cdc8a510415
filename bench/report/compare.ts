import { FIGURE_NAMES, FIGURES, showFigure, type Figure, type FigureName } from './figures.ts'
import { median, seriesOf, spread, valuesOf, type Report, type Series } from './report.ts'
import { layOut } from './table.ts'

/** A figure of two reports. */
export interface Difference {
  readonly scenario: string
  readonly subject: string
  readonly figure: FigureName
  readonly before: number
  readonly after: number
  /** after / before; NaN when before is 0. */
  readonly ratio: number
  /**
   * `better` and `worse` if the medians differ by more than the spread of both; `unknown` with one
   * round.
   */
  readonly meaning: 'better' | 'worse' | 'other' | 'same' | 'unknown'
}

function meaningOf(name: FigureName, before: readonly number[], after: readonly number[]): Difference['meaning'] {
  const change = median(after) - median(before)
  if (change === 0) return 'same'
  if (before.length < 2 || after.length < 2) return 'unknown'
  if (Math.abs(change) <= spread(before) + spread(after)) return 'same'
  const figure: Figure = FIGURES[name]
  if (figure.better === undefined) return 'other'
  return change > 0 === (figure.better === 'more') ? 'better' : 'worse'
}

function differencesOf(one: Series, other: Series): Difference[] {
  const { scenario, subject } = one
  return FIGURE_NAMES.flatMap(figure => {
    const [before, after] = [valuesOf(one, figure), valuesOf(other, figure)]
    if (before.length === 0 || after.length === 0) return []
    const [a, b] = [median(before), median(after)]
    const ratio = a === 0 ? Number.NaN : b / a
    return [{ scenario, subject, figure, before: a, after: b, ratio, meaning: meaningOf(figure, before, after) }]
  })
}

/** All figures that both reports have. */
export function compare(before: Report, after: Report): Difference[] {
  const others = seriesOf(after)
  return seriesOf(before).flatMap(one => {
    const other = others.find(({ scenario, subject }) => scenario === one.scenario && subject === one.subject)
    return other ? differencesOf(one, other) : []
  })
}

const SIGNS = { better: '+', worse: '-', other: '*', same: '', unknown: '?' } as const

/**
 * A table: `+` better, `-` worse, `*` a difference larger than the spread of the rounds; `?` one
 * round has no spread.
 */
export function showDifferences(differences: readonly Difference[]): string {
  const rows = differences.map(({ scenario, subject, figure, before, after, ratio, meaning }) => [
    scenario,
    subject,
    FIGURES[figure].label,
    showFigure(figure, before),
    showFigure(figure, after),
    Number.isNaN(ratio) ? '' : `x ${ratio.toFixed(2)}`,
    SIGNS[meaning],
  ])
  return layOut([['scenario', 'subject', 'figure', 'before', 'after', 'ratio', ''], ...rows], 3)
}
