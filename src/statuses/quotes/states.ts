import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'

const findStates = query(
  'statuses/quotes/states',
  { viewer: c.nullable(c.id), ids: c.ids },
  { status_id: c.id, quoted_status_id: c.nullable(c.id), state: c.text },
)

/** A quote as the viewer sees it. */
export interface SeenQuote {
  /** The `state` of the entity Quote. */
  readonly state: string
  /** The quoted status; null when it is deleted or hidden from the viewer, whatever the state. */
  readonly quotedId: Id | null
}

/** States in which the quote includes the quoted status. */
const SHOWN = new Set(['accepted', 'blocked_account', 'blocked_domain', 'muted_account'])

/** The quoted status, if the quote includes it. */
export const shownOf = ({ state, quotedId }: SeenQuote): Id | null => (SHOWN.has(state) ? quotedId : null)

/** The quotes in these statuses, and the quotes in the quoted statuses, by the quoting status. */
export async function quotesOf(
  { database }: Services,
  viewer: Id | null,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, SeenQuote>> {
  if (ids.length === 0) return new Map()
  const rows = await database.run(findStates, { viewer, ids: [...ids] })
  return new Map(rows.map(row => [row.status_id, { state: row.state, quotedId: row.quoted_status_id }]))
}
