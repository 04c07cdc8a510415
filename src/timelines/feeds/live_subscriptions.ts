import { cursorOf, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Sources } from './candidates.ts'
import type { Feed } from './feed.ts'
import { keyOf, type FeedName } from './name.ts'

/** What a feed showed at a moment, newest first. */
export interface Shown {
  readonly ids: readonly Id[]
  /** Older ones are not known; 0 when all are. */
  readonly from: bigint
  readonly sources: Sources
}

export const shownBy = (feed: Feed): Shown => ({
  ids: feed.entries.all(),
  from: feed.entries.from,
  sources: feed.sources(),
})

/**
 * The records of a feed while a stream follows it. The feed is ahead of the log (it receives this
 * process's own commits at once), so the statuses that left it are recorded until the log reaches
 * the event that removed them.
 */
export interface LiveSubscription {
  readonly name: FeedName
  /** Deleted statuses that the feed had, and whether it showed them. */
  readonly deleted: Map<Id, boolean>
  /** The statuses that the feed showed before a block or mute, by the event's cursor. */
  readonly before: Map<string, Shown>
  /**
   * Statuses whose deletes were sent because their author was hidden, with that author: a later
   * deletion is not sent again.
   */
  readonly hidden: Map<Id, Id>
  /** What the feed showed when it was last dropped. */
  shown: Shown | undefined
}

export interface LiveSubscriptions {
  readonly size: number
  /** Adds a subscription to the feed; the returned function ends it. */
  start(name: FeedName): () => void
  of(name: FeedName): LiveSubscription | undefined
  all(): Iterable<LiveSubscription>
}

/** The limits are low because few events are ahead of the log at a time. */
const MAX_DELETED = 1000
const MAX_HIDDEN = 1000
const MAX_BEFORE = 16

export function createLiveSubscriptions(): LiveSubscriptions {
  const subscriptions = new Map<string, { live: LiveSubscription; count: number }>()
  const open = (name: FeedName): LiveSubscription => ({
    name,
    deleted: new Map(),
    before: new Map(),
    hidden: new Map(),
    shown: undefined,
  })

  return {
    get size() {
      return subscriptions.size
    },
    of: name => subscriptions.get(keyOf(name))?.live,
    *all() {
      for (const { live } of subscriptions.values()) yield live
    },
    start(name) {
      const key = keyOf(name)
      const known = subscriptions.get(key)
      const entry = known ?? { live: open(name), count: 0 }
      entry.count += 1
      subscriptions.set(key, entry)
      let ended = false
      return () => {
        if (ended) return
        ended = true
        entry.count -= 1
        if (entry.count === 0) subscriptions.delete(key)
      }
    },
  }
}

/** Records that a deleted status was in the feed. */
export function recordDeletion(live: LiveSubscription, status: Id, wasShown: boolean): void {
  live.deleted.set(status, wasShown)
  evictOldest(live.deleted, MAX_DELETED)
}

/** Records that the delete of a status was sent because its author was hidden. */
export function recordHidden(live: LiveSubscription, status: Id, author: Id): void {
  live.hidden.set(status, author)
  evictOldest(live.hidden, MAX_HIDDEN)
}

/** The author is no longer hidden: the feed shows their statuses again. */
export function forgetHidden(live: LiveSubscription, author: Id): void {
  for (const [status, one] of live.hidden) if (one === author) live.hidden.delete(status)
}

/**
 * Records what the feed showed before this block or mute removed entries; when the event is
 * repeated the first record counts.
 */
export function recordBefore(live: LiveSubscription, event: LoggedEvent): void {
  const cursor = cursorOf(event)
  if (live.shown && !live.before.has(cursor)) live.before.set(cursor, live.shown)
  evictOldest(live.before, MAX_BEFORE)
}

function evictOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return
    map.delete(key)
  }
}

/** Whether the account blocks or mutes somebody with this event. */
export const isBlockOrMute = (event: LoggedEvent, account: Id): boolean =>
  event.kind === 'relationship.changed' &&
  event.actor_id === account &&
  (event.data.change === 'block' || event.data.change === 'mute')
