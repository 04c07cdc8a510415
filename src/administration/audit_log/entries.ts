import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'

const pageQuery = query(
  'administration/audit_log/entries',
  {
    moderator: c.nullable(c.text),
    action: c.nullable(c.text),
    target_type: c.nullable(c.text),
    target_id: c.nullable(c.id),
    max_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  {
    id: c.id,
    account_id: c.nullable(c.id),
    moderator: c.nullable(c.text),
    action: c.text,
    target_type: c.text,
    target_id: c.nullable(c.id),
    target_name: c.text,
    created_at: c.timestamp,
  },
)

export type LogEntry = Row<typeof pageQuery.columns>

/** Conditions on entries of the log; absent ones do not apply. */
export interface LogFilter {
  /** The moderator's username; an empty one selects the operator. */
  readonly moderator?: string | undefined
  readonly action?: string | undefined
  readonly target_type?: string | undefined
  readonly target_id?: Id | undefined
  /** Only entries below this id, or above that one. */
  readonly max_id?: Id | undefined
  readonly min_id?: Id | undefined
}

/** A page of the log, newest entry first, and whether there are more entries on either side. */
export interface LogPage {
  readonly entries: readonly LogEntry[]
  readonly hasNewer: boolean
  readonly hasOlder: boolean
}

/** Reads a page of the log of moderators' actions. */
export async function readLog(database: Database, filter: LogFilter, limit: number): Promise<LogPage> {
  const { moderator = null, action = null, target_type = null, target_id = null } = filter
  const { max_id = null, min_id = null } = filter
  const rows = await database.run(pageQuery, {
    moderator,
    action,
    target_type,
    target_id,
    max_id,
    min_id,
    limit: limit + 1,
  })
  const hasMore = rows.length > limit
  const entries = rows.slice(0, limit)
  return min_id === null
    ? { entries, hasNewer: max_id !== null, hasOlder: hasMore }
    : { entries: entries.toReversed(), hasNewer: hasMore, hasOlder: true }
}
