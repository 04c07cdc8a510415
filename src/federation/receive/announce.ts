import type { Services } from '../../platform/services.ts'
import { isRelayedBy } from '../relays/index.ts'
import {
  idOf,
  isObject,
  isPublicAudience,
  listOf,
  sameHost,
  type JsonObject,
  isStorableUri,
  parseTime,
} from '../protocol/index.ts'
import { announcedStatusUri, receiveAnnouncedChange } from './announced_activity.ts'
import { readNote } from './note.ts'
import type { IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri, type StoredStatus } from './find_by_uri.ts'
import { RECENT_MS } from './store_note.ts'
import { receiveBoost } from './batched_writes.ts'
import { enqueueFetchRelayed } from './fetch_relayed.ts'
import { resolveStatus, receiveNote } from './resolve_status.ts'
import { hasTombstone } from './tombstones.ts'

/** The visibility of a boost; undefined when it is addressed to neither everybody nor followers. */
function visibilityOf(
  activity: JsonObject,
  author: { readonly followers_url: string },
): 'public' | 'unlisted' | 'private' | undefined {
  const [to = [], cc = []] = ['to', 'cc'].map(name => listOf(activity[name]).flatMap(one => idOf(one) ?? []))
  if (to.some(isPublicAudience)) return 'public'
  if (cc.some(isPublicAudience)) return 'unlisted'
  return author.followers_url !== '' && [...to, ...cc].includes(author.followers_url) ? 'private' : undefined
}

/**
 * Fetches and stores the unknown status of a boost. A private status of the actor itself is stored
 * as it is embedded, because this server cannot fetch it.
 */
async function resolveOriginal(
  services: Services,
  { activity, author, deliveredBy }: IncomingActivity,
  uri: string,
): Promise<StoredStatus | undefined> {
  const object = activity['object']
  const note = isObject(object) ? await readNote(object, author) : undefined
  if (note?.visibility !== 'private') return resolveStatus(services, uri)
  await receiveNote(services, author, note, { deliveredBy })
  return findStatusByUri(services, services.database, note.uri)
}

/**
 * Announce: a boost for everybody or for followers; others are ignored. It is relevant when a local
 * account follows the actor, the status is local, or a relay delivered it; an unknown status is
 * fetched. The boosts of a relay itself only bring statuses, which a job fetches. Groups also
 * announce the activities of their members (FEP-1b12).
 */
export async function receiveAnnounce(services: Services, incoming: IncomingActivity): Promise<void> {
  const { activity, author, actorUri, fetched, deliveredBy, prefetched } = incoming
  const { database } = services
  const uri = idOf(activity)
  if (uri === undefined || !isStorableUri(uri) || !sameHost(uri, actorUri)) return
  const visibility = visibilityOf(activity, author)
  if (visibility === undefined && !author.relay) return
  const object = announcedStatusUri(activity['object'])
  const known = await findStatusByUri(services, database, object, prefetched?.statuses)
  const isRelevant =
    fetched === true ||
    known?.local === true ||
    author.followed ||
    author.relay ||
    (await isRelayedBy(services, deliveredBy, actorUri))
  if (!isRelevant) return
  if (object === undefined) return receiveAnnouncedChange(services, activity['object'])
  if (author.relay) return known ? undefined : enqueueFetchRelayed(services, object)
  if (await hasTombstone(database, author.id, [uri], prefetched?.gone)) return
  const status = known ?? (await resolveOriginal(services, incoming, object))
  if (!status || visibility === undefined) return
  const published = parseTime(activity['published']) ?? new Date()
  await receiveBoost(services)({
    actor: author.id,
    status: status.reblog_of_id ?? status.id,
    uri,
    visibility,
    published,
    notified: fetched === true || published.getTime() > Date.now() - RECENT_MS,
  })
}
