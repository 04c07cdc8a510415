import { c, query } from '../../platform/database/index.ts'
import type { StatusReference } from '../documents/index.ts'

/** Finds a local status or boost, also a deleted one. */
export const findSentStatus = query(
  'federation/send/sent_status',
  { status: c.id },
  {
    account_id: c.id,
    created_at: c.timestamp,
    edited_at: c.nullable(c.timestamp),
    visibility: c.visibility,
    deleted: c.boolean,
    boosted: c.nullable(c.json<StatusReference>()),
  },
)
