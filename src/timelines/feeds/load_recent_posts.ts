import { c, query } from '../../platform/database/index.ts'
import { onEvents, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { shareOf } from '../../platform/cache/shares.ts'
import type { CacheFigures } from '../../platform/metrics/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { authors } from '../../statuses/index.ts'
import { RecentPosts, type NewestPosts, type Wanted } from './recent_posts.ts'
import type { FeedFacts } from './rules.ts'
import { postOfEvent, postsOfRecent, RECENT_COLUMNS, type StoredPost } from './stored_post.ts'

const findRecent = query('timelines/feeds/recent', { below: c.id, limit: c.integer }, RECENT_COLUMNS)

const NOBODY: ReadonlySet<Id> = new Set()

/** A day of ten thousand people. */
const LIMIT = 50_000
/** Posts that one statement loads. */
const LOADED_AT_ONCE = 5000
/** Posts that are loaded at the start: enough for most first pages. */
const LOADED_FIRST = 10_000
/** Reads that needed older posts than the known ones, after which some of these are loaded. */
const MISSES = 4

/** The newest posts of the server in memory, from which first pages of feeds are made. */
export interface RecentPostsCache {
  /**
   * As `RecentPosts.newest`; undefined also while the posts are not in memory. They are loaded when
   * the server starts, and by the first call after `caches.cleared`; older ones when they pay.
   */
  newest(wanted: Wanted, limit: number, each: number): NewestPosts | undefined
  /** The post, if it is known. */
  get(id: Id): StoredPost | undefined
  /** All are loaded again. */
  clear(): void
}

export const recentPosts: (services: Services) => RecentPostsCache = perServer(services => {
  const loaded = new LoadedPosts(services)
  const onChange = (event: LoggedEvent): void => loaded.apply(event)
  const subscriptions = [
    // As feeds do: a new post is added at its commit, before its turn in the log.
    onEvents(services.events.invalidations$, { 'status.created': onChange, 'status.updated': onChange }),
    onEvents(services.events.local$, {
      'status.deleted': onChange,
      'account.deleted': onChange,
      'caches.cleared': () => loaded.clear(),
    }),
  ]
  services.onClose(() => {
    for (const subscription of subscriptions) subscription.unsubscribe()
  })
  services.metrics.cache('recent_posts', () => loaded.statistics())
  void loaded.load(LOADED_FIRST)
  return loaded
})

class LoadedPosts implements RecentPostsCache {
  readonly #services: Services
  readonly #limitBytes: number
  #recent: RecentPosts | undefined
  /** Changes when the posts are cleared: what is being loaded is then not to be used. */
  #generation = 0
  #isLoading = false
  #wantsOlder = true
  /** While some are loaded: the events since, which the statement may have missed. */
  #since: LoggedEvent[] = []
  #hits = 0
  #misses = 0

  constructor(services: Services) {
    this.#services = services
    this.#limitBytes = shareOf('recent_posts', services.config)
  }

  newest(wanted: Wanted, limit: number, each: number): NewestPosts | undefined {
    const found = this.#recent?.newest(wanted, limit, each)
    if (found) {
      this.#hits += 1
      return found
    }
    this.#misses += 1
    if (!this.#recent) void this.load(LOADED_FIRST)
    else if (this.#wantsOlder && this.#misses % MISSES === 0) void this.load(LOADED_AT_ONCE)
    return undefined
  }

  get(id: Id): StoredPost | undefined {
    return this.#recent?.get(id)
  }

  apply(event: LoggedEvent): void {
    if (this.#recent) apply(this.#recent, event)
    if (this.#isLoading) this.#since.push(event)
  }

  clear(): void {
    this.#recent = undefined
    this.#generation += 1
  }

  statistics(): CacheFigures {
    return {
      limitBytes: this.#limitBytes,
      sizeBytes: this.#recent?.sizeBytes ?? 0,
      size: this.#recent?.size ?? 0,
      hits: this.#hits,
      misses: this.#misses,
    }
  }

  /** Loads so many older posts, unless some are being loaded. */
  async load(count: number): Promise<void> {
    if (this.#isLoading) return
    this.#isLoading = true
    const posts = this.#recent ?? new RecentPosts(LIMIT, this.#limitBytes)
    const generation = this.#generation
    try {
      this.#wantsOlder = true
      for (let left = count; left > 0 && this.#wantsOlder; left -= LOADED_AT_ONCE) {
        const authorIds = await this.#loadInto(posts, generation)
        if (generation !== this.#generation) return
        await authors(this.#services).get(authorIds)
      }
    } catch (error) {
      this.#services.logger.warn({ err: error }, 'the newest posts could not be read, the next feed tries again')
    } finally {
      this.#isLoading = false
      this.#since = []
    }
  }

  async #loadInto(posts: RecentPosts, generation: number): Promise<ReadonlySet<Id>> {
    this.#since = []
    const below = posts.from
    const row = await this.#services.database.one(findRecent, { below: String(below), limit: LOADED_AT_ONCE })
    if (!row || generation !== this.#generation) return NOBODY
    const older = postsOfRecent(row)
    this.#wantsOlder = posts.prepend(older, below, older.ids.length < LOADED_AT_ONCE)
    for (const event of this.#since) apply(posts, event)
    this.#recent = posts
    return new Set(older.authors)
  }
}

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
