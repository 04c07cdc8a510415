import { c, query } from '../database/index.ts'
import type { Id } from '../id.ts'
import type { Services } from '../services.ts'

const findSeverances = query(
  'notifications/severances',
  { notifications: c.ids },
  {
    notification: c.id,
    id: c.id,
    type: c.text,
    purged: c.boolean,
    target_name: c.text,
    followers_count: c.integer,
    following_count: c.integer,
    created_at: c.timestamp,
  },
)

/**
 * The members that notifications, and groups of them, have by their type beside the status: JSON that begins with a comma, by notification.
 * Those without are missing.
 */
export async function renderDetails(
  { database }: Services,
  rows: readonly { readonly id: Id; readonly type: string }[],
): Promise<Map<Id, string>> {
  const severed = rows.filter(({ type }) => type === 'severed_relationships').map(({ id }) => id)
  const severances = severed.length === 0 ? [] : await database.run(findSeverances, { notifications: severed })
  return new Map(severances.map(({ notification, ...event }) => [notification, `,"event":${JSON.stringify(event)}`]))
}
