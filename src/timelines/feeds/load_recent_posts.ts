import { c, query } from '../../platform/database/index.ts'
import { onEvents, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { shareOf } from '../../platform/cache/shares.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { RecentPosts, type NewestPosts, type Wanted } from './recent_posts.ts'
import type { FeedFacts } from './rules.ts'
import { postOfEvent, postOfRow, POST_COLUMNS, type StoredPost } from './stored_post.ts'

const findRecent = query('timelines/feeds/recent', { below: c.id, limit: c.integer }, POST_COLUMNS)

/** A day of ten thousand people. */
const LIMIT = 50_000
/** Posts that one statement loads. The newest, which are asked for most, are soon there. */
const LOADED_AT_ONCE = 5000

/** The newest posts of the server in memory, from which first pages of feeds are made. */
export interface RecentPostsCache {
  /**
   * As `RecentPosts.newest`; undefined also while the posts are not in memory. They are loaded when
   * the server starts, the newest first, and by the first call after `caches.cleared`.
   */
  newest(wanted: Wanted, limit: number, each: number): NewestPosts | undefined
  /** The post, if it is known. */
  get(id: Id): StoredPost | undefined
  /** Posts with such facts are to be read again. */
  dropFactsWhere(isStale: (facts: FeedFacts) => boolean): void
}

export const recentPosts: (services: Services) => RecentPostsCache = perServer(services => {
  const { config, database, events, logger, metrics } = services
  const limitBytes = shareOf('recent_posts', config)
  let recent: RecentPosts | undefined
  /** While some are loaded: the events since, which the statement may have missed. */
  let missed: LoggedEvent[] | undefined
  let hits = 0
  let misses = 0

  async function load(): Promise<void> {
    const loaded = new RecentPosts(LIMIT, limitBytes)
    let since: LoggedEvent[] = []
    try {
      for (let isWanted = true; isWanted;) {
        missed = since = []
        const below = loaded.from
        const rows = await database.run(findRecent, { below: String(below), limit: LOADED_AT_ONCE })
        if (missed !== since) return
        const ids = rows.map(({ id }) => id)
        isWanted = loaded.prepend(ids, rows.map(postOfRow), below, rows.length < LOADED_AT_ONCE)
        for (const event of since) apply(loaded, event)
        recent = loaded
      }
    } catch (error) {
      logger.warn({ err: error }, 'the newest posts could not be read, the next feed tries again')
    }
    if (missed === since) missed = undefined
  }

  function onChange(event: LoggedEvent): void {
    if (recent) apply(recent, event)
    missed?.push(event)
  }

  const subscriptions = [
    // As feeds do: a new post is added at its commit, before its turn in the log.
    onEvents(events.invalidations$, { 'status.created': onChange, 'status.updated': onChange }),
    onEvents(events.local$, {
      'status.deleted': onChange,
      'account.deleted': onChange,
      'caches.cleared': () => {
        recent = undefined
        missed = undefined
      },
    }),
  ]
  services.onClose(() => {
    for (const subscription of subscriptions) subscription.unsubscribe()
  })
  metrics.cache('recent_posts', () => ({
    limitBytes,
    sizeBytes: recent?.sizeBytes ?? 0,
    size: recent?.size ?? 0,
    hits,
    misses,
  }))

  void load()
  return {
    newest(wanted, limit, each) {
      if (!recent && !missed) void load()
      const found = recent?.newest(wanted, limit, each)
      if (found) hits += 1
      else misses += 1
      return found
    },
    get: id => recent?.get(id),
    dropFactsWhere(isStale) {
      recent?.dropFactsWhere(isStale)
    },
  }
})

function apply(posts: RecentPosts, event: LoggedEvent): void {
  if (event.kind === 'status.created') {
    const { author, facts } = postOfEvent(event)
    posts.add(event.status_id, author, facts)
  } else if (event.kind === 'status.updated') {
    // It may come before the event of the creation, whose facts are older.
    posts.add(event.status_id, event.actor_id, undefined)
    posts.dropFacts(event.status_id)
  } else if (event.kind === 'status.deleted') posts.remove(event.status_id)
  else if (event.kind === 'account.deleted') {
    posts.removeAccount(event.account_id)
    posts.dropFactsWhere(facts => concerns(facts, event.account_id))
  }
}

/** Whether an account is mentioned or answered. */
const concerns = (
  { mentions, silent_mentions: silent, in_reply_to_account_id: answered }: FeedFacts,
  id: Id,
): boolean => answered === id || mentions.includes(id) || silent.includes(id)
