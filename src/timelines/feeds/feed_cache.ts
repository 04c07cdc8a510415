import { c, query, type Database } from '../../platform/database/index.ts'
import type { LoggedEvent } from '../../platform/events/index.ts'
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
  /** The feed with everything in it that this process has heard of; undefined for a list that the account does not have. */
  get(name: FeedName): Promise<Feed | undefined>
  /** The same, when it is in memory. */
  peek(name: FeedName): Feed | undefined
  /** Keeps the feed, and notes what its stream has to tell, until released. */
  watch(name: FeedName): () => void
  watchOf(name: FeedName): LiveSubscription | undefined
  /** What watched feeds showed of accounts that were hidden. */
  readonly departures: Departures
  /** Watched feeds that are in memory and may take or have the post, and those that are just being read. */
  watchedFor(event: LoggedEvent, post: Post): FeedName[]
  /** Watched feeds of an account. */
  watchedOf(owner: Id): FeedName[]
}

/** A place for a feed: while it is being read it keeps the events that come meanwhile, which the read may have missed. */
interface Entry {
  readonly name: FeedName
  readonly key: string
  feed: Feed | undefined
  heard: LoggedEvent[]
  /** Dropped or forgotten: whoever waited for it starts again. */
  gone: boolean
  /** Could not be read; the next who asks tries again. */
  failed: boolean
  /** The list does not exist. */
  absent: boolean
  ready: Promise<void>
}

const theirs = query('timelines/feeds/theirs', { ids: c.ids, account: c.id }, { id: c.id, gone: c.boolean })

/** Statuses that are looked up at once, of all that watched feeds showed. */
const SORTED_AT_ONCE = 20_000

async function sortTheirs(database: Database, account: Id, ids: ReadonlySet<Id>): Promise<Sorted> {
  const sorted = { theirs: new Set<Id>(), gone: new Set<Id>() }
  const all = [...ids]
  for (let from = 0; from < all.length; from += SORTED_AT_ONCE) {
    const rows = await database.run(theirs, { ids: all.slice(from, from + SORTED_AT_ONCE), account })
    for (const { id, gone } of rows) (gone ? sorted.gone : sorted.theirs).add(id)
  }
  return sorted
}

/** What a slot takes in any case, and for each of its sources in the index of who hears of what. */
const SLOT_BYTES = 800
const SOURCE_BYTES = 50

function weighSlot({ feed }: Entry): number {
  if (!feed) return SLOT_BYTES
  const { accounts, tags } = feed.sources()
  return SLOT_BYTES + feed.entries.sizeBytes + (sizeOf(accounts) + sizeOf(tags)) * SOURCE_BYTES
}

function sizeOf(some: Iterable<unknown>): number {
  let size = 0
  for (const _one of some) size += 1
  return size
}

/** Changes of an account after which its statuses are in feeds as before. */
const HARMLESS = new Set(['created', 'profile', 'role', 'counts'])

export function createFeedCache(services: Services): FeedCache {
  const { config, database, events, logger, metrics } = services
  const related = relationships(services)
  const watches = createLiveSubscriptions()
  const departures = createDepartures((account, ids) => sortTheirs(database, account, ids))
  const audience = createFollowerIndex<Entry>()
  const ofOwner = new Map<Id, Set<Entry>>()
  const reading = new Set<Entry>()
  let closed = false
  const slots = createPinnedCache<Entry>({ limitBytes: shareOf('feeds', config), weigh: weighSlot, onRemove: detach })
  metrics.cache('feeds', slots.statistics)

  function open(name: FeedName): Entry {
    const slot: Entry = {
      name,
      key: keyOf(name),
      feed: undefined,
      heard: [],
      gone: false,
      failed: false,
      absent: false,
      ready: Promise.resolve(),
    }
    slots.set(slot.key, slot)
    reading.add(slot)
    const siblings = ofOwner.get(name.owner)
    if (siblings) siblings.add(slot)
    else ofOwner.set(name.owner, new Set([slot]))
    slot.ready = read(slot).catch((error: unknown) => {
      slot.failed = true
      slot.heard = []
      throw error
    })
    slot.ready.catch((error: unknown) => {
      if (closed) return
      metrics.errors.inc({ part: 'feeds' })
      logger.warn({ err: error }, 'a feed could not be read, the next who asks tries again')
    })
    return slot
  }

  async function read(slot: Entry): Promise<void> {
    const feed = createFeed(slot.name, await related.get(slot.name.owner))
    if (!feed) {
      slot.absent = true
      if (slots.peek(slot.key) === slot) slots.delete(slot.key)
      return
    }
    const { accounts, tags, tagNames } = feed.sources()
    const posts = await readCandidates(database, slot.name.owner, { accounts, tags })
    if (slot.gone) return
    for (const post of posts) feed.put(post, post.arrived)
    for (const event of slot.heard) {
      const post = postOf(event)
      if (post) follow(feed, event, post)
    }
    slot.heard = []
    slot.feed = feed
    reading.delete(slot)
    audience.add(slot, accounts, tagNames)
    slots.weigh(slot.key)
  }

  function detach(slot: Entry): void {
    slot.gone = true
    reading.delete(slot)
    const siblings = ofOwner.get(slot.name.owner)
    siblings?.delete(slot)
    if (siblings?.size === 0) ofOwner.delete(slot.name.owner)
    if (!slot.feed) return
    const { accounts, tagNames } = slot.feed.sources()
    audience.remove(slot, accounts, tagNames)
  }

  async function get(name: FeedName): Promise<Feed | undefined> {
    for (;;) {
      const known = slots.get(keyOf(name))
      const slot = known && !known.failed ? known : open(name)
      if (slot.feed) return slot.feed
      await slot.ready
      if (slot.absent) return undefined
      if (slot.feed && !slot.gone) return slot.feed
    }
  }

  function drop(slot: Entry): void {
    const watch = watches.of(slot.name)
    if (watch && slot.feed) watch.shown = slot.feed.entries.all()
    slots.delete(slot.key)
    if (watch) open(slot.name)
  }

  /** Of somebody whom thousands follow, only these are to be asked. */
  function addresseesAmong(some: ReadonlySet<Entry>, { author, facts }: Post): ReadonlySet<Entry> {
    const owned = new Set<Entry>()
    for (const owner of [author, ...facts.mentions, ...facts.silent_mentions])
      for (const slot of ofOwner.get(owner) ?? []) if (some.has(slot)) owned.add(slot)
    return owned
  }

  function audienceOf(event: LoggedEvent, post: Post): ReadonlySet<Entry> {
    const found = audience.of(post.author, post.facts.tags)
    if (isNonPublic(post.facts)) return addresseesAmong(found, post)
    // An edit may have taken away the tag by which a feed has the status.
    return event.kind === 'status.updated' ? new Set([...found, ...audience.withTags()]) : found
  }

  function hear(event: LoggedEvent): void {
    const post = postOf(event)
    if (post) {
      for (const slot of reading) if (!slot.failed) slot.heard.push(event)
      for (const slot of audienceOf(event, post)) if (slot.feed) pass(event, post, slot.feed)
      return
    }
    if (event.kind === 'caches.cleared') {
      for (const slot of [...ofOwner.values()].flatMap(owned => [...owned])) drop(slot)
      return
    }
    const isAccount = event.kind === 'account.changed' && !HARMLESS.has(String(event.data['what']))
    if (event.account_id === null || !(isAccount || event.kind === 'account.deleted')) return
    if (isHiding(event)) noteDeparture(event.account_id)
    for (const slot of Array.from(audience.of(event.account_id, []))) drop(slot)
  }

  /** Of a feed that is being read anew counts what it showed before. */
  function noteDeparture(account: Id): void {
    if (watches.size === 0) return
    for (const slot of new Set([...audience.of(account, []), ...reading])) {
      const watch = watches.of(slot.name)
      const shown = slot.feed?.entries.all() ?? watch?.shown ?? []
      if (watch && shown.length > 0) departures.note(account, slot.name, shown)
    }
  }

  function pass(event: LoggedEvent, post: Post, feed: Feed): void {
    const watch = watches.size > 0 && isDeletion(event) ? watches.of(feed.name) : undefined
    const state = watch && feed.entries.state(BigInt(post.id))
    if (watch && state) recordDeletion(watch, post.id, state === 'shown')
    follow(feed, event, post)
  }

  const subscriptions = [
    events.local$.subscribe(hear),
    related.changed$.subscribe(({ viewer, event }) => {
      for (const slot of Array.from(ofOwner.get(viewer) ?? [])) {
        drop(slot)
        const watch = watches.of(slot.name)
        if (watch && isBlockOrMute(event, viewer)) recordBefore(watch, event)
      }
    }),
  ]
  services.onClose(() => {
    closed = true
    for (const subscription of subscriptions) subscription.unsubscribe()
  })

  return {
    get,
    peek: name => slots.peek(keyOf(name))?.feed,
    watch(name) {
      const key = keyOf(name)
      const unpin = slots.pin(key)
      const end = watches.start(name)
      if (!slots.peek(key)) open(name)
      return () => {
        end()
        unpin()
      }
    },
    watchOf: name => watches.of(name),
    departures,
    watchedFor(event, post) {
      if (watches.size === 0) return []
      const names: FeedName[] = []
      for (const slot of audienceOf(event, post)) if (slots.isPinned(slot.key)) names.push(slot.name)
      for (const slot of reading) if (slots.isPinned(slot.key)) names.push(slot.name)
      return names
    },
    watchedOf: owner => [...(ofOwner.get(owner) ?? [])].flatMap(slot => (slots.isPinned(slot.key) ? slot.name : [])),
  }
}
