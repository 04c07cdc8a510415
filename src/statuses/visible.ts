import { c, query, type Row } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'

const visible = query(
  'statuses/visible',
  { viewer: c.nullable(c.id), status: c.id },
  {
    id: c.id,
    account_id: c.id,
    conversation_id: c.nullable(c.id),
    visibility: c.visibility,
    reblog_of_id: c.nullable(c.id),
  },
)

/** A status, if the viewer (null for anonymous) may see it. */
export const findVisible = (
  { database }: Services,
  viewer: Viewer | null,
  status: Id,
): Promise<Row<typeof visible.columns> | undefined> => database.one(visible, { viewer: viewer?.id ?? null, status })
