import type { Connection, Outgoing } from './connection.ts'
import type { CpuMeter, CpuUse } from './cpu_meter.ts'

export interface SlowOptions {
  /** The limit of a response. */
  readonly slowMs: number
  readonly cpu?: CpuMeter
}

/** The part of a late response's time for which the event loop must not have computed. */
const MOSTLY = 0.8
/** So many times the limit is too long even if the same request is fast the next time. */
const HANG = 10

interface Measured {
  readonly tookMs: number
  readonly use: CpuUse | undefined
}

/** The time that it would have taken, had the server had the processors for itself. */
const ownMs = ({ tookMs, use }: Measured): number => tookMs * (use?.share ?? 1)

/** Whether the event loop computed for most of the time. */
const computed = ({ tookMs, use }: Measured): boolean => (use?.loopMs ?? 0) > tookMs * MOSTLY

const describe = ({ tookMs, use }: Measured): string =>
  `${Math.round(tookMs)} ms` +
  (use ? ` (event loop ${Math.round(use.loopMs)} ms, share of a processor ${use.share.toFixed(2)})` : '')

/**
 * Decides whether a late response is the server's fault. On a machine with other work its time does
 * not say so: it is multiplied by the share of the processors that the server had. What is late
 * even then, or kept the event loop computing for most of the time, is sent again, and is the
 * server's fault when that is so again, or when it was very late. Once is not enough: other
 * requests and jobs compute too, and a fuzzer that had to wait itself measures a longer time.
 * @returns what is known of it when the server is not to blame
 * @throws Error when it is
 */
export async function judgeSlow(
  connection: Connection,
  sent: Outgoing,
  tookMs: number,
  { slowMs, cpu }: SlowOptions,
): Promise<string> {
  const first: Measured = { tookMs, use: cpu?.since(performance.now() - tookMs) }
  if (ownMs(first) > slowMs * HANG) throw new Error(describe(first))
  const excuse = `${sent.method} ${sent.path.slice(0, 100)}: ${describe(first)}`
  if (ownMs(first) <= slowMs && !computed(first)) return excuse
  const startedMs = performance.now()
  const again = await connection.send(sent)
  const second: Measured = { tookMs: again.tookMs, use: cpu?.since(startedMs) }
  const isLate = ownMs(second) > slowMs || (second.tookMs > slowMs && computed(second))
  if (isLate) throw new Error(`${describe(first)}, then ${describe(second)}`)
  return `${excuse}, then ${describe(second)}`
}
