import { idOf, isObject, listOf, textOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { mayBeForwarded } from './forward.ts'
import { addressedIn } from './prefetch.ts'
import type { Prefetched, Sender } from './receiving.ts'

/*
 * Which activities are processed at the same time, so that they are stored by one statement: those
 * that read only what was prefetched, and do not change what another of them reads or changes.
 */

interface Activity {
  readonly activity: JsonObject
  /** The URI of the actor. */
  readonly actor: string
}

/** A new post with nothing that must be looked up, fetched or stored before. */
function isPlainPost(object: unknown, sender: Sender, { statuses, accounts }: Prefetched): boolean {
  if (!isObject(object) || textOf(object['content']) === undefined || !statuses.has(idOf(object) ?? '')) return false
  if (listOf(object['tag']).some(tag => isObject(tag) && typesOf(tag).includes('Emoji'))) return false
  const parent = idOf(object['inReplyTo'])
  if (parent !== undefined && statuses.get(parent) === undefined) return false
  const addressed = addressedIn(object)
  if (!addressed.every(uri => accounts.has(uri))) return false
  return sender.followed || addressed.some(uri => accounts.get(uri)?.isLocal)
}

/** Whether processing it asks the database for nothing but what was prefetched. */
export function isPrefetched({ activity, actor }: Activity, prefetched: Prefetched | undefined): boolean {
  const sender = prefetched?.senders.get(actor)
  if (!prefetched || !sender || sender.stale || sender.suspended || mayBeForwarded(activity)) return false
  const object = activity['object']
  const uri = idOf(object)
  if (uri === undefined || uri === actor) return false
  const known = prefetched.statuses.get(uri)
  switch (typesOf(activity)[0] ?? '') {
    case 'Create':
      return isPlainPost(object, sender, prefetched)
    case 'Like':
      return known !== undefined
    case 'Announce':
      return known !== undefined && (known.local || sender.followed)
    case 'Delete':
      return known !== undefined
    default:
      return false
  }
}

/** The activities that are processed at the same time. */
export interface Group {
  /** Adds one, unless it depends on another. */
  add(activity: JsonObject): boolean
}

export function createGroup(): Group {
  const changed = new Set<string>()
  const read = new Set<string>()
  return {
    add(activity) {
      const object = activity['object']
      const [id, uri] = [idOf(activity), idOf(object)]
      const parent = isObject(object) ? idOf(object['inReplyTo']) : undefined
      const changes = [id, typesOf(activity).some(type => type === 'Create' || type === 'Delete') ? uri : undefined]
      const reads = [uri, parent]
      const isFree = (one: string | undefined, ...sets: Set<string>[]): boolean =>
        one === undefined || sets.every(set => !set.has(one))
      if (!changes.every(one => isFree(one, changed, read)) || !reads.every(one => isFree(one, changed))) return false
      for (const one of changes) if (one !== undefined) changed.add(one)
      for (const one of reads) if (one !== undefined) read.add(one)
      return true
    },
  }
}
