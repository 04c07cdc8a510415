import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

const answer = query(
  'federation/relays/answer',
  { follow_uri: c.text, host: c.text, actor: c.text, state: c.text },
  { id: c.id },
)
const passesOn = query(
  'federation/relays/passes_on',
  { host: c.text, actor: c.text, foreign: c.boolean },
  { relayed: c.boolean },
)

/**
 * Stores a relay's answer to a Follow; false when the Follow was not for a relay on the actor's
 * host.
 */
export async function answeredByRelay(
  { database }: Services,
  followUri: string,
  actor: string,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const host = hostOf(actor)
  if (host === undefined) return false
  return (await database.one(answer, { follow_uri: followUri, host, actor, state })) !== undefined
}

/**
 * Whether a host that delivered something is a relay that has accepted the server's Follow.
 * @param host undefined when it was not delivered
 * @param actor whose activity it is
 */
export async function isRelayed({ database }: Services, host: string | undefined, actor: string): Promise<boolean> {
  if (host === undefined) return false
  return (await database.one(passesOn, { host, actor, foreign: hostOf(actor) !== host }))?.relayed === true
}
