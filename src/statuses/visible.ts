import { c, query, type Row } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { statusFragments } from './load.ts'
import { viewerStates } from './viewer_states.ts'

const visible = query(
  'statuses/visible',
  { viewer: c.nullable(c.id), status: c.id },
  {
    id: c.id,
    account_id: c.id,
    conversation_id: c.nullable(c.id),
    visibility: c.visibility,
    reblog_of_id: c.nullable(c.id),
    is_remote: c.boolean,
  },
)

/** A status, if the viewer (null for anonymous) may see it. */
export const findVisible = (
  { database }: Services,
  viewer: Viewer | null,
  status: Id,
): Promise<Row<typeof visible.columns> | undefined> => database.one(visible, { viewer: viewer?.id ?? null, status })

/**
 * Whether the viewer may see all of these statuses. It is asked of the caches from which they are
 * rendered, so it costs nothing when they are rendered afterwards, and no query when they were
 * rendered before.
 */
export async function allVisible(services: Services, viewer: Id, ids: readonly Id[]): Promise<boolean> {
  if (ids.length === 0) return true
  const [fragments, states] = await Promise.all([
    statusFragments(services).get(ids),
    viewerStates(services).of(viewer, ids),
  ])
  return ids.every(id => fragments.has(id) && states.has(id))
}
