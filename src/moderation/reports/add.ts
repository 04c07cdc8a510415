import { c, query } from '../../platform/database/index.ts'

/** Stores a report, and tells the staff about it. */
export const addReport = query(
  'moderation/reports/add',
  {
    reporter: c.id,
    target: c.id,
    application: c.nullable(c.id),
    category: c.text,
    comment: c.text,
    statuses: c.ids,
    collections: c.ids,
    rules: c.nullable(c.ids),
    forwarded: c.nullable(c.boolean),
    forwarded_to: c.texts,
  },
  { id: c.id, mails: c.integer, events: c.events },
)
