import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { isMailType } from './type.ts'

const cancelEmails = query('notifications/email/cancel', { notifications: c.ids }, { removed: c.integer })

/** Cancels the e-mails of notifications that were streamed to their recipients. */
export interface PendingEmails {
  /**
   * Records that the notification was streamed. Records are processed in batches, long before the
   * e-mails are due.
   */
  note(notification: Id, type: unknown): void
}

const TOGETHER_MS = 5_000
const MAX_AT_ONCE = 500

/** If a process ends before its batch is processed, an unnecessary e-mail is sent. */
export const pendingEmails: (services: Services) => PendingEmails = perServer(services => {
  const { database, logger } = services
  const noted = new Set<Id>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    timer = undefined
    const notifications = [...noted]
    noted.clear()
    for (let at = 0; at < notifications.length; at += MAX_AT_ONCE) {
      await database.run(cancelEmails, { notifications: notifications.slice(at, at + MAX_AT_ONCE) })
    }
  }

  services.onClose(() => clearTimeout(timer))
  return {
    note(notification, type) {
      if (!isMailType(type)) return
      noted.add(notification)
      timer ??= setTimeout(() => {
        flush().catch((error: unknown) => logger.warn({ err: error }, 'unnecessary e-mails could not be cancelled'))
      }, TOGETHER_MS).unref()
    },
  }
})
