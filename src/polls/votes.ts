import { c, query } from '../database/index.ts'
import type { Id } from '../id.ts'
import type { Services } from '../services.ts'

const findVotes = query('polls/votes', { viewer: c.id, polls: c.ids }, { poll_id: c.id, choices: c.integers })

/** What the viewer chose in these polls; those without a vote are missing from the map. */
export async function votesOf(
  { database }: Services,
  viewer: Id,
  polls: readonly Id[],
): Promise<ReadonlyMap<Id, readonly number[]>> {
  if (polls.length === 0) return new Map()
  const rows = await database.run(findVotes, { viewer, polls: [...polls] })
  return new Map(rows.map(row => [row.poll_id, row.choices]))
}
