/**
 * Home and list feeds, in memory.
 *
 * Why in memory: a page costs no query except the one that renders it, whatever the number of
 * follows; and a new status costs none at all, however many accounts follow its author: an index
 * finds the feeds in memory (of recently active accounts, bounded) that may take it, and `rules.ts`
 * decides by the relationships of their owners. Nothing is stored, so nothing has to be cleaned up,
 * and inactive accounts cost nothing.
 *
 * A feed that is not in memory is read when somebody asks for it (`candidates.ts`): its newest
 * statuses are found among the newest of the server, which are in memory with what the rules need
 * of them (`recent_posts.ts`), or by an index; what the rules need of older ones is read and cached
 * (`posts.ts`). The 200 newest suffice for most first pages; `Entries` know which pages need more,
 * and then the 600 newest are read from memory, or all that the feed may show from the database. A
 * stream needs no more than the newest either: what concerns an older status is decided by the
 * rules alone, or by a query, and may be a delete of a status that the feed never showed.
 *
 * Convergence: the content of a feed follows from the relationships of its owner and from the
 * existing statuses, not from the order of events (`entries.ts`). So events may be repeated or
 * arrive out of order, and a feed that followed them equals one that was just read;
 * test/timelines/feeds compares them. Events that arrive while a feed is being read are collected
 * and applied afterwards. When the relationships change the feed is dropped, and read at its next
 * use (or at once when it is watched). Two changes take effect only when a feed is read again,
 * because no event reports them: a reply whose parent was deleted later leaves the feed, and a
 * boost is filtered by the mentions in the status's last edit.
 *
 * Reads are ahead of streams: `page` includes the commits of this process at once (`local$`), while
 * a stream follows the log (`log$`). Stream messages are decided when the log reaches the event,
 * from the feed's content at that moment; until then the statuses that left the feed are recorded
 * (`live_subscriptions.ts`). The posts of an account that is suspended or deleted leave all feeds
 * of its followers with one event and one query (`departures.ts`), whatever their number, and with
 * another one the feeds that show them by a hashtag or a boost (`elsewhere.ts`).
 */
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import type { StatusOutline } from '../../statuses/index.ts'
import { DEPTHS } from './candidates.ts'
import { createDecisions, type DecideNow, type FeedUpdate } from './decide.ts'
import { createElsewhere, type Departed } from './elsewhere.ts'
import type { PageRange } from './entries.ts'
import { createFeedCache, type WatchedFeed } from './feed_cache.ts'
import type { FeedName } from './name.ts'
import { recentPosts } from './load_recent_posts.ts'
import { feedPosts } from './posts.ts'

export type { FeedUpdate } from './decide.ts'
export { isHiding } from './departures.ts'
export type { PageRange } from './entries.ts'
export type { WatchedFeed } from './feed_cache.ts'
export { keyOf, type FeedName } from './name.ts'

export interface Feeds {
  /**
   * The ids of a page of the feed, newest first, including this process's own commits; undefined
   * for a list that the owner does not have.
   */
  page(name: FeedName, range: PageRange): Promise<Id[] | undefined>
  /** What is in memory of a status of a page. */
  outlineOf(id: Id): StatusOutline | undefined
  /**
   * Keeps the feed in memory for streams until the returned function is called. Watch before
   * subscribing to `log$`: `concerned` knows only watched feeds, and `decide` is exact only for
   * them.
   */
  watch(name: FeedName): () => void
  /**
   * The watched feeds whose streams may have a message for this event. Call in the order of the
   * log.
   */
  concerned(event: LoggedEvent): WatchedFeed[]
  /**
   * The messages that the stream of a feed sends for an event of the log; waits while the feed or
   * its owner's relationships are being read. For new events call it for one after the other, in
   * order. For past events (a resumed stream) it decides by the feed's present content; deletes
   * caused by a block or mute are not sent again.
   */
  decide(event: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]>
  /**
   * The same without waiting, for each of `concerned` in the same turn; undefined when it would
   * have to wait.
   */
  decideNow(event: LoggedEvent): DecideNow
  /**
   * For an event that hides an account: the other watched feeds that show its statuses, which leave
   * them. Undefined for other events.
   */
  departedElsewhere(event: LoggedEvent): Promise<readonly Departed[]> | undefined
  /**
   * The account of an `unsuspended` event is shown again, so the deletes of its statuses are sent
   * again. Other events have no effect. Call for each new event of the log, in its order.
   */
  returned(event: LoggedEvent): void
}

/** The feeds of this server process. */
export const feeds: (services: Services) => Feeds = perServer(services => {
  const cache = createFeedCache(services)
  // Loads them before the first feed is read.
  recentPosts(services)
  const { concerned, decide, decideNow } = createDecisions(services, cache)
  const elsewhere = createElsewhere(services, cache)
  return {
    async page(name, range) {
      for (const depth of DEPTHS) {
        const feed = await cache.get(name, depth)
        const page = feed?.entries.page(range)
        if (page || !feed) return page
      }
      return undefined
    },
    outlineOf: feedPosts(services).outlineOf,
    watch: name => cache.watch(name),
    concerned,
    decide,
    decideNow,
    departedElsewhere: elsewhere.departed,
    returned: elsewhere.returned,
  }
})
