import type { Runner } from './database.ts'
import { Execution, type Exchange } from './prepared_statement.ts'

interface Waiting {
  readonly exchange: Exchange
  /** Passes the rows on. */
  succeed(): void
  runAlone(): void
}

/** More would make the first ones wait for the last ones. */
const MAX_TOGETHER = 16

/**
 * Sends the quick reads that are requested in one turn of the event loop together: a round trip
 * costs both processes more than such a statement. When they fail together, each is run alone.
 * @param sendTogether resolves when all have their rows
 * @param runAlone runs one statement, with the usual retries
 */
export function createPipeline(
  sendTogether: (exchanges: readonly Exchange[]) => Promise<void>,
  runAlone: Runner['run'],
): Runner['run'] {
  let waiting: Waiting[] = []

  async function send(part: readonly Waiting[]): Promise<void> {
    try {
      await sendTogether(part.map(({ exchange }) => exchange))
    } catch {
      for (const one of part) one.runAlone()
      return
    }
    for (const one of part) one.succeed()
  }

  function flush(): void {
    const all = waiting
    waiting = []
    const [only] = all
    if (only && all.length === 1) only.runAlone()
    else for (let from = 0; from < all.length; from += MAX_TOGETHER) void send(all.slice(from, from + MAX_TOGETHER))
  }

  return (query, parameters) =>
    new Promise(resolve => {
      const execution = new Execution(query, parameters)
      waiting.push({
        exchange: execution,
        succeed: () => resolve(execution.rows),
        runAlone: () => resolve(runAlone(query, parameters)),
      })
      if (waiting.length === 1) setImmediate(flush)
    })
}
