/** Latency in milliseconds at some percentiles. */
export interface Latency {
  p50: number
  p90: number
  p99: number
  p999: number
  max: number
  mean: number
}

/** One measurement of one round. Rates are a second. */
export interface Result {
  scenario: string
  /** What was measured: the server, or the ceiling that it is compared with. */
  subject: string
  round: number
  /** What the rate counts, such as `requests` or `messages`. */
  unit: string
  rate: number
  latency: Latency
  errors: number
  /** Messages that should have come and did not. */
  lost: number
  /** CPU seconds a second of the load generator, over all its processes: at 1 a process is what limits. */
  loadCpu: number
  /** CPU seconds a second of the server; undefined for a server of somebody else. */
  serverCpu: number | undefined
  /** Resident memory of the server in bytes. */
  serverMemoryBytes: number | undefined
}

export interface Report {
  startedAt: string
  machine: { cpu: string; cores: number; memoryBytes: number; node: string }
  target: string
  options: { seconds: number; warmup: number; repeat: number }
  results: Result[]
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Results of the same thing in several rounds. */
export interface Series {
  scenario: string
  subject: string
  unit: string
  rounds: Result[]
}

/** The rounds of each subject together, in the order of their first. */
export function seriesOf(report: Report): Series[] {
  const series = new Map<string, Series>()
  for (const result of report.results) {
    const key = `${result.scenario}\n${result.subject}`
    const known = series.get(key) ?? { ...result, rounds: [] }
    known.rounds.push(result)
    series.set(key, known)
  }
  return [...series.values()].map(({ scenario, subject, unit, rounds }) => ({ scenario, subject, unit, rounds }))
}
