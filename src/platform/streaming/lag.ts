/** Measures the time from an event's row to the sockets. */
export interface Lag {
  /**
   * Call when the messages of an event have been put into the write queue.
   * @param writtenAt by `performance.now()`
   */
  record(writtenAt: number): void
}

/**
 * Records the lag once a turn, after the write queue was flushed (its setImmediate is registered
 * later). The time in the buffer of a slow reader is not included.
 */
export function createLag(observe: (lagMs: number) => void): Lag {
  let written: number[] = []

  function observeAll(): void {
    const now = performance.now()
    const recorded = written
    written = []
    for (const at of recorded) observe(now - at)
  }

  return {
    record(writtenAt) {
      if (written.push(writtenAt) === 1) setImmediate(observeAll)
    },
  }
}
