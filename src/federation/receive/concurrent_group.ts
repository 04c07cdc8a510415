import { activityTypeOf, idOf, isObject, listOf, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { mayBeForwarded } from './forward.ts'
import { addressedUris } from './prefetch.ts'
import type { Prefetched, Sender } from './incoming_activity.ts'

/*
 * Decides which activities are processed concurrently, so that one statement stores them: those
 * that read only prefetched rows, and do not change an object that another of them reads or
 * changes.
 */

interface Activity {
  readonly activity: JsonObject
  /** The URI of the actor. */
  readonly actor: string
}

/** Whether a post can be stored without other queries or requests. */
function isPlainPost(object: unknown, sender: Sender, { statuses, accounts }: Prefetched): boolean {
  if (!isObject(object) || textOf(object['content']) === undefined || !statuses.has(idOf(object) ?? '')) return false
  if (listOf(object['tag']).some(tag => isObject(tag) && typesOf(tag).includes('Emoji'))) return false
  const parent = idOf(object['inReplyTo'])
  if (parent !== undefined && statuses.get(parent) === undefined) return false
  const addressed = addressedUris(object)
  if (!addressed.every(uri => accounts.has(uri))) return false
  return sender.followed || addressed.some(uri => accounts.get(uri)?.isLocal)
}

/** Whether processing an activity reads only prefetched rows. */
export function isFullyPrefetched({ activity, actor }: Activity, prefetched: Prefetched | undefined): boolean {
  const sender = prefetched?.senders.get(actor)
  if (!prefetched || !sender || sender.stale || sender.suspended || mayBeForwarded(activity)) return false
  const object = activity['object']
  const uri = idOf(object)
  if (uri === undefined || uri === actor) return false
  const status = prefetched.statuses.get(uri)
  const type = activityTypeOf(activity)
  if (type === 'Create') return isPlainPost(object, sender, prefetched)
  if (type === 'Announce') return status !== undefined && (status.local || sender.followed)
  return status !== undefined && (type === 'Like' || type === 'Delete')
}

/** Activities that are processed concurrently. */
export interface Group {
  /** Adds an activity; false when it depends on one in the group. */
  add(activity: JsonObject): boolean
}

export function createConcurrentGroup(): Group {
  const changed = new Set<string>()
  const read = new Set<string>()
  return {
    add(activity) {
      const object = activity['object']
      const [id, uri, type] = [idOf(activity), idOf(object), activityTypeOf(activity)]
      const parent = isObject(object) ? idOf(object['inReplyTo']) : undefined
      const changes = [id, type === 'Create' || type === 'Delete' ? uri : undefined]
      const reads = [uri, parent]
      const isDisjoint = (key: string | undefined, ...sets: Set<string>[]): boolean =>
        key === undefined || sets.every(set => !set.has(key))
      if (!changes.every(key => isDisjoint(key, changed, read)) || !reads.every(key => isDisjoint(key, changed)))
        return false
      for (const key of changes) if (key !== undefined) changed.add(key)
      for (const key of reads) if (key !== undefined) read.add(key)
      return true
    },
  }
}
