import {
  onEvents,
  type ChangeOf,
  type EventHandlers,
  type EventOf,
  type LoggedEvent,
  type StatusEvent,
} from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { relationships, type RelationshipCache, type Relations } from '../../accounts/relationships/index.ts'
import { createPinnedCache, type PinnedCache } from '../../platform/cache/pinned_cache.ts'
import { shareOf } from '../../platform/cache/shares.ts'
import type { Services } from '../../platform/services.ts'
import { changesVisibility } from '../../statuses/index.ts'
import { createFollowerIndex } from './follower_index.ts'
import { DEPTHS, readCandidates, type Candidates, type Depth, type Sources } from './candidates.ts'
import { createDepartures, isHiding, type Departures } from './departures.ts'
import { countSources, createFeed, follow, isDeletion, postOf, sourcesOf, type Feed } from './feed.ts'
import { keyOf, type FeedName } from './name.ts'
import { isNonPublic, type Post } from './rules.ts'
import { sortByAuthor } from './sort_by_author.ts'
import {
  createLiveSubscriptions,
  forgetHidden,
  isBlockOrMute,
  recordBefore,
  recordDeletion,
  shownBy,
  type LiveSubscription,
} from './live_subscriptions.ts'

/** A feed that a stream follows; undefined while it is being read. */
export interface WatchedFeed {
  readonly name: FeedName
  readonly feed: Feed | undefined
}

/** The feeds that a process has in memory. */
export interface FeedCache {
  /**
   * The feed with all events that this process has received; undefined for a list that the account
   * does not have.
   * @param depth how much of it is needed, the newest by default
   */
  get(name: FeedName, depth?: Depth): Promise<Feed | undefined>
  /** The feed, if it is in memory. */
  peek(name: FeedName): Feed | undefined
  /** Keeps the feed in memory and records what its stream needs, until released. */
  watch(name: FeedName): () => void
  watchOf(name: FeedName): LiveSubscription | undefined
  /** The statuses of hidden accounts that watched feeds showed. */
  readonly departures: Departures
  /** Watched feeds in memory that may contain the post, and those that are being read. */
  watchedFor(event: LoggedEvent, post: Post): WatchedFeed[]
  /**
   * Watched feeds that show a status, which its author or one of these hashtags may have brought.
   */
  watchedShowing(status: Id, author: Id, tags: readonly string[]): FeedName[]
  /** Watched feeds of an account. */
  watchedOf(owner: Id): FeedName[]
  /** The account is no longer hidden: the watched feeds show its statuses again. */
  forgetHidden(account: Id): void
}

/** A feed in the cache. While it is being read it collects events that the read may have missed. */
interface Entry {
  readonly name: FeedName
  readonly key: string
  /** How far back the feed is read. */
  readonly depth: Depth
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

const createEntry = (name: FeedName, key: string, depth: Depth): Entry => ({
  name,
  key,
  depth,
  feed: undefined,
  pendingEvents: [],
  detached: false,
  failed: false,
  absent: false,
  ready: Promise.resolve(),
})

const reaches = (entry: Entry, depth: Depth): boolean => DEPTHS.indexOf(entry.depth) >= DEPTHS.indexOf(depth)

/** The memory of an entry without its feed, and of each of its sources in the follower index. */
const ENTRY_BYTES = 800
const SOURCE_BYTES = 16

function weighEntry({ feed }: Entry): number {
  if (!feed) return ENTRY_BYTES
  return ENTRY_BYTES + feed.entries.sizeBytes + countSources(feed) * SOURCE_BYTES
}

/** Changes by which an account's statuses enter or leave feeds, although they stay visible. */
const LIMITING: ReadonlySet<ChangeOf<'account.changed'>> = new Set(['silenced', 'unsilenced'])

/** Changes of a user by which the account may become pending, or no longer. */
const STANDING: ReadonlySet<ChangeOf<'user.changed'>> = new Set(['confirmed', 'approved', 'operator'])

/**
 * Feeds read beyond the newest, and watched ones, that are read at once, and the whole and watched
 * ones of them that are made into entries. After a restart a thousand streams open theirs together:
 * many at once share what they load, but a whole one takes 170 kB while it is read and 300 kB more
 * while it is made. Feeds of which the newest are read do not wait behind them.
 */
const WHOLE_READS = 64
const WHOLE_ASSEMBLIES = 8

export const createFeedCache = (services: Services): FeedCache => new MemoryFeeds(services)

class MemoryFeeds implements FeedCache {
  readonly departures: Departures
  readonly #services: Services
  readonly #relationships: RelationshipCache
  readonly #cache: PinnedCache<Entry>
  readonly #live = createLiveSubscriptions()
  readonly #followers = createFollowerIndex<Entry>()
  readonly #ofOwner = new Map<Id, Set<Entry>>()
  readonly #reading = new Set<Entry>()
  readonly #wholeReads = createSemaphore(WHOLE_READS)
  readonly #assemblies = createSemaphore(WHOLE_ASSEMBLIES)
  #closed = false

  constructor(services: Services) {
    const { config, database, metrics } = services
    this.#services = services
    // It follows events before this cache does.
    this.#relationships = relationships(services)
    this.departures = createDepartures((account, ids, older) => sortByAuthor(database, account, ids, older))
    const limitBytes = shareOf('feeds', config)
    this.#cache = createPinnedCache({ limitBytes, weigh: weighEntry, onRemove: entry => this.#detach(entry) })
    metrics.cache('feeds', () => this.#cache.statistics())
    this.#subscribe()
  }

  async get(name: FeedName, depth: Depth = 'newest'): Promise<Feed | undefined> {
    for (;;) {
      const known = this.#cache.get(keyOf(name))
      const entry = known && !known.failed && reaches(known, depth) ? known : this.#open(name, depth)
      if (entry.feed) return entry.feed
      await entry.ready
      if (entry.absent) return undefined
      if (entry.feed && !entry.detached) return entry.feed
    }
  }

  peek(name: FeedName): Feed | undefined {
    return this.#cache.peek(keyOf(name))?.feed
  }

  watch(name: FeedName): () => void {
    const key = keyOf(name)
    const unpin = this.#cache.pin(key)
    const end = this.#live.start(name)
    const known = this.#cache.peek(key)
    if (!known || known.failed) this.#open(name, 'newest')
    return () => {
      end()
      unpin()
    }
  }

  watchOf(name: FeedName): LiveSubscription | undefined {
    return this.#live.of(name)
  }

  watchedFor(event: LoggedEvent, post: Post): WatchedFeed[] {
    if (this.#live.size === 0) return []
    const found: WatchedFeed[] = []
    for (const entry of this.#entriesFor(event, post)) if (this.#cache.isPinned(entry.key)) found.push(entry)
    for (const entry of this.#reading) if (this.#cache.isPinned(entry.key)) found.push(entry)
    if (!isDeletion(event)) return found
    // The feed may have been read again since, without the author.
    for (const { name, deleted } of this.#live.all())
      if (deleted.has(post.id)) found.push({ name, feed: this.peek(name) })
    return found
  }

  watchedShowing(status: Id, author: Id, tags: readonly string[]): FeedName[] {
    if (this.#live.size === 0) return []
    const names: FeedName[] = []
    for (const { key, name, feed } of this.#followers.of(author, tags))
      if (this.#cache.isPinned(key) && feed?.entries.mayShow(BigInt(status))) names.push(name)
    for (const { name } of this.#reading) if (this.#live.of(name)?.shown?.ids.includes(status)) names.push(name)
    return names
  }

  watchedOf(owner: Id): FeedName[] {
    return [...this.#entriesOf(owner)].flatMap(entry => (this.#cache.isPinned(entry.key) ? entry.name : []))
  }

  forgetHidden(account: Id): void {
    for (const live of this.#live.all()) forgetHidden(live, account)
  }

  #open(name: FeedName, depth: Depth): Entry {
    const { metrics, logger } = this.#services
    const key = keyOf(name)
    const entry = createEntry(name, key, depth)
    this.#recordShown(this.#cache.peek(key))
    this.#cache.set(entry.key, entry)
    this.#reading.add(entry)
    const siblings = this.#ofOwner.get(name.owner)
    if (siblings) siblings.add(entry)
    else this.#ofOwner.set(name.owner, new Set([entry]))
    const isQueued = depth !== 'newest' || this.#cache.isPinned(key)
    const reading = isQueued ? this.#wholeReads.run(() => this.#read(entry)) : this.#read(entry)
    entry.ready = reading.catch((error: unknown) => {
      entry.failed = true
      entry.pendingEvents = []
      throw error
    })
    entry.ready.catch((error: unknown) => {
      if (this.#closed) return
      metrics.errors.inc({ part: 'feeds' })
      logger.warn({ err: error }, 'a feed could not be read, the next request tries again')
    })
    return entry
  }

  async #read(entry: Entry): Promise<void> {
    if (entry.detached) return
    const { name, depth } = entry
    const relations = await this.#relationships.get(name.owner)
    const sources = sourcesOf(name, relations)
    if (!sources) {
      entry.absent = true
      if (this.#cache.peek(entry.key) === entry) this.#cache.delete(entry.key)
      return
    }
    const candidates = await readCandidates(this.#services, relations, sources, depth)
    const assemble = (): void => this.#assemble(entry, candidates, relations, sources)
    if (depth === 'whole' || this.#cache.isPinned(entry.key)) await this.#assemblies.run(async () => assemble())
    else assemble()
  }

  #assemble(entry: Entry, candidates: Candidates, relations: Relations, sources: Sources): void {
    if (entry.detached) return
    const posts = candidates.posts()
    const feed = createFeed(entry.name, relations, candidates.from)
    const now = Date.now()
    const arrivals = candidates.arrivals(posts)
    for (const post of posts) feed.put(post, now, arrivals.get(post.id))
    for (const event of entry.pendingEvents) {
      const post = postOf(event)
      if (post) follow(feed, event, post)
    }
    entry.pendingEvents = []
    entry.feed = feed
    this.#reading.delete(entry)
    this.#followers.add(entry, sources.accounts, sources.tagNames)
    this.#cache.weigh(entry.key)
  }

  #detach(entry: Entry): void {
    entry.detached = true
    this.#reading.delete(entry)
    const siblings = this.#ofOwner.get(entry.name.owner)
    siblings?.delete(entry)
    if (siblings?.size === 0) this.#ofOwner.delete(entry.name.owner)
    if (!entry.feed) return
    const { accounts, tagNames } = entry.feed.sources()
    this.#followers.remove(entry, accounts, tagNames)
  }

  #drop(entry: Entry): void {
    this.#recordShown(entry)
    this.#cache.delete(entry.key)
    if (this.#live.of(entry.name)) this.#open(entry.name, 'newest')
  }

  /** A watched feed is about to be read again: until then its previous content counts. */
  #recordShown(entry: Entry | undefined): void {
    const live = entry?.feed && this.#live.of(entry.name)
    if (live && entry.feed) live.shown = shownBy(entry.feed)
  }

  #entriesOf(owner: Id): Iterable<Entry> {
    return this.#ofOwner.get(owner) ?? []
  }

  #entriesFor(event: LoggedEvent, post: Post): Iterable<Entry> {
    const { author, facts } = post
    if (event.kind !== 'status.updated' || isNonPublic(facts)) {
      const found = this.#followers.of(author, facts.tags)
      return isNonPublic(facts) ? this.#addresseesAmong(found, post) : found
    }
    // An edit may have removed the hashtag that brought the status into a feed; an older version of
    // the server does not name it.
    const { reason, removed_tags: removed } = event.data
    if (removed || reason) return this.#followers.of(author, removed ? [...facts.tags, ...removed] : facts.tags)
    return new Set([...this.#followers.of(author, facts.tags), ...this.#followers.withTags()])
  }

  /** A non-public post of a much-followed account enters only the feeds of these owners. */
  #addresseesAmong(items: readonly Entry[], { author, facts }: Post): ReadonlySet<Entry> {
    const owned = new Set<Entry>()
    for (const owner of [author, ...facts.mentions, ...facts.silent_mentions])
      for (const entry of this.#entriesOf(owner)) if (items.includes(entry)) owned.add(entry)
    return owned
  }

  #subscribe(): void {
    const applyPost = (event: StatusEvent): void => this.#applyPost(event)
    const { events } = this.#services
    const handlers: EventHandlers = {
      'status.updated': applyPost,
      'status.deleted': applyPost,
      'account.changed': event => this.#applyToAccount(event),
      'account.deleted': event => this.#dropFollowing(event.account_id),
      'user.changed': event => {
        if (STANDING.has(event.data.change)) this.#dropFollowing(event.account_id)
      },
      'caches.cleared': ({ account_id: owner }) => {
        const entries =
          owner === null ? [...this.#ofOwner.values()].flatMap(owned => [...owned]) : this.#entriesOf(owner)
        for (const entry of Array.from(entries)) this.#drop(entry)
      },
    }
    const subscriptions = [
      // A new status is applied once, at its commit: nothing before it in the log concerns it.
      onEvents(events.invalidations$, { 'status.created': applyPost }),
      onEvents(events.local$, handlers),
      this.#relationships.changed$.subscribe(({ viewer, event }) => this.#dropOwned(viewer, event)),
    ]
    this.#services.onClose(() => {
      this.#closed = true
      for (const subscription of subscriptions) subscription.unsubscribe()
    })
  }

  #applyPost(event: StatusEvent): void {
    const post = postOf(event)
    if (!post) return
    for (const entry of this.#reading) if (!entry.failed) entry.pendingEvents.push(event)
    const now = Date.now()
    for (const entry of this.#entriesFor(event, post)) if (entry.feed) this.#applyToFeed(event, post, entry.feed, now)
  }

  #applyToFeed(event: LoggedEvent, post: Post, feed: Feed, now: number): void {
    const live = this.#live.size > 0 && isDeletion(event) ? this.#live.of(feed.name) : undefined
    const state = live && feed.entries.state(post.number)
    if (live && state) recordDeletion(live, post.id, state === 'shown')
    follow(feed, event, post, now)
  }

  #applyToAccount(event: EventOf<'account.changed'>): void {
    if (!changesVisibility(event) && !LIMITING.has(event.data.change)) return
    if (isHiding(event)) this.#recordDeparture(event.account_id)
    this.#dropFollowing(event.account_id)
  }

  /** Drops the feeds that may show statuses of an account; those that are being read may too. */
  #dropFollowing(account: Id): void {
    for (const entry of [...this.#followers.of(account, []), ...this.#reading]) this.#drop(entry)
  }

  /** Drops the feeds of an account whose relationships changed. */
  #dropOwned(owner: Id, event: LoggedEvent): void {
    for (const entry of Array.from(this.#entriesOf(owner))) {
      this.#drop(entry)
      const live = this.#live.of(entry.name)
      if (live && isBlockOrMute(event, owner)) recordBefore(live, event)
    }
  }

  /** A feed that is being read again is recorded with its previous content. */
  #recordDeparture(account: Id): void {
    if (this.#live.size === 0) return
    for (const entry of new Set([...this.#followers.of(account, []), ...this.#reading])) {
      const live = this.#live.of(entry.name)
      const shown = entry.feed ? shownBy(entry.feed) : live?.shown
      if (live && shown && (shown.ids.length > 0 || shown.from > 0n)) this.departures.record(account, entry.name, shown)
    }
  }
}
