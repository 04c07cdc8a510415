import { c, query } from '../../platform/database/index.ts'
import type { StatusReference } from '../documents/index.ts'

/** A local status or boost, even a deleted one, as activities about it need it. */
export const findSent = query(
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
