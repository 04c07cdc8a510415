import { rm, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { enqueue, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { workFolder } from '../../platform/storage/index.ts'
import { removeFiles } from '../../platform/storage/files.ts'

const remove = query('media/attachments/remove', { account: c.id, id: c.id }, { used: c.boolean, keys: c.texts })
const expire = query('media/attachments/expire', { before: c.timestamp, limit: c.integer }, { keys: c.texts })

const KEPT_MS = 24 * 60 * 60 * 1000
const BATCH = 100

/** Deletes an unattached file. */
export const removeMedia = operation({
  method: 'DELETE',
  path: '/api/v1/media/:id',
  auth: 'user',
  scopes: ['write:media'],
  summary: 'Delete an unattached file',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    const removed = await database.transaction(async transaction => {
      const row = await transaction.one(remove, { account: viewer.id, id })
      if (row && !row.used) await enqueue(transaction, removeFiles, { keys: row.keys })
      return row
    })
    if (!removed) throw new ApiError('notFound')
    if (removed.used) throw new ApiError('validation', { message: 'Media attachment is currently used by a status' })
    return {}
  },
})

/** Removes the working files of conversions that ended with their server. */
async function emptyWorkFolder(services: Services, before: Date): Promise<void> {
  const folder = workFolder(services)
  for (const name of await readdir(folder).catch(() => [])) {
    const left = path.join(folder, name)
    const found = await stat(left).catch(() => undefined)
    if (found && found.mtime < before) await rm(left, { recursive: true, force: true })
  }
}

/**
 * Removes attachments that have belonged to no status since a time, and their files by a job.
 * @returns their number
 */
export async function removeUnattached(
  database: Services['database'],
  { before, signal, each }: { before: Date; signal?: AbortSignal; each?(removed: number): void },
): Promise<number> {
  let removed = 0
  for (let found = BATCH; found === BATCH;) {
    if (signal?.aborted) break
    found = await database.transaction(async transaction => {
      const rows = await transaction.run(expire, { before, limit: BATCH })
      const keys = rows.flatMap(row => row.keys)
      if (keys.length > 0) await enqueue(transaction, removeFiles, { keys })
      return rows.length
    })
    removed += found
    each?.(found)
  }
  return removed
}

/** Removes files that were not posted within a day, and files of deleted statuses. */
export const expireMedia = job<undefined, Services>(
  'media.expire',
  () => undefined,
  async (_, services, { signal }) => {
    const before = new Date(Date.now() - KEPT_MS)
    await removeUnattached(services.database, { before, signal })
    await emptyWorkFolder(services, before)
  },
  { cron: '23 * * * *' },
)
