import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../failure.ts'

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 1000
/** Less than the hub waits for the frames of an event. */
const PATIENCE_MS = 14_000

/** Whether the database is away, as when a connection was cut or while the server restarts. Any other error would come again. */
export const isPassing = (error: unknown): boolean => error instanceof Failure && error.failure === 'unavailable'

/** For work that is tried again while the database is away: each call waits longer; false when it has taken too long already. */
export function createPatience(): () => Promise<boolean> {
  const until = performance.now() + PATIENCE_MS
  let waitMs = FIRST_WAIT_MS
  return async () => {
    if (performance.now() + waitMs > until) return false
    await delay(waitMs)
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)
    return true
  }
}
