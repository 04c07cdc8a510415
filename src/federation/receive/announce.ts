import type { Services } from '../../platform/services.ts'
import { isRelayedBy } from '../relays/index.ts'
import { idOf, isObject, isPublicAudience, listOf, sameHost, type JsonObject } from '../protocol/index.ts'
import { readNote } from './note.ts'
import { timeOf } from './note_parts.ts'
import type { Receiving } from './receiving.ts'
import { isBounded, knownStatus, type KnownStatus } from './references.ts'
import { RECENT_MS } from './store_note.ts'
import { receiveBoost } from './store_together.ts'
import { resolveStatus, takeNote } from './take_note.ts'
import { hasTombstone } from './tombstones.ts'

function visibilityOf(activity: JsonObject): 'public' | 'unlisted' | 'private' {
  const addresses = (name: string): boolean => listOf(activity[name]).some(one => isPublicAudience(idOf(one) ?? ''))
  return addresses('to') ? 'public' : addresses('cc') ? 'unlisted' : 'private'
}

/**
 * What is boosted and unknown: fetched, or stored as it is embedded when it is the actor's own, as
 * nobody can fetch what is for followers alone.
 */
async function unknownOriginal(services: Services, receiving: Receiving): Promise<KnownStatus | undefined> {
  const { activity, author, deliveredBy } = receiving
  const object = activity['object']
  const note = isObject(object) ? await readNote(object, author) : undefined
  if (note?.visibility !== 'private') return resolveStatus(services, idOf(object) ?? '')
  await takeNote(services, author, note, { deliveredBy })
  return knownStatus(services, services.database, note.uri)
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
    fetched === true || known?.local === true || author.followed || (await isRelayedBy(services, deliveredBy, actorUri))
  if (!isOfInterest || (await hasTombstone(database, [uri], prefetched?.gone))) return
  const status = known ?? (await unknownOriginal(services, receiving))
  if (!status) return
  const published = timeOf(activity['published']) ?? new Date()
  await receiveBoost(services)({
    actor: author.id,
    status: status.reblog_of_id ?? status.id,
    uri,
    visibility: visibilityOf(activity),
    published,
    notified: fetched === true || published.getTime() > Date.now() - RECENT_MS,
  })
}
