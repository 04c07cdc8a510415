import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatuses } from '../index.ts'

const nextStatuses = query(
  'statuses/automated_deletion/next_statuses',
  { limit: c.integer },
  { account_id: c.id, ids: c.ids },
)

/** The number of statuses that one transaction deletes at most: events wait for its end. */
const BATCH_SIZE = 20
/** The number of transactions in one run. */
const MAX_BATCHES = 50

/** Once a minute: deletes some old statuses; the accounts that have waited longest come first. */
export const deleteOldStatuses = job<undefined, Services>(
  'statuses.automated_deletion',
  () => undefined,
  async (_, { database }, { signal }) => {
    for (let round = 0; round < MAX_BATCHES; round++) {
      signal.throwIfAborted()
      const found = await database.transaction(async transaction => {
        const next = await transaction.one(nextStatuses, { limit: BATCH_SIZE })
        if (next && next.ids.length > 0)
          await removeStatuses(
            transaction,
            next.ids.map(status => ({ author: next.account_id, status })),
          )
        return next
      })
      if (!found) return
    }
  },
  { cron: '* * * * *' },
)
