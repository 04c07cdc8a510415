import { c, query } from '../../platform/database/index.ts'
import { timeOfId, type Id } from '../../core/id.ts'
import { followTimesOf, type Relations } from '../../accounts/relationships/index.ts'
import type { Services } from '../../platform/services.ts'
import { feedPosts } from './posts.ts'
import { recentPosts } from './load_recent_posts.ts'
import type { NewestIds, NewestPosts } from './recent_posts.ts'
import { mayBeSeen, type Post } from './rules.ts'

const findCandidates = query(
  'timelines/feeds/candidates',
  { accounts: c.ids, tags: c.ids, limit_each: c.integer, limit: c.integer },
  { ids: c.ids },
)
const findNewest = query(
  'timelines/feeds/newest',
  { accounts: c.ids, tags: c.ids, step: c.integer, each: c.integer, sampled: c.integer, limit: c.integer },
  { ids: c.ids, since: c.id },
)

/** The most statuses of one account that are merged into a feed. */
export const EACH = 200
/** Twice what a feed shows, because the rules exclude some. */
const MAX_COUNT = 1600
/**
 * How far back a feed is read: for its first page, for its first pages, or all that it may show. A
 * page that one depth does not suffice for may need the next.
 */
export const DEPTHS = ['newest', 'deeper', 'whole'] as const
export type Depth = (typeof DEPTHS)[number]
/** The candidates of each depth; of the newest at most `EACH`, so that all readings agree. */
const NEWEST = 200
const DEEPER = 600
/** Accounts whose posts are looked at to estimate where the newest begin, and posts of each. */
const SAMPLE = 40
const SAMPLE_EACH = 8
/** More than are needed are estimated, because a part of the accounts says little about all. */
const MARGIN = 1.5

/** The sources of a feed's statuses. */
export interface Sources {
  readonly accounts: Iterable<Id>
  /** Ids of tags. */
  readonly tags: Iterable<Id>
  readonly tagNames: Iterable<string>
}

export interface Candidates {
  /** The posts, oldest first. They take much memory, so they are made when they are used. */
  posts(): Post[]
  /**
   * When posts came into the feed, as ids made then: of those whose author or hashtag was followed
   * after they were posted, where that matters for grouping.
   */
  arrivals(posts: readonly Post[]): ReadonlyMap<Id, bigint>
  /** They are complete from this id on. */
  readonly from: bigint
}

/**
 * The statuses that may enter a feed of the owner of `relations`, before its rules apply.
 */
export async function readCandidates(
  services: Services,
  relations: Relations,
  sources: Sources,
  depth: Depth,
): Promise<Candidates> {
  const { ids, from, posts: known } = await readIds(services, sources, depth)
  const makePosts = await feedPosts(services).load(ids, known)
  return {
    posts: () => makePosts().filter(post => mayBeSeen(post, relations)),
    arrivals: posts => arrivalsOf(relations, posts, from),
    from,
  }
}

/** The ids of all statuses that may be in a feed with these sources, oldest first. */
export async function readAllIds(services: Services, sources: Sources): Promise<readonly Id[]> {
  return (await readWhole(services, sources)).ids
}

async function readWhole({ database }: Services, { accounts, tags }: Sources): Promise<NewestIds> {
  const row = await database.one(findCandidates, {
    accounts: [...accounts],
    tags: [...tags],
    limit_each: EACH,
    limit: MAX_COUNT,
  })
  return { ids: row?.ids ?? [], from: 0n }
}

/** With their posts from memory, which takes a tenth of the time, or from the database. */
async function readIds(
  services: Services,
  sources: Sources,
  depth: Depth,
): Promise<NewestIds & Partial<Pick<NewestPosts, 'posts'>>> {
  if (depth === 'whole') return readWhole(services, sources)
  const found = recentPosts(services).newest(sources, depth === 'newest' ? NEWEST : DEEPER, EACH)
  return found ?? (depth === 'newest' ? findInDatabase(services, sources) : readWhole(services, sources))
}

async function findInDatabase({ database }: Services, sources: Sources): Promise<NewestIds> {
  const accounts = [...sources.accounts]
  const tags = [...sources.tags]
  const step = Math.max(1, Math.floor(accounts.length / SAMPLE))
  const sampled = Math.ceil((NEWEST * MARGIN) / step)
  const each = Math.max(SAMPLE_EACH, Math.ceil((sampled * step) / Math.max(1, accounts.length)))
  const row = await database.one(findNewest, { accounts, tags, step, each, sampled, limit: NEWEST })
  const { ids = [], since = '0' } = row ?? {}
  return { ids, from: BigInt(ids.length < NEWEST ? since : (ids[0] ?? since)) }
}

/**
 * It matters for posts whose status several of them show. An unknown one may show those that are
 * older than the known ones.
 */
function arrivalsOf(relations: Relations, posts: readonly Post[], from: bigint): ReadonlyMap<Id, bigint> {
  // The first id after the millisecond of the newest follow.
  const afterFollow = BigInt(relations.newestFollowMs + 1) << 16n
  const older = posts.filter(({ number, author }) => number < afterFollow && author !== relations.owner)
  if (older.length === 0) return NO_ARRIVALS
  const several = statusesOfSeveral(posts)
  const concerned = older.filter(({ id, facts, shows }) => shows < from || several.has(facts.reblog_of_id ?? id))
  const follows = followTimesOf(relations, new Set(concerned.map(({ author }) => author)))
  const tags = relations.tagsFollowedMs
  const arrivals = new Map<Id, bigint>()
  for (const { id, author, facts } of concerned) {
    const followedMs =
      follows.get(author) ?? Math.min(...facts.tags.map(tag => tags.get(tag) ?? Number.POSITIVE_INFINITY))
    if (followedMs > timeOfId(id) && followedMs < Number.POSITIVE_INFINITY) arrivals.set(id, BigInt(followedMs) << 16n)
  }
  return arrivals
}

const NO_ARRIVALS: ReadonlyMap<Id, bigint> = new Map()

/** The statuses that more than one of these posts show. */
function statusesOfSeveral(posts: readonly Post[]): ReadonlySet<Id> {
  const once = new Set<Id>()
  const several = new Set<Id>()
  for (const { id, facts } of posts) {
    const status = facts.reblog_of_id ?? id
    if (once.has(status)) several.add(status)
    else once.add(status)
  }
  return several
}
