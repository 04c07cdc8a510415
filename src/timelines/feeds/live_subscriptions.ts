import { cursorOf, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { keyOf, type FeedName } from './name.ts'

/**
 * What is remembered of a feed while a stream follows it: the feed itself is ahead of the log (it hears of this process's own commits at
 * once), so what left it is noted until the log comes to the event that made it leave.
 */
export interface LiveSubscription {
  readonly name: FeedName
  /** Deleted statuses that the feed had: whether it showed them. */
  readonly deleted: Map<Id, boolean>
  /** By the cursor of a block or mute: what the feed showed before it. */
  readonly before: Map<string, readonly Id[]>
  /** What it showed when it was last dropped. */
  shown: readonly Id[]
}

export interface LiveSubscriptions {
  readonly size: number
  /** Starts a watch, or another of the same feed; the function ends it. */
  start(name: FeedName): () => void
  of(name: FeedName): LiveSubscription | undefined
}

/** Events that the log has yet to come to are few; so is what is kept for it. */
const DELETED_KEPT = 1000
const BEFORE_KEPT = 16

export function createLiveSubscriptions(): LiveSubscriptions {
  const watches = new Map<string, { watch: LiveSubscription; count: number }>()
  return {
    get size() {
      return watches.size
    },
    of: name => watches.get(keyOf(name))?.watch,
    start(name) {
      const key = keyOf(name)
      const known = watches.get(key)
      const held = known ?? { watch: { name, deleted: new Map(), before: new Map(), shown: [] }, count: 0 }
      held.count += 1
      watches.set(key, held)
      let ended = false
      return () => {
        if (ended) return
        ended = true
        held.count -= 1
        if (held.count === 0) watches.delete(key)
      }
    },
  }
}

/** Notes that a deleted status was in the feed. */
export function recordDeletion(watch: LiveSubscription, status: Id, wasShown: boolean): void {
  watch.deleted.set(status, wasShown)
  forgetOldest(watch.deleted, DELETED_KEPT)
}

/** Notes what the feed showed when this block or mute took away its entries; of an event that comes twice the first counts. */
export function recordBefore(watch: LiveSubscription, event: LoggedEvent): void {
  const cursor = cursorOf(event)
  if (!watch.before.has(cursor)) watch.before.set(cursor, watch.shown)
  forgetOldest(watch.before, BEFORE_KEPT)
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}

/** Whether the event says that the account blocks or mutes somebody. */
export const isBlockOrMute = (event: LoggedEvent, account: Id): boolean =>
  event.kind === 'relationship.changed' &&
  event.actor_id === account &&
  (event.data['what'] === 'block' || event.data['what'] === 'mute')
