import { c, query, type Runner } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { enqueue } from '../platform/jobs/index.ts'
import { notifyMany } from './notify.ts'

const mark = query('statuses/mark_sensitive', { ids: c.ids, sensitive: c.boolean }, { marked: c.ids, events: c.events })

/**
 * Marks statuses as sensitive on behalf of the moderators, or no longer. Accounts that boosted or
 * quote them are notified as of any edit.
 */
export async function markSensitive(transaction: Runner, ids: readonly Id[], sensitive = true): Promise<void> {
  const done = await transaction.one(mark, { ids: [...ids], sensitive })
  for (const status_id of done?.marked ?? []) {
    await enqueue(transaction, notifyMany, { status_id, type: 'update' })
    await enqueue(transaction, notifyMany, { status_id, type: 'quoted_update' })
  }
}
