/** How long events take from their row to the sockets. */
export interface Lag {
  /** Messages of an event that was written then have just been given to the outbox. @param writtenAt by `performance.now()` */
  note(writtenAt: number): void
}

/**
 * Looks at the clock when the outbox has been emptied, once for all events of a turn: it is asked for later than the outbox, so it comes
 * after it. What waits in the buffer of a slow reader after that is not seen.
 */
export function createLag(observe: (lagMs: number) => void): Lag {
  let written: number[] = []

  function look(): void {
    const now = performance.now()
    const noted = written
    written = []
    for (const at of noted) observe(now - at)
  }

  return {
    note(writtenAt) {
      if (written.push(writtenAt) === 1) setImmediate(look)
    },
  }
}
