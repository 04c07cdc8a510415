import { c, query } from '../platform/database/index.ts'
import { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'

const findSeverances = query(
  'notifications/severances',
  { ids: c.ids },
  {
    id: c.id,
    type: c.text,
    purged: c.boolean,
    target_name: c.text,
    followers_count: c.integer,
    following_count: c.integer,
    created_at: c.timestamp,
  },
)

/** The RelationshipSeveranceEvent entities by id. */
export async function renderSeverances(
  { database }: Services,
  _viewer: Viewer,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Json>> {
  const rows = await database.run(findSeverances, { ids: [...ids] })
  return new Map(rows.map(row => [row.id, new Json(JSON.stringify(row))]))
}
