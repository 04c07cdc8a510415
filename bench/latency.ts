import { build, type Histogram } from 'hdr-histogram-js'
import type { Latency } from './report.ts'

/** Microseconds from 1 to a minute, three digits exact. */
export const histogram = (): Histogram =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 60_000_000,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })

/** The figures of a histogram of microseconds, in milliseconds. */
export function latencyOf(recorded: Histogram): Latency {
  const at = (percentile: number): number => recorded.getValueAtPercentile(percentile) / 1000
  return {
    p50: at(50),
    p90: at(90),
    p99: at(99),
    p999: at(99.9),
    max: recorded.maxValue / 1000,
    mean: recorded.mean / 1000,
  }
}
