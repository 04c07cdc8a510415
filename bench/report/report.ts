import type { FigureName, Figures } from './figures.ts'

/** One measurement of one round. */
export interface Result {
  readonly scenario: string
  /** The server, or the baseline that it is compared with. */
  readonly subject: string
  readonly round: number
  /** The unit of the rate, such as `requests` or `messages`. */
  readonly unit: string
  readonly figures: Figures
  /** The statements with the largest total time, longest first. */
  readonly statements?: readonly Statement[]
  /** Memory over time: of the server what is resident. */
  readonly memory?: readonly Sample[]
}

/** The total time of a statement. */
export interface Statement {
  readonly text: string
  readonly calls: number
  readonly seconds: number
}

export interface Sample {
  /** Since the start of the measurement. */
  readonly seconds: number
  readonly megabytes: number
}

export interface Report {
  readonly startedAt: string
  readonly machine: { cpu: string; cores: number; memoryBytes: number; node: string }
  readonly target: string
  /** The command line that reproduces it. */
  readonly command: string
  readonly options: { seconds: number; warmup: number; repeat: number }
  readonly results: Result[]
  /** Caveats, such as that a load generator was the bottleneck. */
  readonly warnings: string[]
}

/** The median of some numbers; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Half of the range. */
export const spread = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : (Math.max(...values) - Math.min(...values)) / 2

/** The results of one subject in several rounds. */
export interface Series {
  readonly scenario: string
  readonly subject: string
  readonly unit: string
  readonly rounds: readonly Result[]
}

/** The rounds of each subject, in the order of their first. */
export function seriesOf({ results }: Pick<Report, 'results'>): Series[] {
  const series = new Map<string, Result[]>()
  for (const result of results) {
    const key = `${result.scenario}\n${result.subject}`
    series.set(key, [...(series.get(key) ?? []), result])
  }
  return [...series.values()].flatMap(rounds => {
    const [first] = rounds
    return first ? [{ scenario: first.scenario, subject: first.subject, unit: first.unit, rounds }] : []
  })
}

/** The values of a figure in the rounds that have it. */
export const valuesOf = ({ rounds }: Pick<Series, 'rounds'>, name: FigureName): number[] =>
  rounds.flatMap(({ figures }) => figures[name] ?? [])
