import { query, type Database } from '../database/index.ts'
import type { Logger } from './reader.ts'

const tellReaders = query('events/tell', {}, {})

/** Tells the readers of the log, in all processes, that there are new events. */
export interface Teller {
  tell(): void
  /** Waits for what is being told. */
  close(): Promise<void>
}

/**
 * For statements that keep the trigger on `events` from notifying (sql/migrations/0057_post_status.sql). One notification at a time:
 * for all that committed while one was under way there is one more. A process that is killed between a commit and this leaves
 * readers in others to hear of it with the next event, or when it starts again: it tells them then.
 */
export function createTeller(database: Database, logger: Logger): Teller {
  let asked = false
  let telling: Promise<void> | undefined

  async function run(): Promise<void> {
    while (asked) {
      asked = false
      await database.run(tellReaders, {})
    }
  }

  return {
    tell() {
      asked = true
      telling ??= run()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'readers of the event log in other processes hear later'),
        )
        .finally(() => (telling = undefined))
    },
    close: async () => telling,
  }
}
