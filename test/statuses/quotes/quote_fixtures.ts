import { entity, type Entity } from '../status_fixtures.ts'
import type { Client } from '../../support/client.ts'
import type { Person } from '../../support/people.ts'

/** Posts a status that quotes another. */
export const quote = (who: Person, quoted: string, more: Record<string, unknown> = {}): Promise<Entity> =>
  who.postStatus('look', { quoted_status_id: quoted, ...more })

/** The quote in a status' entity. */
export const quoteOf = (status: unknown): Record<string, unknown> => entity(entity(status)['quote'])

/** The quote of a status for a viewer: its state, and the quoted status. */
export async function seenBy(who: Client, id: string): Promise<[unknown, unknown]> {
  const found = quoteOf((await who.get(`/api/v1/statuses/${id}`)).json)
  const quoted = found['quoted_status'] as { id: string } | null
  return [found['state'], quoted && quoted.id]
}
