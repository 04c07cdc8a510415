import { c, query } from '../../platform/database/index.ts'
import { cursorOf, type LoggedEvent } from '../../platform/events/index.ts'
import { timeOfId, type Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { factsOf } from '../../statuses/index.ts'
import { DEPTHS, readAllIds } from './candidates.ts'
import { isHiding } from './departures.ts'
import { isDeletion, postOf, type Feed } from './feed.ts'
import type { FeedCache, WatchedFeed } from './feed_cache.ts'
import { keyOf, type FeedName } from './name.ts'
import { createPost, type Post } from './rules.ts'
import { isBlockOrMute, shownBy, type Shown } from './live_subscriptions.ts'

/** A stream message of a feed, for an event of the log. */
export interface FeedUpdate {
  readonly event: 'update' | 'status.update' | 'delete'
  readonly status: Id
}

/** The messages of each feed, without waiting; undefined when that is not possible. */
export type DecideNow = (watched: WatchedFeed) => readonly FeedUpdate[] | undefined

const concerning = query('timelines/feeds/concerning', { ids: c.ids, account: c.id }, { id: c.id })

/** Older statuses of other servers are not streamed. */
const MAX_REMOTE_AGE_MS = 6 * 60 * 60 * 1000

/** The messages of a feed; undefined when too little of it is in memory. */
type Decide = (feed: Feed | undefined) => readonly FeedUpdate[] | undefined

const NOTHING: readonly FeedUpdate[] = []

/**
 * The post as the feeds knew it before an event by which it may enter feeds that refused it;
 * undefined for other events.
 */
function postBefore(event: LoggedEvent, post: Post): Post | undefined {
  if (event.kind !== 'status.updated' || event.data.reason !== 'reached') return undefined
  return createPost(post.id, post.author, { ...post.facts, ...event.data.previous })
}

/** The message for a new or edited post. */
function decideArrival(event: LoggedEvent, post: Post): Decide {
  if (factsOf(event)?.local === false && Date.now() - timeOfId(post.id) > MAX_REMOTE_AGE_MS) return () => NOTHING
  const { number } = post
  const before = postBefore(event, post)
  const isNew = event.kind === 'status.created' || before !== undefined
  const message: readonly FeedUpdate[] = [{ event: isNew ? 'update' : 'status.update', status: post.id }]
  return feed => {
    if (!feed) return undefined
    const { entries } = feed
    if (before && feed.admits(before)) return NOTHING
    if (number < entries.from) {
      // Older than what is known of the feed: the rules decide, and of a boost all entries.
      if (isNew && post.facts.reblog_of_id !== null) return undefined
      return feed.admits(post) ? message : NOTHING
    }
    if (entries.state(number) === 'shown') return message
    // An edit is also streamed when the status is older than the feed's oldest entry.
    return !isNew && entries.isBeyond(number) && feed.admits(post) ? message : NOTHING
  }
}

/** The message for a deleted post; undefined when the decision needs the feed and there is none. */
function decideDeletion(cache: FeedCache, post: Post, { name, feed }: WatchedFeed): readonly FeedUpdate[] | undefined {
  const had = hadPost(cache, post, { name, feed })
  return had === undefined ? undefined : had ? [{ event: 'delete', status: post.id }] : NOTHING
}

/** Whether the feed showed the deleted post, or its owner is notified in any case. */
function hadPost(cache: FeedCache, post: Post, { name, feed }: WatchedFeed): boolean | undefined {
  if (name.kind === 'home' && (post.author === name.owner || post.facts.mentions.includes(name.owner))) return true
  if (cache.departures.take(post.author, name, post.id)) return true
  const live = cache.watchOf(name)
  if (live?.hidden.delete(post.id)) return false
  const recorded = live?.deleted.get(post.id)
  if (recorded !== undefined) return recorded
  if (!feed) return undefined
  // The feed may have been read after the deletion; the rules then decide whether it had the
  // post.
  return feed.admits(post) && !feed.entries.isBeyond(post.number)
}

/** The ids that a feed showed, and the older ones that it may have shown. */
async function idsOf(services: Services, { ids, from, sources }: Shown): Promise<readonly Id[]> {
  if (from === 0n) return ids
  const all = await readAllIds(services, sources)
  return [...ids, ...all.filter(id => BigInt(id) < from)]
}

const idsOfFeed = async (services: Services, feed: Feed | undefined): Promise<readonly Id[]> =>
  feed ? idsOf(services, shownBy(feed)) : []

export function createDecisions(services: Services, cache: FeedCache) {
  const { database } = services

  const withFeed = (name: FeedName): WatchedFeed => ({ name, feed: cache.peek(name) })

  function concerned(event: LoggedEvent): WatchedFeed[] {
    const post = postOf(event)
    if (!post) {
      const { actor_id: actor, account_id: account } = event
      if (account !== null && isHiding(event)) return cache.departures.of(account).map(withFeed)
      return actor !== null && isBlockOrMute(event, actor) ? cache.watchedOf(actor).map(withFeed) : []
    }
    const watched = cache.watchedFor(event, post)
    if (!isDeletion(event)) return watched
    const all = new Map(watched.map(one => [keyOf(one.name), one]))
    for (const name of cache.departures.showing(post.author, post.id)) all.set(keyOf(name), withFeed(name))
    for (const owner of [post.author, ...post.facts.mentions]) {
      const home: FeedName = { kind: 'home', owner }
      if (cache.watchOf(home)) all.set(keyOf(home), withFeed(home))
    }
    return [...all.values()]
  }

  async function decide(event: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]> {
    if (isBlockByOwner(event, name)) return decideBlock(event, name)
    if (isHiding(event)) return decideHiding(event, name)
    const known = decideBy(event, name, cache.peek(name))
    if (known) return known
    for (const depth of DEPTHS) {
      const decision = decideBy(event, name, await cache.get(name, depth))
      if (decision) return decision
    }
    return NOTHING
  }

  function decideNow(event: LoggedEvent): DecideNow {
    const post = postOf(event)
    if (!post) return ({ name }) => (isBlockByOwner(event, name) || isHiding(event) ? undefined : NOTHING)
    if (isDeletion(event)) return watched => decideDeletion(cache, post, watched)
    const decideFor = decideArrival(event, post)
    return ({ feed }) => decideFor(feed)
  }

  const isBlockByOwner = (event: LoggedEvent, { owner }: FeedName): boolean =>
    !postOf(event) && isBlockOrMute(event, owner)

  /** Undefined when the decision needs the feed and there is none. */
  function decideBy(event: LoggedEvent, name: FeedName, feed: Feed | undefined): readonly FeedUpdate[] | undefined {
    const post = postOf(event)
    if (!post) return NOTHING
    return isDeletion(event) ? decideDeletion(cache, post, { name, feed }) : decideArrival(event, post)(feed)
  }

  async function decideBlock(event: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]> {
    if (event.account_id === null) return []
    const before = cache.watchOf(name)?.before.get(cursorOf(event))
    const ids = before ? await idsOf(services, before) : await idsOfFeed(services, await cache.get(name))
    if (ids.length === 0) return []
    const rows = await database.run(concerning, { ids: [...ids], account: event.account_id })
    return rows.map(({ id }) => ({ event: 'delete', status: id }))
  }

  async function decideHiding({ account_id: account }: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]> {
    const left = account === null ? [] : await cache.departures.settle(account, name)
    return left.map(status => ({ event: 'delete', status }))
  }

  return { concerned, decide, decideNow }
}
