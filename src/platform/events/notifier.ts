import { randomUUID } from 'node:crypto'
import { c, query, type Database } from '../database/index.ts'
import { createCoalescedTask } from './coalesced_task.ts'
import { createPeers } from './peers.ts'
import type { Logger } from './reader.ts'

const notifyReaders = query('platform/events/notify', { sender: c.text }, {})

/** Notifies the other processes of new events, and handles their notifications. */
export interface Notifier {
  /** Notifies, unless no other process listens. */
  notify(): void
  /** Runs a statement that suppresses the trigger's NOTIFY, and notifies when it has ended. */
  notifyAfter<T>(write: Promise<T>): Promise<T>
  /** Call with the payload of a notification, without one when some may have been missed. */
  received(payload?: string): void
  /** Call each time listening has begun or was lost. */
  listening(isListening: boolean): void
  close(): Promise<void>
}

export interface NotifierOptions {
  readonly database: Database
  readonly logger: Logger
  readonly retryMs: number
  /** The name of sessions that listen. */
  readonly application: string
  /** Makes this process read the log. */
  readonly readOn: () => void
}

/**
 * Used after statements that suppress the trigger's own NOTIFY (millrace.defer_notify in
 * sql/migrations/0001_foundation.sql). One notification runs at a time; all commits meanwhile share
 * the next. If a process is killed between a commit and its notification, readers elsewhere see the
 * event with the next one, or when a process starts, since each notifies at its start.
 */
export function createNotifier({ database, logger, retryMs, application, readOn }: NotifierOptions): Notifier {
  // The payload, by which a process recognises its own notifications.
  const sender = randomUUID()
  const send = async (payload: string): Promise<void> => void (await database.run(notifyReaders, { sender: payload }))

  const task = createCoalescedTask(
    async () => {
      await send(sender)
      peers.sent()
      return undefined
    },
    error => {
      logger.warn({ err: error }, 'could not notify other processes of new events; trying again')
      return retryMs
    },
  )
  const peers = createPeers({ database, logger, retryMs, application, sender, send, notify: task.trigger })

  const notify = (): void => {
    if (!peers.isAlone()) task.trigger()
  }

  return {
    notify,
    async notifyAfter(write) {
      try {
        return await write
      } catch (error) {
        // An interrupted statement may have been committed.
        readOn()
        throw error
      } finally {
        notify()
      }
    },
    received(payload) {
      // After its own commits this process reads at once, without waiting for its notification.
      if (payload !== sender) readOn()
      if (payload !== undefined) peers.received(payload)
    },
    listening: peers.listening,
    async close() {
      await Promise.all([task.close(), peers.close()])
    },
  }
}
