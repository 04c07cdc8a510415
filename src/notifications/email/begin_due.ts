import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const begin = query('notifications/email/begin', { limit: c.integer }, { begun: c.integer })

/** The number of e-mails in one transaction. */
const BATCH_SIZE = 500

/** Begins to send the e-mails whose two minutes have passed: a job each, with its own attempts. */
export const beginDueEmails = job<null, Services>(
  'notification_mail.begin',
  () => null,
  async (_, { database }, { signal }) => {
    let begun = BATCH_SIZE
    while (begun === BATCH_SIZE) {
      signal.throwIfAborted()
      begun = (await database.one(begin, { limit: BATCH_SIZE }))?.begun ?? 0
    }
  },
)
