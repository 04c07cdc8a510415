import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { eventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { authors, type StatusOutline } from '../../statuses/index.ts'
import { recentPosts } from './load_recent_posts.ts'
import { createPost, type FeedFacts, type Post } from './rules.ts'
import { completeFacts, postOfRow, POST_COLUMNS, weighFacts, type StoredPost } from './stored_post.ts'

const findPosts = query('timelines/feeds/posts', { ids: c.ids }, POST_COLUMNS, { pipelined: true })

/** The posts that feeds are made of, the same for every viewer; in memory, bounded. */
export interface FeedPosts {
  /**
   * Loads the posts with these ids. The returned function makes them, in this order: without
   * deleted ones, and without those of authors who are suspended, pending or being deleted. Until
   * then a caller that waits for its turn holds little memory.
   * @param known those that were found with the ids
   */
  load(ids: readonly Id[], known?: readonly (StoredPost | undefined)[]): Promise<() => Post[]>
  /** What is in memory of a post. */
  outlineOf(id: Id): StatusOutline | undefined
}

/** More, as of a whole feed or of many feeds that are read at once, are no quick read. */
const QUICK_COUNT = 200

/** A `StoredPost` without its facts, which plain posts share. */
const POST_BYTES = 40

/** Deleted parents that are remembered. Beyond this number all posts are read again. */
const MAX_DELETED = 10_000

export const feedPosts: (services: Services) => FeedPosts = perServer(services => {
  const { database, events } = services
  const recent = recentPosts(services)
  const findMany = { ...findPosts, pipelined: false }
  const stored = eventCache<StoredPost>(services, {
    name: 'posts',
    weigh: ({ facts }) => POST_BYTES + weighFacts(facts),
    async load(ids) {
      const rows = await database.run(ids.length > QUICK_COUNT ? findMany : findPosts, { ids })
      return new Map(rows.map(row => [row.id, postOfRow(row)]))
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
      recent.clear()
      stored.clear()
      deleted.clear()
    },
  })
  services.onClose(() => subscription.unsubscribe())

  const isOrphan = ({ in_reply_to_id: parent }: FeedFacts): boolean => parent !== null && deleted.has(parent)

  async function fetch(
    ids: readonly Id[],
    known: readonly (StoredPost | undefined)[] = ids.map(id => recent.get(id)),
  ): Promise<readonly (StoredPost | undefined)[]> {
    if (!known.includes(undefined)) return known
    const loaded = await stored.get(ids.filter((_, at) => !known[at]))
    return ids.map((id, at) => known[at] ?? loaded.get(id))
  }

  async function load(ids: readonly Id[], known?: readonly (StoredPost | undefined)[]): Promise<() => Post[]> {
    const own = await fetch(ids, known)
    const boostedIds = unique(own.map(post => post?.facts.reblog_of_id))
    const authorIds = unique(own.map(post => post?.author))
    const [boosted, standing] = await Promise.all([fetch(boostedIds), authors(services).inOrder(authorIds)])
    return () => {
      const originals = new Map(boostedIds.map((id, at) => [id, boosted[at]]))
      const authorOf = new Map(authorIds.map((id, at) => [id, standing[at]]))
      return ids.flatMap((id, at) => {
        const post = own[at]
        const author = post && authorOf.get(post.author)
        if (!author || author.hidden) return []
        const { facts } = post
        const original = facts.reblog_of_id === null ? undefined : originals.get(facts.reblog_of_id)
        return createPost(id, post.author, completeFacts(facts, original, author.silenced, isOrphan(facts)))
      })
    }
  }

  return { load, outlineOf: id => outlineIn(known => recent.get(known) ?? stored.peek(known), id) }
})

function outlineIn(peek: (id: Id) => StoredPost | undefined, id: Id): StatusOutline | undefined {
  const post = peek(id)
  if (!post) return undefined
  const boosted = post.facts.reblog_of_id
  const original = boosted === null ? undefined : peek(boosted)
  return {
    author: post.author,
    boosted: original && boosted !== null ? { id: boosted, author: original.author } : null,
  }
}

const unique = (ids: readonly (Id | null | undefined)[]): Id[] => [
  ...new Set(ids.filter(id => id !== null && id !== undefined)),
]
