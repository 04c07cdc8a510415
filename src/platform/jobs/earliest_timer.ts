export interface EarliestTimer {
  /** Fires at this time (milliseconds since the epoch), unless an earlier time is set. */
  at(timeMs: number): void
  clear(): void
}

/** Timers cannot be longer; firing early is harmless. */
const MAX_MS = 3_600_000

/** A timer that fires at the earliest of the times it was given. */
export function createEarliestTimer(fire: () => void): EarliestTimer {
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
          fire()
        },
        Math.min(Math.max(timeMs - Date.now(), 0), MAX_MS),
      )
    },
    clear,
  }
}
