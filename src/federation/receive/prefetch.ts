import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, listOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { mentionsIn } from './note_parts.ts'
import { AUTHOR, type Prefetched } from './receiving.ts'
import { findAccountsByUri, findStatusesByUri, isBounded } from './references.ts'

const findSenders = query('federation/receive/senders', { uris: c.texts }, { ...AUTHOR, stale: c.boolean })
const findGone = query('federation/receive/gone', { uris: c.texts }, { uri: c.nullable(c.text) })

/** Older rows are read again: requests to other servers may take long meanwhile. */
const VALID_MS = 2000

/** Activities that change only the objects that they name; others may change anything. */
const PLAIN = new Set(['Announce', 'Create', 'Delete', 'Like'])

/** The most addressees of one activity that are prefetched. */
const MAX_AUDIENCE = 100

interface Asked {
  readonly statuses: Set<string>
  readonly accounts: Set<string>
}

/** The URIs of the accounts that a post is for, or names. */
export const addressedIn = (object: JsonObject): string[] => [
  ...[...listOf(object['to']), ...listOf(object['cc'])].flatMap(one => idOf(one) ?? []),
  ...mentionsIn(object),
]

function addCreated(object: JsonObject, { statuses, accounts }: Asked): void {
  const parent = idOf(object['inReplyTo'])
  if (parent !== undefined) statuses.add(parent)
  for (const uri of addressedIn(object).slice(0, MAX_AUDIENCE)) accounts.add(uri)
}

function askedBy(activities: readonly JsonObject[]): Asked {
  const asked: Asked = { statuses: new Set(), accounts: new Set() }
  for (const activity of activities) {
    const types = typesOf(activity)
    if (!types.some(type => PLAIN.has(type))) continue
    const object = activity['object']
    for (const uri of [idOf(activity), idOf(object)]) if (uri !== undefined) asked.statuses.add(uri)
    if (types.includes('Create') && isObject(object)) addCreated(object, asked)
  }
  return asked
}

/** Reads at once the rows that a batch of activities will ask for. */
export async function prefetch(
  services: Services,
  batch: readonly { readonly actor: string; readonly activity: JsonObject | undefined }[],
): Promise<Prefetched> {
  const { database } = services
  const asked = askedBy(batch.map(({ activity }) => activity).filter(activity => activity !== undefined))
  const uris = [...asked.statuses].filter(isBounded)
  const senders = await database.run(findSenders, { uris: [...new Set(batch.map(({ actor }) => actor))] })
  const gone = new Set((await database.run(findGone, { uris })).map(({ uri }) => uri))
  return {
    senders: new Map(senders.map(sender => [sender.uri, sender])),
    statuses: await findStatusesByUri(services, uris),
    accounts: await findAccountsByUri(services, [...asked.accounts].filter(isBounded)),
    gone: new Map(uris.map(uri => [uri, gone.has(uri)])),
  }
}

/** The prefetched rows of a batch, as long as they are current. */
export interface TrackedPrefetch {
  /** Undefined when they are no longer current. */
  current(): Prefetched | undefined
  /** Drops the rows that an activity may have changed. */
  after(activity: JsonObject, actor: string): void
}

export function trackPrefetched(prefetched: Prefetched | undefined): TrackedPrefetch {
  const readAt = performance.now()
  let isCurrent = prefetched !== undefined
  return {
    current: () => (isCurrent && performance.now() - readAt < VALID_MS ? prefetched : undefined),
    after(activity, actor) {
      const ids = [idOf(activity), idOf(activity['object'])]
      if (!typesOf(activity).some(type => PLAIN.has(type)) || ids.includes(actor)) isCurrent = false
      for (const id of ids) {
        if (id === undefined || !prefetched) continue
        prefetched.statuses.delete(id)
        prefetched.gone.delete(id)
      }
    },
  }
}
