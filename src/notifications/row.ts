import { c, type Row } from '../platform/database/index.ts'

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
