import { c, query, type Database } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

/**
 * The time for which a deleted status is stored, hidden: longer than an Idempotency-Key is
 * remembered.
 */
const DELETED_FOR_MS = 24 * 60 * 60 * 1000
const KEYS_KEPT_MS = 60 * 60 * 1000
const BATCH = 500

const purgeBatch = query('statuses/purge', { before: c.timestamp, limit: c.integer }, { id: c.id })
const deleteInteractions = query('statuses/delete_interactions', { before: c.timestamp }, { removed: c.integer })
const deleteBoosts = query('statuses/delete_boosts', { status: c.id }, { removed: c.integer, events: c.events })
const findWithBoosts = query('statuses/deleted_with_boosts', { before: c.timestamp }, { id: c.id })
const deleteExpiredKeys = query('statuses/delete_expired_keys', { before: c.timestamp }, {})
const removeAttachments = query(
  'statuses/remove_attachments',
  { status: c.id },
  { file_key: c.nullable(c.text), preview_key: c.nullable(c.text) },
)

/** Deletes hidden statuses after a day, and Idempotency-Keys after an hour. */
export const purgeStatuses = job<undefined, Services>(
  'statuses.purge',
  () => undefined,
  async (_, { database }, { signal }) => {
    await database.run(deleteExpiredKeys, { before: new Date(Date.now() - KEYS_KEPT_MS) })
    const before = new Date(Date.now() - DELETED_FOR_MS)
    await deleteLateBoosts(database, before, signal)
    for (let found = 1; found > 0 && !signal.aborted;) {
      for (let left = 1; left > 0 && !signal.aborted;)
        left = (await database.one(deleteInteractions, { before }))?.removed ?? 0
      found = (await database.run(purgeBatch, { before, limit: BATCH })).length
    }
  },
  { cron: '7 * * * *' },
)

/**
 * Deletes the boosts of deleted statuses that the deletion did not see: versions before migration
 * 0085 made boosts without the lock of the status. Takes the parent from replies that an earlier
 * version left.
 */
async function deleteLateBoosts(database: Database, before: Date, signal: AbortSignal): Promise<void> {
  for (let found = 1; found > 0;) {
    const statuses = await database.run(findWithBoosts, { before })
    for (const { id } of statuses) await deleteBoostsOf(database, id, signal)
    found = statuses.length
  }
}

async function deleteBoostsOf(database: Database, status: Id, signal: AbortSignal): Promise<void> {
  for (let left = 1; left > 0;) {
    signal.throwIfAborted()
    left = (await database.one(deleteBoosts, { status }))?.removed ?? 0
  }
}

/**
 * Deletes those boosts and notifications of a deleted status that were too many for its
 * transaction, and takes the parent from such replies; enqueued by `statuses/delete`.
 */
export const deleteRest = job<{ status_id: Id }, Services>(
  'statuses.delete_boosts',
  payload => ({ status_id: idIn(payload, 'status_id') }),
  ({ status_id: status }, { database }, { signal }) => deleteBoostsOf(database, status, signal),
)

/**
 * Removes the files of a deleted status. Files are removed before their rows, so that an
 * interrupted run can be repeated.
 */
export const removeMedia = job<{ status_id: Id }, Services>(
  'statuses.remove_media',
  payload => ({ status_id: idIn(payload, 'status_id') }),
  async ({ status_id: status }, { database, storage }) => {
    await database.transaction(async transaction => {
      for (const { file_key: file, preview_key: preview } of await transaction.run(removeAttachments, { status })) {
        if (file !== null) await storage.remove(file)
        if (preview !== null) await storage.remove(preview)
      }
    })
  },
)
