import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js'
import type { Figures } from '../report/figures.ts'

const MAX_US = 600_000_000

/** A histogram of latencies: microseconds from 1 to ten minutes, with three exact digits. */
export interface Latencies {
  /** More than ten minutes counts as ten minutes. */
  record(microseconds: number): void
  readonly count: number
  /** A text for other processes. */
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

/** The latency figures of several processes in milliseconds; none without observations. */
export function latencyFigures(encoded: readonly string[]): Figures {
  const all = fresh()
  for (const text of encoded) all.add(decodeFromCompressedBase64(text, 32, false))
  if (all.totalCount === 0) return {}
  const at = (percentile: number): number => all.getValueAtPercentile(percentile) / 1000
  return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: all.maxValue / 1000, mean: all.mean / 1000 }
}

/** Microseconds of the machine's monotonic clock, which all processes share. */
export const nowMicroseconds = (): number => Number(process.hrtime.bigint() / 1000n)
