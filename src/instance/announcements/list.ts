import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'

const columns = {
  id: c.id,
  text: c.text,
  content: c.text,
  published: c.boolean,
  all_day: c.boolean,
  starts_at: c.nullable(c.timestamp),
  ends_at: c.nullable(c.timestamp),
  scheduled_at: c.nullable(c.timestamp),
  published_at: c.nullable(c.timestamp),
  created_at: c.timestamp,
}
const all = query('instance/announcements/all', { before: c.nullable(c.id), limit: c.nullable(c.integer) }, columns)
const find = query('instance/announcements/find', { announcement: c.id }, columns)

/** An announcement as administrators see it. */
export type StoredAnnouncement = Row<typeof columns>

/** Announcements of every state, newest first. */
export const listAnnouncements = (
  database: Database,
  { before = null, limit = null }: { readonly before?: Id | null; readonly limit?: number | null } = {},
): Promise<StoredAnnouncement[]> => database.run(all, { before, limit })

/** Undefined if the id does not exist. */
export const findAnnouncement = (database: Database, announcement: Id): Promise<StoredAnnouncement | undefined> =>
  database.one(find, { announcement })
