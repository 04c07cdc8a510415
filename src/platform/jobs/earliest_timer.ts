export interface EarliestTimer {
  /** Rings at this time (milliseconds since the epoch), unless it rings earlier anyway. */
  at(timeMs: number): void
  clear(): void
}

/** Timers cannot be longer; ringing early is harmless. */
const MAX_MS = 3_600_000

/** A timer that keeps the earliest of the times that it was given. */
export function createEarliestTimer(ring: () => void): EarliestTimer {
  let timer: NodeJS.Timeout | undefined
  let earliestMs = Number.POSITIVE_INFINITY

  function clear(): void {
    clearTimeout(timer)
    timer = undefined
    earliestMs = Number.POSITIVE_INFINITY
  }

  return {
    at(timeMs) {
      if (timeMs >= earliestMs) return
      clear()
      earliestMs = timeMs
      timer = setTimeout(
        () => {
          clear()
          ring()
        },
        Math.min(Math.max(timeMs - Date.now(), 0), MAX_MS),
      )
    },
    clear,
  }
}
