import { query, type Database } from '../database/index.ts'
import { createCoalescedTask, type CoalescedTask } from './coalesced_task.ts'
import type { Logger } from './reader.ts'

const notifyReaders = query('platform/events/tell', {}, {})

/**
 * Rung, it tells the readers of the log, in all processes, that there are new events: for statements that keep the trigger on `events` from
 * notifying (millrace.defer_notify in sql/migrations/0001_foundation.sql). One notification at a time, and one more for all that committed while it was under way.
 * A process that is killed between a commit and this leaves readers in others to hear of it with the next event, or when it starts
 * again: it tells them then.
 */
export const createNotifier = (database: Database, logger: Logger, retryMs: number): CoalescedTask =>
  createCoalescedTask(
    async () => {
      await database.run(notifyReaders, {})
      return undefined
    },
    error => {
      logger.warn({ err: error }, 'readers of the event log in other processes hear later')
      return retryMs
    },
  )
