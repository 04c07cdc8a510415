import { setTimeout as delay } from 'node:timers/promises'
import { isConnectionLost, isNotSent, isWriteRefused } from './failures.ts'

/** Pauses before each further try; together as long as a restart of PostgreSQL takes, and less than clients wait for an answer. */
const AGAIN_AFTER_MS = [20, 80, 200, 500, 1000, 1500, 2000, 2000]

/**
 * Runs a statement, again and again for about seven seconds while the database is away. This is the only place that does so: whoever
 * hears of a lost database after that gives up, or ends what depends on it.
 *
 * What never reached the server is simply run again. Of what was cut off nobody knows whether it was executed, so it is repeated by
 * `reread`, in a read-only transaction: to whatever writes PostgreSQL refuses that, and then the first failure stands.
 */
export async function withConnectionRetry<T>(
  run: () => Promise<T>,
  reread: () => Promise<T>,
  pause: (ms: number) => Promise<unknown> = delay,
): Promise<T> {
  let cut: unknown
  for (let round = 0; ; round += 1) {
    try {
      return await (cut === undefined ? run() : reread())
    } catch (error) {
      if (cut !== undefined && isWriteRefused(error)) throw cut
      if (!isConnectionLost(error)) throw error
      if (!isNotSent(error)) cut ??= error
      const waitMs = AGAIN_AFTER_MS[round]
      if (waitMs === undefined) throw error
      await pause(waitMs)
    }
  }
}
