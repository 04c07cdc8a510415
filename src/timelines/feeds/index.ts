/**
 * Home and list feeds, in memory.
 *
 * Why in memory: a page costs no query but the one that renders it, whatever the number of follows; and a new status costs none at all,
 * however many follow its author: of the feeds in memory (accounts that have read of late, bounded) an index tells those that may take
 * it, and `rules.ts` decides by the `relations` of their owners. Nothing is stored, so nothing has to be cleaned up, and
 * nobody who is away costs anything. A feed that is not in memory is read from the database by one bounded query
 * (`candidates.ts`), and its rows go through the same rules: 20 ms for 300 follows, 50 ms for 5,000 (200,000 statuses).
 *
 * Convergence: what a feed shows follows from the relations of its owner and from which statuses exist, not from the
 * order of events (`entries.ts`). So events may come twice or out of order, and a feed that followed them equals one that was read
 * anew; test/timelines/feeds holds them against each other. While a feed is being read, the events that come are kept and put on top. When the
 * relations change the feed is dropped, and read at its next use (or at once when it is watched). Two things are seen only when a feed is
 * read anew, because an event does not tell them: a reply whose parent was deleted later is then out (row 1 of api/delivery.md,
 * section 2), and a boost is judged by whom the status mentions since its last edit (row 5).
 *
 * Reads are ahead of streams: `page` has what this process committed a moment ago (`local$`), a stream tells of events in the
 * order of the log (`log$`). So what is told is decided when the log comes to the event, by asking whether the feed
 * shows the status, never by whether it was put in just now; and what left the feed is noted until then (`watches.ts`). The posts of an
 * account that is suspended or removed leave all feeds of its followers with one event and one query (`departures.ts`), however many it has.
 */
import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createDecisions, type FeedUpdate } from './decide.ts'
import type { PageRange } from './entries.ts'
import { createFeedCache } from './feed_cache.ts'
import type { FeedName } from './name.ts'

export type { FeedUpdate } from './decide.ts'
export type { PageRange } from './entries.ts'
export { keyOf, type FeedName } from './name.ts'

export interface Feeds {
  /** Ids of a page of the feed, newest first, read-your-writes; undefined for a list that the owner does not have. */
  page(name: FeedName, cut: PageRange): Promise<Id[] | undefined>
  /**
   * Keeps the feed in memory for streams until the function that it gives is called. Watch before subscribing to `log$`:
   * `concerned` knows watched feeds only, and `decide` is exact for them.
   */
  watch(name: FeedName): () => void
  /** The watched feeds whose streams may have something to tell of this event of the log. To be asked in the log's order. */
  concerned(event: LoggedEvent): FeedName[]
  /**
   * What the stream of a feed tells of an event of the log (api/streaming.md, section 5); waits while the feed or its owner's relations
   * are being read. Of events to come ask one after the other, in order. Of events of the past (a resumed stream) it tells by how the
   * feed is now; deletions because of a block or mute of which it was not told at the time are not told.
   */
  decide(event: LoggedEvent, name: FeedName): Promise<readonly FeedUpdate[]>
  /** The same when nothing has to be waited for; else undefined. */
  decideNow(event: LoggedEvent, name: FeedName): readonly FeedUpdate[] | undefined
}

/** The feeds of this server process. */
export const feeds: (services: Services) => Feeds = perServer(services => {
  const keeper = createFeedCache(services)
  const { concerned, decide, decideNow } = createDecisions(services, keeper)
  return {
    page: async (name, cut) => (await keeper.get(name))?.entries.page(cut),
    watch: name => keeper.watch(name),
    concerned,
    decide,
    decideNow,
  }
})
