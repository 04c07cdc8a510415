import { c, query, type Row } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { intern } from '../../core/interner.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { authors, type StatusOutline } from '../../statuses/index.ts'
import { createPost, type FeedFacts, type Post } from './rules.ts'

const findPosts = query(
  'timelines/feeds/posts',
  { ids: c.ids },
  {
    id: c.id,
    account_id: c.id,
    domain: c.nullable(c.text),
    visibility: c.visibility,
    language: c.nullable(c.text),
    reblog_of_id: c.nullable(c.id),
    in_reply_to_id: c.nullable(c.id),
    in_reply_to_account_id: c.nullable(c.id),
    mentions: c.nullable(c.ids),
    silent_mentions: c.nullable(c.ids),
    tags: c.nullable(c.texts),
  },
  { pipelined: true },
)

/**
 * The part of a post that the rules need, without the state of its author and the boosted status.
 */
type StoredPost = Pick<Post, 'author'> &
  Omit<FeedFacts, 'silenced' | 'reblog_account_id' | 'reblog_domain' | 'reblog_mentions'>

/** The posts that feeds are made of, the same for every viewer; in memory, bounded. */
export interface FeedPosts {
  /**
   * Loads the posts with these ids. The returned function makes them, in this order: without
   * deleted ones, and without those of authors who are suspended, pending or being deleted. Until
   * then a caller that waits for its turn holds little memory.
   */
  load(ids: readonly Id[]): Promise<() => Post[]>
  /** Starts loading those that are not in memory. */
  prefetch(ids: readonly Id[]): void
  /** What is in memory of a post. */
  outlineOf(id: Id): StatusOutline | undefined
}

/** More, as of a whole feed or of many feeds that are read at once, are no quick read. */
const QUICK_COUNT = 200

/** Deleted parents that are remembered. Beyond this number all posts are read again. */
const MAX_DELETED = 10_000
const NONE: readonly never[] = []

export const feedPosts: (services: Services) => FeedPosts = perServer(services => {
  const { database, events } = services
  const findMany = { ...findPosts, pipelined: false }
  const stored = eventCache<StoredPost>(services, {
    name: 'posts',
    async load(ids) {
      const rows = await database.run(ids.length > QUICK_COUNT ? findMany : findPosts, { ids })
      return new Map(rows.map(row => [row.id, toStored(row)]))
    },
    drops: {
      'status.updated': event => [event.status_id],
      'status.deleted': event => [event.status_id],
      'account.deleted': 'all',
      'caches.cleared': 'all',
    },
  })
  // Replies to a deleted status lose their parent, and no event names them.
  const deleted = new Set<Id>()
  const subscription = onEvents(events.local$, {
    'status.deleted': ({ status_id: id }) => {
      deleted.add(id)
      if (deleted.size <= MAX_DELETED) return
      stored.clear()
      deleted.clear()
    },
  })
  services.onClose(() => subscription.unsubscribe())

  async function load(ids: readonly Id[]): Promise<() => Post[]> {
    const own = await stored.inOrder(ids)
    const boostedIds = unique(own.map(post => post?.reblog_of_id))
    const authorIds = unique(own.map(post => post?.author))
    const [boosted, standing] = await Promise.all([stored.inOrder(boostedIds), authors(services).inOrder(authorIds)])
    return () => {
      const originals = new Map(boostedIds.map((id, at) => [id, boosted[at]]))
      const authorOf = new Map(authorIds.map((id, at) => [id, standing[at]]))
      const posts: Post[] = []
      for (const [at, id] of ids.entries()) {
        const post = own[at]
        const author = post && authorOf.get(post.author)
        if (!post || !author || author.hidden) continue
        const original = post.reblog_of_id === null ? undefined : originals.get(post.reblog_of_id)
        posts.push(createPost(id, post.author, toFacts(post, original, author.silenced)))
      }
      return posts
    }
  }

  function toFacts(post: StoredPost, original: StoredPost | undefined, silenced: boolean): FeedFacts {
    const { in_reply_to_id: parent } = post
    return {
      visibility: post.visibility,
      domain: post.domain,
      silenced,
      language: post.language,
      reblog_of_id: post.reblog_of_id,
      reblog_account_id: original?.author ?? null,
      reblog_domain: original?.domain ?? null,
      in_reply_to_id: parent !== null && deleted.has(parent) ? null : parent,
      in_reply_to_account_id: post.in_reply_to_account_id,
      mentions: post.mentions,
      silent_mentions: post.silent_mentions,
      tags: post.tags,
      reblog_mentions: original?.mentions ?? NONE,
    }
  }

  return {
    load,
    prefetch(ids) {
      for (const id of ids) stored.prefetch(id)
    },
    outlineOf: id => outlineIn(stored, id),
  }
})

function outlineIn(stored: EventCache<StoredPost>, id: Id): StatusOutline | undefined {
  const post = stored.peek(id)
  if (!post) return undefined
  const { author, reblog_of_id: boosted } = post
  const original = boosted === null ? undefined : stored.peek(boosted)
  return { author, boosted: original && boosted !== null ? { id: boosted, author: original.author } : null }
}

const unique = (ids: readonly (Id | null | undefined)[]): Id[] => [
  ...new Set(ids.filter(id => id !== null && id !== undefined)),
]

const toStored = (row: Row<typeof findPosts.columns>): StoredPost => ({
  author: row.account_id,
  domain: row.domain === null ? null : intern(row.domain),
  visibility: intern(row.visibility),
  language: row.language === null ? null : intern(row.language),
  reblog_of_id: row.reblog_of_id,
  in_reply_to_id: row.in_reply_to_id,
  in_reply_to_account_id: row.in_reply_to_account_id,
  mentions: row.mentions ?? NONE,
  silent_mentions: row.silent_mentions ?? NONE,
  tags: row.tags ?? NONE,
})
