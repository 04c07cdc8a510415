import { c, query } from '../../platform/database/index.ts'
import { cursorOf, type LoggedEvent } from '../../platform/events/index.ts'
import { timeOfId, type Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { factsOf } from '../../statuses/index.ts'
import { readAllIds } from './candidates.ts'
import { isHiding } from './departures.ts'
import { isDeletion, postOf, type Feed } from './feed.ts'
import type { FeedCache } from './feed_cache.ts'
import { keyOf, type FeedName } from './name.ts'
import type { Post } from './rules.ts'
import { isBlockOrMute, shownBy, type Shown } from './live_subscriptions.ts'

/** A stream message of a feed, for an event of the log. */
export interface FeedUpdate {
  readonly event: 'update' | 'status.update' | 'delete'
  readonly status: Id
}

const concerning = query('timelines/feeds/concerning', { ids: c.ids, account: c.id }, { id: c.id })

/** Older statuses of other servers are not streamed. */
const MAX_REMOTE_AGE_MS = 6 * 60 * 60 * 1000

/** The message for a new or edited post; undefined when too little of the feed is in memory. */
function decideArrival(event: LoggedEvent, post: Post, feed: Feed | undefined): readonly FeedUpdate[] | undefined {
  if (factsOf(event)?.local === false && Date.now() - timeOfId(post.id) > MAX_REMOTE_AGE_MS) return []
  if (!feed) return undefined
  const id = BigInt(post.id)
  const isNew = event.kind === 'status.created'
  if (id < feed.entries.from) {
    // Older than what is known of the feed: the rules decide, and of a boost all entries.
    if (isNew && post.facts.reblog_of_id !== null) return undefined
    if (!feed.admits(post)) return []
  } else if (feed.entries.state(id) !== 'shown' && (isNew || !feed.entries.isBeyond(id) || !feed.admits(post))) {
    // An edit is also streamed when the status is older than the feed's oldest entry.
    return []
  }
  return [{ event: isNew ? 'update' : 'status.update', status: post.id }]
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

  function concerned(event: LoggedEvent): FeedName[] {
    const post = postOf(event)
    if (!post) {
      const { actor_id: actor, account_id: account } = event
      if (account !== null && isHiding(event)) return cache.departures.of(account)
      return actor !== null && isBlockOrMute(event, actor) ? cache.watchedOf(actor) : []
    }
    const names = cache.watchedFor(event, post)
    if (!isDeletion(event)) return names
    const all = new Map(names.map(name => [keyOf(name), name]))
    for (const name of cache.departures.showing(post.author, post.id)) all.set(keyOf(name), name)
    for (const owner of [post.author, ...post.facts.mentions]) {
      const home: FeedName = { kind: 'home', owner }
      if (cache.watchOf(home)) all.set(keyOf(home), home)
    }
    return [...all.values()]
  }

  async function decide(event: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]> {
    if (isBlockByOwner(event, name)) return decideBlock(event, name)
    if (isHiding(event)) return decideHiding(event, name)
    return (
      decideNow(event, name) ??
      decideBy(event, name, await cache.get(name)) ??
      decideBy(event, name, await cache.get(name, true)) ??
      []
    )
  }

  function decideNow(event: LoggedEvent, name: FeedName): readonly FeedUpdate[] | undefined {
    return isBlockByOwner(event, name) || isHiding(event) ? undefined : decideBy(event, name, cache.peek(name))
  }

  const isBlockByOwner = (event: LoggedEvent, { owner }: FeedName): boolean =>
    !postOf(event) && isBlockOrMute(event, owner)

  /** Undefined when the decision needs the feed and there is none. */
  function decideBy(event: LoggedEvent, name: FeedName, feed: Feed | undefined): readonly FeedUpdate[] | undefined {
    const post = postOf(event)
    if (!post) return []
    if (!isDeletion(event)) return decideArrival(event, post, feed)
    const had = hadPost(post, name, feed)
    return had === undefined ? undefined : had ? [{ event: 'delete', status: post.id }] : []
  }

  /** Whether the feed showed the deleted post, or its owner is notified in any case. */
  function hadPost(post: Post, name: FeedName, feed: Feed | undefined): boolean | undefined {
    if (name.kind === 'home' && (post.author === name.owner || post.facts.mentions.includes(name.owner))) return true
    if (cache.departures.take(post.author, name, post.id)) return true
    const live = cache.watchOf(name)
    if (live?.hidden.delete(post.id)) return false
    const recorded = live?.deleted.get(post.id)
    if (recorded !== undefined) return recorded
    if (!feed) return undefined
    // The feed may have been read after the deletion; the rules then decide whether it had the
    // post.
    return feed.admits(post) && !feed.entries.isBeyond(BigInt(post.id))
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
