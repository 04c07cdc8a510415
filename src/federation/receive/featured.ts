import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, sameHost } from '../terms/index.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { knownStatus } from './references.ts'
import { resolveStatus } from './take_note.ts'

const PIN = { account: c.id, status: c.id } as const
const pin = query('federation/receive/pin', PIN, { events: c.events })
const unpin = query('federation/receive/unpin', PIN, { events: c.events })

/** The status that is pinned or unpinned; undefined when another collection is changed. */
function featured({ activity, author, actorUri }: Receiving): string | undefined {
  const uri = idOf(activity['object'])
  const isOwn = author.featured_url !== '' && idOf(activity['target']) === author.featured_url
  return isOwn && uri !== undefined && sameHost(uri, actorUri) ? uri : undefined
}

/** Add: the actor pins a status, which is fetched if it is unknown. */
export async function receiveAdd(services: Services, receiving: Receiving): Promise<void> {
  const uri = featured(receiving)
  const status = uri === undefined ? undefined : await resolveStatus(services, uri)
  if (status?.account_id !== receiving.actor) return
  await inReceipt(services, transaction => transaction.run(pin, { account: receiving.actor, status: status.id }))
}

/** Remove: the actor unpins a status. */
export async function receiveRemove(services: Services, receiving: Receiving): Promise<void> {
  const status = await knownStatus(services, services.database, featured(receiving))
  if (!status) return
  await inReceipt(services, transaction => transaction.run(unpin, { account: receiving.actor, status: status.id }))
}
