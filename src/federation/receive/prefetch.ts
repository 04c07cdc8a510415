import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import {
  activityTypeOf,
  idOf,
  isObject,
  listOf,
  type ActivityType,
  type JsonObject,
  isStorableUri,
} from '../protocol/index.ts'
import { mentionsIn } from './note_parts.ts'
import { AUTHOR, type Prefetched } from './incoming_activity.ts'
import { prefetchAccounts, prefetchStatuses } from './find_by_uri.ts'

const findSenders = query('federation/receive/senders', { uris: c.texts }, { ...AUTHOR, stale: c.boolean })
const findTombstones = query(
  'federation/receive/tombstones',
  { uris: c.texts },
  { uri: c.nullable(c.text), author_id: c.nullable(c.id) },
)

/** Older rows are not used, because requests to other servers may have taken long. */
const VALID_MS = 2000

/** Types of activities that change only the objects that they name; others may change more. */
const SIMPLE_TYPES: ReadonlySet<ActivityType | undefined> = new Set<ActivityType>([
  'Announce',
  'Create',
  'Delete',
  'Like',
])

/** The maximum number of prefetched addressees of one activity. */
const MAX_AUDIENCE = 100

interface NeededUris {
  readonly statuses: Set<string>
  readonly accounts: Set<string>
}

/** The URIs of the accounts that a post addresses or mentions. */
export const addressedUris = (object: JsonObject): string[] => [
  ...[...listOf(object['to']), ...listOf(object['cc'])].flatMap(one => idOf(one) ?? []),
  ...mentionsIn(object),
]

function addNoteUris(object: JsonObject, { statuses, accounts }: NeededUris): void {
  const parent = idOf(object['inReplyTo'])
  if (parent !== undefined) statuses.add(parent)
  for (const uri of addressedUris(object).slice(0, MAX_AUDIENCE)) accounts.add(uri)
}

function collectUris(activities: readonly JsonObject[]): NeededUris {
  const needed: NeededUris = { statuses: new Set(), accounts: new Set() }
  for (const activity of activities) {
    const type = activityTypeOf(activity)
    if (!SIMPLE_TYPES.has(type)) continue
    const object = activity['object']
    for (const uri of [idOf(activity), idOf(object)]) if (uri !== undefined) needed.statuses.add(uri)
    if (type === 'Create' && isObject(object)) addNoteUris(object, needed)
  }
  return needed
}

/** Reads the rows that a batch of activities will need, with one query a table. */
export async function prefetch(
  services: Services,
  batch: readonly { readonly actor: string; readonly activity: JsonObject | undefined }[],
): Promise<Prefetched> {
  const { database } = services
  const needed = collectUris(batch.map(({ activity }) => activity).filter(activity => activity !== undefined))
  const uris = [...needed.statuses].filter(isStorableUri)
  const senders = await database.run(findSenders, { uris: [...new Set(batch.map(({ actor }) => actor))] })
  const gone = new Map(uris.map(uri => [uri, new Set<Id | null>()]))
  for (const { uri, author_id: author } of await database.run(findTombstones, { uris }))
    gone.get(uri ?? '')?.add(author)
  return {
    senders: new Map(senders.map(sender => [sender.uri, sender])),
    statuses: await prefetchStatuses(services, uris),
    accounts: await prefetchAccounts(services, [...needed.accounts].filter(isStorableUri)),
    gone,
  }
}

/** The prefetched rows of a batch while they are current. */
export interface TrackedPrefetch {
  /** Undefined when they are no longer current. */
  current(): Prefetched | undefined
  /** Drops the rows that an activity may have changed. */
  invalidate(activity: JsonObject, actor: string): void
}

export function trackPrefetch(prefetched: Prefetched | undefined): TrackedPrefetch {
  const readAt = performance.now()
  let isCurrent = prefetched !== undefined
  return {
    current: () => (isCurrent && performance.now() - readAt < VALID_MS ? prefetched : undefined),
    invalidate(activity, actor) {
      const ids = [idOf(activity), idOf(activity['object'])]
      if (!SIMPLE_TYPES.has(activityTypeOf(activity)) || ids.includes(actor)) isCurrent = false
      for (const id of ids) {
        if (id === undefined || !prefetched) continue
        prefetched.statuses.delete(id)
        prefetched.gone.delete(id)
      }
    },
  }
}
