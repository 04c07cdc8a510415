import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { isRelayed } from '../relays/index.ts'
import { idOf, isPublicAudience, listOf, sameHost, type JsonObject } from '../terms/index.ts'
import { timeOf } from './note_parts.ts'
import { storeReceived, type Receiving } from './receiving.ts'
import { isBounded, knownStatus } from './references.ts'
import { RECENT_MS } from './store_note.ts'
import { resolveStatus } from './take_note.ts'
import { hasTombstone } from './tombstones.ts'

const announce = query(
  'federation/receive/announce',
  {
    actor: c.id,
    status: c.id,
    uri: c.text,
    visibility: c.visibility,
    published: c.timestamp,
    notified: c.boolean,
  },
  { id: c.id, events: c.events },
)

function visibilityOf(activity: JsonObject): 'public' | 'unlisted' | 'private' {
  const addresses = (name: string): boolean => listOf(activity[name]).some(one => isPublicAudience(idOf(one) ?? ''))
  return addresses('to') ? 'public' : addresses('cc') ? 'unlisted' : 'private'
}

/**
 * Announce: a boost. It is of interest when somebody here follows the actor, the status is local,
 * or it comes through a relay; an unknown status is fetched.
 */
export async function receiveAnnounce(services: Services, receiving: Receiving): Promise<void> {
  const { activity, author, actorUri, fetched, deliveredBy, prefetched } = receiving
  const { database } = services
  const uri = idOf(activity)
  const object = idOf(activity['object'])
  if (uri === undefined || object === undefined || !isBounded(uri) || !sameHost(uri, actorUri)) return
  const known = await knownStatus(services, database, object, prefetched?.statuses)
  const isOfInterest =
    fetched === true || known?.local === true || author.followed || (await isRelayed(services, deliveredBy, actorUri))
  if (!isOfInterest || (await hasTombstone(database, [uri], prefetched?.gone))) return
  const status = known ?? (await resolveStatus(services, object))
  if (!status) return
  const published = timeOf(activity['published']) ?? new Date()
  await storeReceived(services, announce, {
    actor: author.id,
    status: status.reblog_of_id ?? status.id,
    uri,
    visibility: visibilityOf(activity),
    published,
    notified: fetched === true || published.getTime() > Date.now() - RECENT_MS,
  })
}
