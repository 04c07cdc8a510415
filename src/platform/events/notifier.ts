import { query, type Database } from '../database/index.ts'
import { createCoalescedTask, type CoalescedTask } from './coalesced_task.ts'
import type { Logger } from './reader.ts'

const notifyReaders = query('platform/events/tell', {}, {})

/**
 * Notifies all processes of new events. Used after statements that suppress the trigger's own
 * NOTIFY (millrace.defer_notify in sql/migrations/0001_foundation.sql). One notification runs at a
 * time; all commits meanwhile share the next. If a process is killed between a commit and its
 * notification, readers elsewhere see the event with the next one, or when a process starts, since
 * each notifies at its start.
 */
export const createNotifier = (database: Database, logger: Logger, retryMs: number): CoalescedTask =>
  createCoalescedTask(
    async () => {
      await database.run(notifyReaders, {})
      return undefined
    },
    error => {
      logger.warn({ err: error }, 'could not notify other processes of new events; trying again')
      return retryMs
    },
  )
