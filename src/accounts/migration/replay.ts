import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { moveFollowers } from './move_followers.ts'

const LAST = { id: c.id, target: c.text, is_current: c.boolean } as const
const findLast = query('accounts/migration/last', { account: c.id }, LAST)

/** The latest move of an account with its followers; undefined when there was none. */
export const findLastMove = (database: Database, account: Id): Promise<Row<typeof LAST> | undefined> =>
  database.one(findLast, { account })

/** Repeats the move of followers for those that remained, such as later ones. */
export const replayMove = (database: Database, migration: Id): Promise<void> =>
  enqueue(database, moveFollowers, { migration })
