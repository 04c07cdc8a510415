import { stat } from 'node:fs/promises'
import path from 'node:path'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, idIn, job } from '../../platform/jobs/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { removeFiles } from '../../media/attachments/index.ts'
import type { Services } from '../../platform/services.ts'
import { inFolder } from '../../platform/storage/index.ts'
import { entriesOf } from './contents.ts'
import { writeZip } from './zip.ts'

/** Serialises requests and ends of a user's archives, so that each sees those before it. */
export const lockUser = query('auth/data_export/lock_user', { user: c.id }, { id: c.id })
const findRequested = query(
  'auth/data_export/requested',
  { backup: c.id },
  { user_id: c.id, account_id: c.id, file_key: c.text },
)
const finish = query(
  'auth/data_export/finish',
  { backup: c.id, size_bytes: c.bigint },
  { is_newest: c.boolean, keys: c.texts },
)
const deleteArchive = query('auth/data_export/delete', { backup: c.id }, {})

/** Stores the archive under its key; returns its size in bytes. */
const store = (services: Services, account: Id, key: string, signal: AbortSignal): Promise<number> =>
  inFolder(services, async folder => {
    const file = path.join(folder, 'archive.zip')
    await writeZip(file, entriesOf(services, account, folder), signal)
    const { size } = await stat(file)
    await services.storage.putFile(key, file, 'application/zip')
    return size
  })

async function make(services: Services, backup: Id, signal: AbortSignal): Promise<void> {
  const { database, storage } = services
  const archive = await database.one(findRequested, { backup })
  if (!archive) return
  const sizeBytes = await store(services, archive.account_id, archive.file_key, signal)
  const finished = await database.transaction(async transaction => {
    await transaction.run(lockUser, { user: archive.user_id })
    const row = await transaction.one(finish, { backup, size_bytes: String(sizeBytes) })
    if (!row) return false
    if (row.keys.length > 0) await enqueue(transaction, removeFiles, { keys: row.keys })
    if (row.is_newest) await sendNotice(transaction, archive.user_id, 'backup_ready')
    return true
  })
  // The user was deleted in the meantime.
  if (!finished) await storage.remove(archive.file_key)
}

/**
 * Builds a requested archive. After the last failed attempt the request is removed, so that the
 * user can ask again.
 */
export const makeArchive = job<{ backup: Id }, Services>(
  'exports.archive',
  payload => ({ backup: idIn(payload, 'backup') }),
  async ({ backup }, services, { lastAttempt, signal }) => {
    try {
      await make(services, backup, signal)
    } catch (error) {
      if (lastAttempt) await services.database.run(deleteArchive, { backup })
      throw error
    }
  },
  { priority: 100 },
)
