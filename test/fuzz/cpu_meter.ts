import { readdirSync, readFileSync } from 'node:fs'

/** What the system says of the threads of a process, in milliseconds since their start. */
interface Times {
  /** The main thread, which runs the event loop, was on a processor. */
  readonly loopMs: number
  /** All threads together were on a processor. */
  readonly ranMs: number
  /** All threads together were ready and had to wait for a processor. */
  readonly waitedMs: number
}

/** What a process did in a time. */
export interface CpuUse {
  readonly loopMs: number
  /**
   * From 0 to 1: the part of the time in which threads that were ready had a processor, of the
   * process or, if smaller, of this one, which takes the time. On a machine with other work
   * everything takes as much longer as this is smaller.
   */
  readonly share: number
}

/** Measures a process while it answers. */
export interface CpuMeter {
  /** Since a time of `performance.now()`; undefined where the system does not say. */
  since(startMs: number): CpuUse | undefined
  stop(): void
}

const EVERY_MS = 250
const KEPT = 600
const NS_A_MS = 1e6

/** Linux counts nanoseconds for each thread; the main thread has the id of the process. */
function readTimes(pid: number): Times | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map(thread => {
      const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number)
      return { thread, ranMs: ran / NS_A_MS, waitedMs: waited / NS_A_MS }
    })
    return {
      loopMs: threads.find(({ thread }) => thread === String(pid))?.ranMs ?? 0,
      ranMs: threads.reduce((sum, { ranMs }) => sum + ranMs, 0),
      waitedMs: threads.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    }
  } catch {
    return undefined // another system, or a thread has just ended
  }
}

function shareOf(from: Times, to: Times): number {
  const [ranMs, waitedMs] = [to.ranMs - from.ranMs, to.waitedMs - from.waitedMs]
  return ranMs + waitedMs > 0 ? ranMs / (ranMs + waitedMs) : 1
}

/** Measures the process several times a second until it is stopped. */
export function startCpuMeter(pid: number): CpuMeter {
  const samples: { readonly atMs: number; readonly times: Times; readonly own: Times }[] = []
  const take = (): void => {
    const [times, own] = [readTimes(pid), readTimes(process.pid)]
    if (times && own) samples.push({ atMs: performance.now(), times, own })
    if (samples.length > KEPT) samples.splice(0, KEPT / 2)
  }
  const timer = setInterval(take, EVERY_MS).unref()
  return {
    since(startMs) {
      const nowMs = performance.now()
      const [now, ownNow] = [readTimes(pid), readTimes(process.pid)]
      // The last before the start: when this process had to wait itself, there is none soon after.
      const then = samples.findLast(({ atMs }) => atMs <= startMs)
      if (!now || !ownNow || !then) return undefined
      const part = (nowMs - startMs) / (nowMs - then.atMs)
      return {
        loopMs: (now.loopMs - then.times.loopMs) * part,
        share: Math.min(shareOf(then.times, now), shareOf(then.own, ownNow)),
      }
    },
    stop: () => clearInterval(timer),
  }
}
