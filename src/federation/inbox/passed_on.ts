import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { verifyDocument } from '../document_signatures/index.ts'
import {
  activityTypeOf,
  idOf,
  isObject,
  isStorableUri,
  listOf,
  type ActivityType,
  type JsonObject,
} from '../protocol/index.ts'
import { isRelayedBy } from '../relays/index.ts'

const knowsAny = query('federation/inbox/knows_any', { uris: c.texts }, { known: c.boolean })

/** Types of activities that are sent to those whom they concern, and passed on by nobody. */
const DIRECT: ReadonlySet<ActivityType> = new Set<ActivityType>([
  'Accept',
  'Block',
  'FeatureRequest',
  'Flag',
  'Follow',
  'Like',
  'QuoteRequest',
  'Reject',
])

/** An activity names few that matter here. */
const MAX_URIS = 20

const urisIn = (object: JsonObject, names: readonly string[]): string[] =>
  names.flatMap(name => listOf(object[name])).flatMap(one => idOf(one) ?? [])

/** Whether an activity or its object is addressed to something of this server, or about it. */
function concernsLocal({ config }: Services, objects: readonly JsonObject[]): boolean {
  const tagged = objects.flatMap(object => listOf(object['tag']).filter(isObject))
  return [
    ...objects.flatMap(object => urisIn(object, ['to', 'cc', 'object', 'inReplyTo', 'target'])),
    ...tagged.flatMap(tag => urisIn(tag, ['href'])),
  ].some(uri => uri.startsWith(`${config.publicUrl}/`))
}

/**
 * Whether what somebody passes on may be of interest here, which costs less than to read it: its
 * actor, or what it is about, is known, or it is about something of this server. A Delete always
 * is, as what it deletes may still wait to be processed.
 */
async function mayConcern(services: Services, activity: JsonObject, actor: string): Promise<boolean> {
  const type = activityTypeOf(activity)
  if (type === undefined || DIRECT.has(type)) return false
  if (type === 'Delete') return true
  const objects = [activity, ...listOf(activity['object']).filter(isObject)]
  if (concernsLocal(services, objects)) return true
  const related = objects.flatMap(object => urisIn(object, ['object', 'inReplyTo', 'target']))
  const uris = [actor, ...related].filter(isStorableUri).slice(0, MAX_URIS)
  return (await services.database.one(knowsAny, { uris }))?.known === true
}

/**
 * The body of an activity that somebody else passes on, reduced to the members that its actor has
 * signed; undefined without a valid signature, and for what concerns nobody here.
 * @param host that delivered it
 * @throws ApiError signatureUnchecked
 */
export async function verifyPassedOn(
  services: Services,
  activity: JsonObject,
  actor: string,
  host: string,
): Promise<string | undefined> {
  const isRelay = await isRelayedBy(services, host, actor)
  if (!isRelay && !(await mayConcern(services, activity, actor))) return undefined
  const document = await verifyDocument(services, activity, actor, { host, isRelay })
  return idOf(document?.['actor']) === actor ? JSON.stringify(document) : undefined
}
