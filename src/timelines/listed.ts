import type { Range } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { relationships, blocksOrMutes, type Relations } from '../accounts/relationships/index.ts'
import type { Services } from '../platform/services.ts'
import type { TimelinePage } from './render.ts'
import { listedPages, type ListedPost } from './listed_pages.ts'

/** A timeline that may be read anonymously. */
export interface ListedTimeline {
  /** Identifies the timeline, apart from the range. */
  readonly name: unknown
  /** As for `ListedPages`. */
  readonly topics: readonly string[]
  /** The posts of a range, newest first, from `listed_statuses`. */
  read(range: Range): Promise<readonly ListedPost[]>
}

/** The most posts that are read at once when the viewer's blocks exclude most of them. */
const MAX_COUNT = 640
/**
 * After this many reads the page stays short: some 2,500 posts, however many the timeline has of
 * accounts that the viewer excludes.
 */
const MAX_READS = 8

/**
 * A page for the viewer: without posts of accounts and domains that the viewer blocks or mutes, or
 * that block the viewer. The anonymous page is cached for all; the viewer's exclusions are applied
 * here, and more posts are read when too few remain, up to a limit.
 */
export async function readListed(
  services: Services,
  viewer: Pick<Viewer, 'id'> | null,
  timeline: ListedTimeline,
  range: Range,
): Promise<TimelinePage> {
  const [first, own] = await Promise.all([
    readPage(services, timeline, range),
    viewer ? relationships(services).get(viewer.id) : undefined,
  ])
  if (!own) return { ids: first.map(({ id }) => id) }
  const now = Date.now()
  const isUp = range.min_id !== undefined
  let found: Id[] = []
  let current = range
  let posts = first
  for (let reads = 1; ; reads++) {
    const visible = posts.filter(post => isVisible(own, post, now)).map(({ id }) => id)
    found = isUp ? [...visible, ...found] : [...found, ...visible]
    if (posts.length < current.limit || found.length >= range.limit) break
    if (reads === MAX_READS) return { ids: found, stoppedAt: isUp ? posts[0]?.id : posts.at(-1)?.id }
    current = after(current, posts)
    posts = await readPage(services, timeline, current)
  }
  return { ids: isUp ? found.slice(Math.max(0, found.length - range.limit)) : found.slice(0, range.limit) }
}

const readPage = (services: Services, timeline: ListedTimeline, range: Range): Promise<readonly ListedPost[]> => {
  const { limit, max_id, since_id, min_id } = range
  const key = JSON.stringify([timeline.name, limit, max_id, since_id, min_id])
  return listedPages(services).get(timeline.topics, { key, limit }, () => timeline.read(range))
}

/** The range beyond the posts of the given one, twice as large. */
function after(range: Range, posts: readonly ListedPost[]): Range {
  const limit = Math.min(range.limit * 2, MAX_COUNT)
  return range.min_id === undefined
    ? { ...range, limit, max_id: posts.at(-1)?.id }
    : { ...range, limit, min_id: posts[0]?.id }
}

const isVisible = (own: Relations, { account_id: author, domain }: ListedPost, now: number): boolean =>
  !own.blockedBy.has(author) && !blocksOrMutes(own, author, now) && (domain === null || !own.domains.has(domain))
