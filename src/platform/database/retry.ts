import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionLost, isNotSent, isWriteRefused } from './failures.ts'

/**
 * The pauses before each retry; their sum covers a restart of PostgreSQL, and is less than clients
 * wait for a response.
 */
const RETRY_DELAYS_MS = [20, 80, 200, 500, 1000, 1500, 2000, 2000]
/** No retry begins after this long: the attempts themselves may take long as well. */
const LAST_RETRY_MS = 8_000

/**
 * Runs a statement, repeatedly for about seven seconds while the database is away. Statements
 * wait for a lost connection only here: a failure after it means that the database stayed away.
 *
 * A statement that never reached the server is simply sent again. An interrupted statement may have
 * been executed, so `retryAsRead` repeats it in a read-only transaction: if it writes, PostgreSQL
 * refuses it, and the first error is thrown.
 */
export async function withConnectionRetry<T>(
  run: () => Promise<T>,
  retryAsRead: () => Promise<T>,
  pause: (ms: number) => Promise<unknown> = delay,
): Promise<T> {
  const started = performance.now()
  let interruption: unknown
  for (let round = 0; ; round += 1) {
    try {
      return await (interruption === undefined ? run() : retryAsRead())
    } catch (error) {
      if (interruption !== undefined && isWriteRefused(error)) throw interruption
      if (!isConnectionLost(error)) throw error
      if (!isNotSent(error)) interruption ??= error
      const waitMs = RETRY_DELAYS_MS[round]
      if (waitMs === undefined || performance.now() - started > LAST_RETRY_MS) throw error
      await pause(waitMs)
    }
  }
}
