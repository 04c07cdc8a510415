import type { FigureName } from './figures.ts'
import { median, spread, type Report, type Result } from './report.ts'

/** A goal for a figure. */
export interface Goal {
  /** One line, such as `at least 60 % of the rate of the bare route`. */
  readonly text: string
  readonly scenario: string
  readonly subject: string
  readonly figure: FigureName
  /**
   * The figure is divided by this one of the same round, so that disturbances of the machine affect
   * both.
   */
  readonly of?: { readonly scenario?: string; readonly subject: string; readonly figure?: FigureName }
  readonly min?: number
  readonly max?: number
}

/** The result of a goal: the median of the rounds. */
export interface Verdict {
  readonly goal: Goal
  readonly value: number
  readonly spread: number
  readonly met: boolean
}

function valueIn(round: Result, { figure, of }: Goal, results: readonly Result[]): number | undefined {
  const value = round.figures[figure]
  if (!of) return value
  const base = results.find(
    other =>
      other.round === round.round && other.scenario === (of.scenario ?? round.scenario) && other.subject === of.subject,
  )?.figures[of.figure ?? figure]
  return value === undefined || base === undefined || base === 0 ? undefined : value / base
}

/** Evaluates the goals; goals of figures that were not measured are omitted. */
export function checkGoals({ results }: Pick<Report, 'results'>, goals: readonly Goal[]): Verdict[] {
  return goals.flatMap(goal => {
    const rounds = results.filter(({ scenario, subject }) => scenario === goal.scenario && subject === goal.subject)
    const values = rounds.flatMap(round => valueIn(round, goal, results) ?? [])
    if (values.length === 0) return []
    const value = median(values)
    const met = value >= (goal.min ?? -Infinity) && value <= (goal.max ?? Infinity)
    return [{ goal, value, spread: spread(values), met }]
  })
}
