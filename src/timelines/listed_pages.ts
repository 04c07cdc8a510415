import { LRUCache } from 'lru-cache'
import { c, type Row } from '../platform/database/index.ts'
import { isStatusEvent, onEvents, type EventOf, type StatusEvent } from '../platform/events/index.ts'
import { hashtagTag, tagsOf } from '../platform/http/index.ts'
import { perServer, type Services } from '../platform/services.ts'

/** The columns of a post in a public timeline, and those that viewers exclude posts by. */
export const LISTED = {
  id: c.id,
  account_id: c.id,
  /** The author's domain; null for this server. */
  domain: c.nullable(c.text),
} as const

export type ListedPost = Readonly<Row<typeof LISTED>>

/** Pages of public timelines, cached until an event may have changed them. */
export interface ListedPages {
  /**
   * The page with this key; `read` loads it when it is not cached. Concurrent callers share one
   * load.
   * @param topics `PUBLIC`, or those of the hashtags that select the page's posts
   * @param page `limit` is the most posts that it can have
   */
  get(
    topics: readonly string[],
    page: { readonly key: string; readonly limit: number },
    read: () => Promise<readonly ListedPost[]>,
  ): Promise<readonly ListedPost[]>
}

/** The topic of every public post. */
export const PUBLIC = 'public'

const PAGES = 2000
/** The limit of all posts of the pages, some 120 bytes each. */
const POSTS = PAGES * 40
const TOPICS = 2000
/**
 * The limit of all characters of the keys of each kind. A key has about a hundred; made-up names of
 * hashtags make it a hundred times as long.
 */
const KEY_CHARACTERS = 1024 * 1024
/** A page is weighed by its posts, or by as much of its key as weighs the same. */
const CHARACTERS_PER_POST = KEY_CHARACTERS / POSTS

interface Page {
  /** The epochs of its topics when it was read. The page is valid while they are current. */
  readonly epochs: readonly object[]
  readonly posts: Promise<readonly ListedPost[]>
  readonly limit: number
}

export const listedPages: (services: Services) => ListedPages = perServer(services => {
  const pages = new LRUCache<string, Page>({
    max: PAGES,
    maxSize: POSTS,
    sizeCalculation: ({ limit }, key) => Math.max(1, limit, Math.ceil(key.length / CHARACTERS_PER_POST)),
  })
  /**
   * An object that stands for the time since a topic last changed. Its eviction also ends the
   * epoch.
   */
  const epochs = new LRUCache<string, object>({
    max: TOPICS,
    maxSize: KEY_CHARACTERS,
    sizeCalculation: (_, topic) => topic.length,
  })

  function epochOf(topic: string): object {
    let epoch = epochs.get(topic)
    if (!epoch) epochs.set(topic, (epoch = {}))
    return epoch
  }

  const onAddedOrRemoved = ({ data }: StatusEvent): void => {
    if (data.visibility !== 'public' || data.reblog_of_id !== null) return
    epochs.delete(PUBLIC)
    for (const tag of data.tags) epochs.delete(hashtagTag(tag))
  }

  const onUpdated = (event: EventOf<'status.updated'>): void => {
    const { reason, removed_tags: removed } = event.data
    onAddedOrRemoved(event)
    // An older version of the server does not name the hashtags that an edit removed.
    if (reason === undefined && !removed) epochs.clear()
    for (const tag of removed ?? []) epochs.delete(hashtagTag(tag))
  }

  const subscription = onEvents(services.events.local$, {
    'status.created': onAddedOrRemoved,
    'status.deleted': onAddedOrRemoved,
    'status.updated': onUpdated,
  })
  // Events that may change any anonymous page may change these.
  subscription.add(
    services.events.local$.subscribe(event => {
      if (!isStatusEvent(event) && tagsOf(event) === 'everything') epochs.clear()
    }),
  )
  services.onClose(() => subscription.unsubscribe())
  return {
    get(topics, { key, limit }, read) {
      const now = topics.map(epochOf)
      const known = pages.get(key)
      if (known?.epochs.every((epoch, at) => epoch === now[at])) return known.posts
      const page: Page = { epochs: now, posts: read(), limit }
      pages.set(key, page)
      page.posts.catch(() => {
        if (pages.peek(key) === page) pages.delete(key)
      })
      return page.posts
    },
  }
})
