import type { Range } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { relationships, blocksOrMutes, type Relations } from '../accounts/relationships/index.ts'
import type { Services } from '../platform/services.ts'
import { listedPages, type ListedPost } from './listed_pages.ts'

/** A timeline that anybody may read. */
export interface ListedTimeline {
  /** What tells it from all others, but for the range. */
  readonly name: unknown
  /** As for `ListedPages`. */
  readonly topics: readonly string[]
  /** The posts of a range, newest first, through `listed_statuses`. */
  read(range: Range): Promise<readonly ListedPost[]>
}

/** Most posts that are read at once for somebody who wants few of them. */
const MAX_COUNT = 640

/**
 * The ids of a page as the viewer gets it, newest first: without posts of accounts and domains that the viewer blocks or mutes, or that
 * block the viewer (api/delivery.md, section 5). What anybody gets is kept for all; what the viewer does not want is left out here, and
 * when too little remains more is read.
 */
export async function readListed(
  services: Services,
  viewer: Pick<Viewer, 'id'> | null,
  timeline: ListedTimeline,
  range: Range,
): Promise<readonly Id[]> {
  const [first, own] = await Promise.all([
    readPage(services, timeline, range),
    viewer ? relationships(services).get(viewer.id) : undefined,
  ])
  if (!own) return first.map(({ id }) => id)
  const now = Date.now()
  let found: Id[] = []
  let asked = range
  for (let posts = first; ; posts = await readPage(services, timeline, asked)) {
    const wanted = posts.filter(post => isWanted(own, post, now)).map(({ id }) => id)
    found = range.min_id === undefined ? [...found, ...wanted] : [...wanted, ...found]
    if (posts.length < asked.limit || found.length >= range.limit) break
    asked = after(asked, posts)
  }
  if (range.min_id === undefined) return found.slice(0, range.limit)
  return found.slice(Math.max(0, found.length - range.limit))
}

const readPage = (services: Services, timeline: ListedTimeline, range: Range): Promise<readonly ListedPost[]> => {
  const { limit, max_id, since_id, min_id } = range
  const key = JSON.stringify([timeline.name, limit, max_id, since_id, min_id])
  return listedPages(services).get(timeline.topics, key, () => timeline.read(range))
}

/** The range beyond the posts of one, twice as large. */
function after(range: Range, posts: readonly ListedPost[]): Range {
  const limit = Math.min(range.limit * 2, MAX_COUNT)
  return range.min_id === undefined
    ? { ...range, limit, max_id: posts.at(-1)?.id }
    : { ...range, limit, min_id: posts[0]?.id }
}

const isWanted = (own: Relations, { account_id: author, domain }: ListedPost, now: number): boolean =>
  !own.blockedBy.has(author) && !blocksOrMutes(own, author, now) && (domain === null || !own.domains.has(domain))
