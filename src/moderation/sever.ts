import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const severPart = query('moderation/sever', { account: c.id, limit: c.integer }, { ended: c.integer, events: c.events })

/** The number of follows that one transaction ends. */
const BATCH_SIZE = 500

/**
 * Ends the follows of a suspended remote account, whose server would still receive posts, and
 * notifies the accounts that it followed. Works in short transactions; can be repeated after an
 * interruption.
 */
export const severSuspended = job<{ account: Id }, Services>(
  'moderation.sever',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, { database }, { signal }) => {
    for (let ended = BATCH_SIZE; ended === BATCH_SIZE;) {
      signal.throwIfAborted()
      ended = (await database.one(severPart, { account, limit: BATCH_SIZE }))?.ended ?? 0
    }
  },
)
