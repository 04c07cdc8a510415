import { c, query } from '../platform/database/index.ts'

export const ownStatuses = query(
  'moderation/own_statuses',
  { account: c.id, ids: c.ids },
  { id: c.id, has_media: c.boolean, sensitive: c.boolean },
)
