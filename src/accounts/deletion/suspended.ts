import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { requestRemoval } from './remove.ts'

const findDue = query('accounts/deletion/due', { before: c.timestamp, limit: c.integer }, { id: c.id })

/** How long a suspension can be undone. */
const KEPT_MS = 30 * 86_400_000
const AT_ONCE = 100

/**
 * Once an hour: deletes the data of accounts suspended for 30 days. Their names and addresses stay
 * reserved.
 */
export const removeSuspended = job<undefined, Services>(
  'account_removal.suspended',
  () => undefined,
  async (_, { database }, { signal }) => {
    const before = new Date(Date.now() - KEPT_MS)
    for (;;) {
      signal.throwIfAborted()
      const due = await database.run(findDue, { before, limit: AT_ONCE })
      for (const { id } of due) {
        await database.transaction(transaction => requestRemoval(transaction, { account: id, freesName: false }))
      }
      if (due.length < AT_ONCE) return
    }
  },
  { cron: '23 * * * *' },
)
