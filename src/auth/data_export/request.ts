import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { ARCHIVES, makeKey } from '../../platform/storage/index.ts'
import { lockUser, makeArchive } from './archive.ts'

const addRequest = query(
  'auth/data_export/request',
  { user: c.id, file_key: c.text, not_since: c.timestamp },
  { id: c.id },
)

const logRequest = query('auth/data_export/log_request', { moderator: c.nullable(c.id), user: c.id }, { entry: c.id })

const DAY_MS = 86_400_000
/** The minimum interval between a user's requests; the operator has no such limit. */
export const REQUEST_INTERVAL_MS = 7 * DAY_MS

/**
 * Enqueues the archive of a user's data; an e-mail is sent when it is ready.
 * @param options.unlessWithinMs skips it if another archive was requested within this time
 * @param options.moderator the moderator who requests it for the user, null: the operator; adds an
 *   entry to the audit log. Default: the user, without an entry
 * @returns whether the archive was enqueued
 */
export const requestArchive = (
  database: Database,
  user: Id,
  { unlessWithinMs = 0, moderator }: { unlessWithinMs?: number; moderator?: Id | null } = {},
): Promise<boolean> =>
  database.transaction(async transaction => {
    await transaction.run(lockUser, { user })
    const request = await transaction.one(addRequest, {
      user,
      file_key: makeKey(ARCHIVES, 'zip'),
      not_since: new Date(Date.now() - unlessWithinMs),
    })
    if (!request) return false
    if (moderator !== undefined) await transaction.run(logRequest, { moderator, user })
    await enqueue(transaction, makeArchive, { backup: request.id })
    return true
  })
