import { c, query, type Database } from '../../platform/database/index.ts'
import {
  onEvents,
  type ChangeOf,
  type EventHandlers,
  type LoggedEvent,
  type StatusEvent,
} from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { createPinnedCache, relationships } from '../../accounts/relationships/index.ts'
import { shareOf } from '../../platform/cache/shares.ts'
import type { Services } from '../../platform/services.ts'
import { createFollowerIndex } from './follower_index.ts'
import { readCandidates } from './candidates.ts'
import { createDepartures, isHiding, type Departures, type Sorted } from './departures.ts'
import { createFeed, follow, isDeletion, postOf, type Feed } from './feed.ts'
import { keyOf, type FeedName } from './name.ts'
import { isNonPublic, type Post } from './rules.ts'
import {
  createLiveSubscriptions,
  isBlockOrMute,
  recordBefore,
  recordDeletion,
  type LiveSubscription,
} from './live_subscriptions.ts'

/** The feeds that a process has in memory. */
export interface FeedCache {
  /**
   * The feed with all events that this process has received; undefined for a list that the account
   * does not have.
   */
  get(name: FeedName): Promise<Feed | undefined>
  /** The feed, if it is in memory. */
  peek(name: FeedName): Feed | undefined
  /** Keeps the feed in memory and records what its stream needs, until released. */
  watch(name: FeedName): () => void
  watchOf(name: FeedName): LiveSubscription | undefined
  /** The statuses of hidden accounts that watched feeds showed. */
  readonly departures: Departures
  /** Watched feeds in memory that may contain the post, and those that are being read. */
  watchedFor(event: LoggedEvent, post: Post): FeedName[]
  /** Watched feeds of an account. */
  watchedOf(owner: Id): FeedName[]
}

/**
 * A feed in the cache. While it is being read it collects events, which the read may have missed.
 */
interface Entry {
  readonly name: FeedName
  readonly key: string
  feed: Feed | undefined
  pendingEvents: LoggedEvent[]
  /** Dropped or evicted: a caller that waited for it starts again. */
  detached: boolean
  /** The read failed; the next caller tries again. */
  failed: boolean
  /** The list does not exist. */
  absent: boolean
  ready: Promise<void>
}

const theirs = query('timelines/feeds/theirs', { ids: c.ids, account: c.id }, { id: c.id, gone: c.boolean })

/** The number of statuses that one query looks up. */
const SORT_BATCH = 20_000

async function sortTheirs(database: Database, account: Id, ids: ReadonlySet<Id>): Promise<Sorted> {
  const sorted = { theirs: new Set<Id>(), deleted: new Set<Id>() }
  const all = [...ids]
  for (let from = 0; from < all.length; from += SORT_BATCH) {
    const rows = await database.run(theirs, { ids: all.slice(from, from + SORT_BATCH), account })
    for (const { id, gone } of rows) (gone ? sorted.deleted : sorted.theirs).add(id)
  }
  return sorted
}

/** The memory of an entry without its feed, and of each of its sources in the follower index. */
const ENTRY_BYTES = 800
const SOURCE_BYTES = 50

function weighEntry({ feed }: Entry): number {
  if (!feed) return ENTRY_BYTES
  const { accounts, tags } = feed.sources()
  return ENTRY_BYTES + feed.entries.sizeBytes + (sizeOf(accounts) + sizeOf(tags)) * SOURCE_BYTES
}

function sizeOf(items: Iterable<unknown>): number {
  let size = 0
  for (const _one of items) size += 1
  return size
}

/** Account changes that leave the account's statuses in the feeds. */
const HARMLESS: ReadonlySet<ChangeOf<'account.changed'>> = new Set(['created', 'profile', 'role', 'counts'])

export function createFeedCache(services: Services): FeedCache {
  const { config, database, events, logger, metrics } = services
  const relationshipCache = relationships(services)
  const liveSubscriptions = createLiveSubscriptions()
  const departures = createDepartures((account, ids) => sortTheirs(database, account, ids))
  const followerIndex = createFollowerIndex<Entry>()
  const ofOwner = new Map<Id, Set<Entry>>()
  const reading = new Set<Entry>()
  let closed = false
  const cache = createPinnedCache<Entry>({ limitBytes: shareOf('feeds', config), weigh: weighEntry, onRemove: detach })
  metrics.cache('feeds', cache.statistics)

  function open(name: FeedName): Entry {
    const entry: Entry = {
      name,
      key: keyOf(name),
      feed: undefined,
      pendingEvents: [],
      detached: false,
      failed: false,
      absent: false,
      ready: Promise.resolve(),
    }
    cache.set(entry.key, entry)
    reading.add(entry)
    const siblings = ofOwner.get(name.owner)
    if (siblings) siblings.add(entry)
    else ofOwner.set(name.owner, new Set([entry]))
    entry.ready = read(entry).catch((error: unknown) => {
      entry.failed = true
      entry.pendingEvents = []
      throw error
    })
    entry.ready.catch((error: unknown) => {
      if (closed) return
      metrics.errors.inc({ part: 'feeds' })
      logger.warn({ err: error }, 'a feed could not be read, the next request tries again')
    })
    return entry
  }

  async function read(entry: Entry): Promise<void> {
    const feed = createFeed(entry.name, await relationshipCache.get(entry.name.owner))
    if (!feed) {
      entry.absent = true
      if (cache.peek(entry.key) === entry) cache.delete(entry.key)
      return
    }
    const { accounts, tags, tagNames } = feed.sources()
    const posts = await readCandidates(database, entry.name.owner, { accounts, tags })
    if (entry.detached) return
    for (const post of posts) feed.put(post, post.arrived)
    for (const event of entry.pendingEvents) {
      const post = postOf(event)
      if (post) follow(feed, event, post)
    }
    entry.pendingEvents = []
    entry.feed = feed
    reading.delete(entry)
    followerIndex.add(entry, accounts, tagNames)
    cache.weigh(entry.key)
  }

  function detach(entry: Entry): void {
    entry.detached = true
    reading.delete(entry)
    const siblings = ofOwner.get(entry.name.owner)
    siblings?.delete(entry)
    if (siblings?.size === 0) ofOwner.delete(entry.name.owner)
    if (!entry.feed) return
    const { accounts, tagNames } = entry.feed.sources()
    followerIndex.remove(entry, accounts, tagNames)
  }

  async function get(name: FeedName): Promise<Feed | undefined> {
    for (;;) {
      const known = cache.get(keyOf(name))
      const entry = known && !known.failed ? known : open(name)
      if (entry.feed) return entry.feed
      await entry.ready
      if (entry.absent) return undefined
      if (entry.feed && !entry.detached) return entry.feed
    }
  }

  function drop(entry: Entry): void {
    const live = liveSubscriptions.of(entry.name)
    if (live && entry.feed) live.shown = entry.feed.entries.all()
    cache.delete(entry.key)
    if (live) open(entry.name)
  }

  /** A non-public post of a much-followed account enters only the feeds of these owners. */
  function addresseesAmong(items: ReadonlySet<Entry>, { author, facts }: Post): ReadonlySet<Entry> {
    const owned = new Set<Entry>()
    for (const owner of [author, ...facts.mentions, ...facts.silent_mentions])
      for (const entry of ofOwner.get(owner) ?? []) if (items.has(entry)) owned.add(entry)
    return owned
  }

  function entriesFor(event: LoggedEvent, post: Post): ReadonlySet<Entry> {
    const found = followerIndex.of(post.author, post.facts.tags)
    if (isNonPublic(post.facts)) return addresseesAmong(found, post)
    // The edit may have removed the tag that brought the status into a feed.
    return event.kind === 'status.updated' ? new Set([...found, ...followerIndex.withTags()]) : found
  }

  function applyPost(event: StatusEvent): void {
    const post = postOf(event)
    if (!post) return
    for (const entry of reading) if (!entry.failed) entry.pendingEvents.push(event)
    for (const entry of entriesFor(event, post)) if (entry.feed) applyToFeed(event, post, entry.feed)
  }

  function dropFollowing(account: Id): void {
    for (const entry of Array.from(followerIndex.of(account, []))) drop(entry)
  }

  const handlers: EventHandlers = {
    'status.created': applyPost,
    'status.updated': applyPost,
    'status.deleted': applyPost,
    'account.changed': event => {
      if (HARMLESS.has(event.data.change)) return
      if (isHiding(event)) recordDeparture(event.account_id)
      dropFollowing(event.account_id)
    },
    'account.deleted': event => dropFollowing(event.account_id),
    'caches.cleared': () => {
      for (const entry of [...ofOwner.values()].flatMap(owned => [...owned])) drop(entry)
    },
  }

  /** A feed that is being read again is recorded with its previous content. */
  function recordDeparture(account: Id): void {
    if (liveSubscriptions.size === 0) return
    for (const entry of new Set([...followerIndex.of(account, []), ...reading])) {
      const live = liveSubscriptions.of(entry.name)
      const shown = entry.feed?.entries.all() ?? live?.shown ?? []
      if (live && shown.length > 0) departures.record(account, entry.name, shown)
    }
  }

  function applyToFeed(event: LoggedEvent, post: Post, feed: Feed): void {
    const live = liveSubscriptions.size > 0 && isDeletion(event) ? liveSubscriptions.of(feed.name) : undefined
    const state = live && feed.entries.state(BigInt(post.id))
    if (live && state) recordDeletion(live, post.id, state === 'shown')
    follow(feed, event, post)
  }

  const subscriptions = [
    onEvents(events.local$, handlers),
    relationshipCache.changed$.subscribe(({ viewer, event }) => {
      for (const entry of Array.from(ofOwner.get(viewer) ?? [])) {
        drop(entry)
        const live = liveSubscriptions.of(entry.name)
        if (live && isBlockOrMute(event, viewer)) recordBefore(live, event)
      }
    }),
  ]
  services.onClose(() => {
    closed = true
    for (const subscription of subscriptions) subscription.unsubscribe()
  })

  return {
    get,
    peek: name => cache.peek(keyOf(name))?.feed,
    watch(name) {
      const key = keyOf(name)
      const unpin = cache.pin(key)
      const end = liveSubscriptions.start(name)
      if (!cache.peek(key)) open(name)
      return () => {
        end()
        unpin()
      }
    },
    watchOf: name => liveSubscriptions.of(name),
    departures,
    watchedFor(event, post) {
      if (liveSubscriptions.size === 0) return []
      const names: FeedName[] = []
      for (const entry of entriesFor(event, post)) if (cache.isPinned(entry.key)) names.push(entry.name)
      for (const entry of reading) if (cache.isPinned(entry.key)) names.push(entry.name)
      return names
    },
    watchedOf: owner => [...(ofOwner.get(owner) ?? [])].flatMap(entry => (cache.isPinned(entry.key) ? entry.name : [])),
  }
}
