import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

const storeAnswer = query(
  'federation/relays/store_answer',
  { follow_uri: c.text, host: c.text, actor: c.text, state: c.text },
  { id: c.id },
)
const findRelayed = query(
  'federation/relays/is_relayed',
  { host: c.text, actor: c.text, foreign: c.boolean },
  { relayed: c.boolean },
)

/**
 * Stores a relay's Accept or Reject of a Follow; false when the Follow was not sent to a relay on
 * the actor's host.
 */
export async function storeRelayAnswer(
  { database }: Services,
  followUri: string,
  actor: string,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const host = hostOf(actor)
  if (host === undefined) return false
  return (await database.one(storeAnswer, { follow_uri: followUri, host, actor, state })) !== undefined
}

/**
 * Whether an activity was delivered by a relay that has accepted this server's Follow.
 * @param host the server that delivered it; undefined when it was not delivered
 * @param actor the URI of the activity's actor
 */
export async function isRelayedBy({ database }: Services, host: string | undefined, actor: string): Promise<boolean> {
  if (host === undefined) return false
  return (await database.one(findRelayed, { host, actor, foreign: hostOf(actor) !== host }))?.relayed === true
}
