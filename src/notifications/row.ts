import { c, type Row } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { intern } from '../core/interner.ts'
import { TYPES_WITH_STATUS } from './type.ts'

/** The columns of notifications, in all queries that read them. */
export const notificationColumns = {
  id: c.id,
  type: c.text,
  from_account_id: c.id,
  status_id: c.nullable(c.id),
  group_key: c.text,
  filtered: c.boolean,
  created_at: c.timestamp,
} as const

export type NotificationRow = Row<typeof notificationColumns>

/** The status that is part of the entity. */
export const statusOf = ({
  type,
  status_id,
}: {
  readonly type: string
  readonly status_id: Id | null
}): Id | undefined => (status_id !== null && TYPES_WITH_STATUS.has(type) ? status_id : undefined)

/** The same row with interned ids and type, to save memory. */
export const shareIds = <T extends { type: string; from_account_id: Id; status_id: Id | null }>(row: T): T => ({
  ...row,
  type: intern(row.type),
  from_account_id: intern(row.from_account_id),
  status_id: row.status_id === null ? null : intern(row.status_id),
})

/** A notification, as rendering needs it. */
export interface ListedNotification {
  readonly id: Id
  readonly type: string
  readonly from_account_id: Id
  readonly status_id: Id | null
  readonly filtered: boolean
  /** The entity up to its account. */
  readonly head: string
}

export const toListed = (row: NotificationRow): ListedNotification => ({
  id: row.id,
  type: intern(row.type),
  from_account_id: intern(row.from_account_id),
  status_id: row.status_id === null ? null : intern(row.status_id),
  filtered: row.filtered,
  head:
    `{"id":"${row.id}","type":"${row.type}","group_key":"${row.group_key}"` +
    `,"created_at":"${row.created_at.toISOString()}","account":`,
})
