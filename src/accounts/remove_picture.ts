import type { Id } from '../core/id.ts'
import { c, query, type Database } from '../platform/database/index.ts'
import { enqueue } from '../platform/jobs/index.ts'
import { keysOf, removePictures } from './picture.ts'
import type { StoredImage } from './profile.ts'

const remove = query(
  'accounts/remove_picture',
  { moderator: c.nullable(c.id), account: c.id, kind: c.text },
  { picture: c.json<StoredImage>(), events: c.events },
)

/**
 * Removes the avatar or header of somebody's account, with an entry in the audit log.
 * @param moderator null: the operator; the caller checks permission and rank
 * @returns whether there was one
 */
export const removePicture = (
  database: Database,
  moderator: Id | null,
  account: Id,
  kind: 'avatar' | 'header',
): Promise<boolean> =>
  database.transaction(async transaction => {
    const row = await transaction.one(remove, { moderator, account, kind })
    if (!row) return false
    await enqueue(transaction, removePictures, { keys: keysOf(row.picture) })
    return true
  })
