import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { requestRemoval } from './remove.ts'

const lockDue = query('accounts/deletion/lock_due', { limit: c.integer }, { id: c.id })

const BATCH_SIZE = 100

/**
 * Deletes the data of accounts that were suspended 30 days ago; the suspension enqueues it (SQL
 * function `enqueue_removal`). Their names and addresses stay reserved. Accounts whose suspension
 * has been lifted, or is more recent, are left alone.
 */
export const removeSuspended = job<undefined, Services>(
  'account_removal.suspended',
  () => undefined,
  async (_, { database }, { signal }) => {
    const removeSome = (): Promise<number> =>
      database.transaction(async transaction => {
        const due = await transaction.run(lockDue, { limit: BATCH_SIZE })
        for (const { id } of due) await requestRemoval(transaction, { account: id, freesName: false })
        return due.length
      })
    do signal.throwIfAborted()
    while ((await removeSome()) === BATCH_SIZE)
  },
)
