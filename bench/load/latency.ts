import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { Figures } from '../report/figures.ts'

const MAX_US = 600_000_000

/** A histogram of latencies: microseconds from 1 to ten minutes, three digits exact. */
export interface Latencies {
  /** What is longer than ten minutes counts as ten minutes. */
  record(microseconds: number): void
  readonly count: number
  /** As text, to be sent to another process. */
  encode(): string
}

const fresh = (): Histogram =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_US,
    numberOfSignificantValueDigits: 3,
    useWebAssembly: false,
  })

export function createLatencies(): Latencies {
  const histogram = fresh()
  return {
    record: microseconds => histogram.recordValue(Math.min(MAX_US, Math.max(1, Math.round(microseconds)))),
    get count() {
      return histogram.totalCount
    },
    encode: () => encodeIntoCompressedBase64(histogram),
  }
}

/** The latency figures, in milliseconds, of what several processes recorded; none when nothing was. */
export function latencyFigures(encoded: readonly string[]): Figures {
  const all = fresh()
  for (const text of encoded) all.add(decodeFromCompressedBase64(text, 32, false))
  if (all.totalCount === 0) return {}
  const at = (percentile: number): number => all.getValueAtPercentile(percentile) / 1000
  return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: all.maxValue / 1000, mean: all.mean / 1000 }
}

/** Microseconds of the machine's monotonic clock, the same in each of its processes. */
export const nowMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n)
