import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { revokeAll } from '../oauth/index.ts'

const mark = query(
  'auth/user_access/memorialize',
  { moderator: c.nullable(c.id), account: c.id },
  { user_id: c.id, events: c.events },
)

/**
 * Makes a local account the memorial of somebody who has died, with an entry in the audit log:
 * nobody can sign in to it afterwards. It cannot be undone.
 * @param moderator null: the operator; the caller checks permission and rank
 * @returns false when it is one already, or has no user
 */
export const memorialize = (database: Database, moderator: Id | null, account: Id): Promise<boolean> =>
  database.transaction(async transaction => {
    const row = await transaction.one(mark, { moderator, account })
    if (row) await revokeAll(transaction, row.user_id)
    return row !== undefined
  })
