import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { ADDRESSED, type Addressed } from '../../statuses/index.ts'
import { activityOf, type ExportedStatus, type Owner } from './activity.ts'

const findStatuses = query(
  'auth/data_export/statuses',
  { account: c.id, after: c.id },
  {
    id: c.id,
    created_at: c.timestamp,
    edited_at: c.nullable(c.timestamp),
    content: c.text,
    spoiler_text: c.text,
    visibility: c.visibility,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    in_reply_to_id: c.nullable(c.id),
    reblog_of_id: c.nullable(c.id),
    quoted_status_id: c.nullable(c.id),
    mentions: c.json<ExportedStatus['mentions']>(),
    tags: c.texts,
    attachments: c.json<ExportedStatus['attachments']>(),
    poll_options: c.nullable(c.texts),
    poll_tallies: c.nullable(c.integers),
    poll_multiple: c.nullable(c.boolean),
    poll_voters: c.nullable(c.integer),
    poll_expires_at: c.nullable(c.timestamp),
    poll_ended_at: c.nullable(c.timestamp),
  },
)
const findReferenced = query('auth/data_export/referenced', { ids: c.ids }, ADDRESSED)

/** The URIs of statuses that the given statuses reply to, boost or quote. */
async function referredBy(database: Runner, statuses: readonly ExportedStatus[]): Promise<Map<Id, Addressed>> {
  const ids = statuses
    .flatMap(status => [status.in_reply_to_id, status.reblog_of_id, status.quoted_status_id])
    .filter(id => id !== null)
  const rows = ids.length === 0 ? [] : await database.run(findReferenced, { ids: [...new Set(ids)] })
  return new Map(rows.map(row => [row.id, row]))
}

/** An account's posts and boosts as activities, oldest first. */
export async function* outboxOf(database: Runner, owner: Owner): AsyncGenerator<object> {
  for (let after: Id = '0'; ;) {
    const statuses = await database.run(findStatuses, { account: owner.id, after })
    const referred = await referredBy(database, statuses)
    for (const status of statuses) yield activityOf(status, owner, referred)
    const last = statuses.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
