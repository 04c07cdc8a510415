import { c, query } from '../../platform/database/index.ts'
import { compareIds, timeOfId, type Id } from '../../core/id.ts'
import type { Relations } from '../../accounts/relationships/index.ts'
import type { Services } from '../../platform/services.ts'
import { feedPosts } from './posts.ts'
import type { NewestIds } from './recent_ids.ts'
import { recentStatuses } from './recent_statuses.ts'
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
const findTagged = query(
  'timelines/feeds/newest_tagged',
  { tags: c.ids, since: c.id, limit: c.integer },
  { ids: c.ids },
  { pipelined: true },
)
const findArrivals = query('timelines/feeds/arrivals', { viewer: c.id, ids: c.ids }, { id: c.id, arrived: c.id })

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
}

/** A status that may enter a feed. */
export interface Candidate extends Post {
  /**
   * An id made when the author or hashtag that brings the status was followed, if that was after
   * the status was posted and matters for grouping.
   */
  readonly arrived: Id | null
}

export interface Candidates {
  /** The posts, oldest first. They take much memory, so they are made when they are used. */
  posts(): Promise<Candidate[]>
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
  const accounts = [...sources.accounts]
  const tags = [...sources.tags]
  const { ids, from } = await readIds(services, accounts, tags, depth)
  const makePosts = await feedPosts(services).load(ids)
  async function posts(): Promise<Candidate[]> {
    const seen = makePosts().filter(post => mayBeSeen(post, relations))
    const arrivals = await readArrivals(services, relations, seen, from)
    return seen.map(post => ({ ...post, arrived: arrivals.get(post.id) ?? null }))
  }
  return { posts, from }
}

/** The ids of all statuses that may be in a feed with these sources, oldest first. */
export async function readAllIds(services: Services, { accounts, tags }: Sources): Promise<readonly Id[]> {
  return (await readWhole(services, [...accounts], [...tags])).ids
}

async function readWhole({ database }: Services, accounts: Id[], tags: Id[]): Promise<NewestIds> {
  const row = await database.one(findCandidates, { accounts, tags, limit_each: EACH, limit: MAX_COUNT })
  return { ids: row?.ids ?? [], from: 0n }
}

/** From memory, where those of accounts are found in a tenth of the time, or from the database. */
async function readIds(services: Services, accounts: Id[], tags: Id[], depth: Depth): Promise<NewestIds> {
  if (depth === 'whole') return readWhole(services, accounts, tags)
  const limit = depth === 'newest' ? NEWEST : DEEPER
  const found = recentStatuses(services).newest(accounts, limit, EACH)
  if (found) return tags.length === 0 ? found : addTagged(services, found, tags, limit)
  return depth === 'newest' ? findInDatabase(services, accounts, tags) : readWhole(services, accounts, tags)
}

/** The newest of these statuses and of those with the tags. */
async function addTagged(services: Services, { ids, from }: NewestIds, tags: Id[], limit: number): Promise<NewestIds> {
  // Nearly all of them remain, and their posts share the round trip.
  feedPosts(services).prefetch(ids)
  const row = await services.database.one(findTagged, { tags, since: String(from), limit })
  const all = [...new Set([...ids, ...(row?.ids ?? [])])].toSorted(compareIds)
  const newest = all.slice(-limit)
  return { ids: newest, from: newest.length < limit ? from : BigInt(newest[0] ?? 0) }
}

async function findInDatabase({ database }: Services, accounts: Id[], tags: Id[]): Promise<NewestIds> {
  const step = Math.max(1, Math.floor(accounts.length / SAMPLE))
  const sampled = Math.ceil((NEWEST * MARGIN) / step)
  const each = Math.max(SAMPLE_EACH, Math.ceil((sampled * step) / Math.max(1, accounts.length)))
  const row = await database.one(findNewest, { accounts, tags, step, each, sampled, limit: NEWEST })
  const { ids = [], since = '0' } = row ?? {}
  return { ids, from: BigInt(ids.length < NEWEST ? since : (ids[0] ?? since)) }
}

/**
 * The arrivals of statuses that several candidates show, by candidate. An unknown candidate may
 * show those that are older than the known ones. Nearly always without a query.
 */
async function readArrivals(
  { database }: Services,
  relations: Relations,
  posts: readonly Post[],
  from: bigint,
): Promise<ReadonlyMap<Id, Id>> {
  const { owner, follows, newestFollowMs, recentFollows, recentSinceMs } = relations
  const several = statusesOfSeveral(posts)
  const arrivals = new Map<Id, Id>()
  const unknown: Id[] = []
  for (const { id, author, facts, shows } of posts) {
    const isWanted = several.has(facts.reblog_of_id ?? id) || shows < from
    if (!isWanted || author === owner) continue
    const postedMs = timeOfId(id)
    if (postedMs > newestFollowMs) continue
    if (postedMs < recentSinceMs || !follows.has(author)) unknown.push(id)
    else {
      const followedMs = recentFollows.get(author) ?? 0
      if (followedMs > postedMs) arrivals.set(id, String(BigInt(followedMs) << 16n))
    }
  }
  if (unknown.length > 0) {
    const rows = await database.run(findArrivals, { viewer: owner, ids: unknown })
    for (const { id, arrived } of rows) arrivals.set(id, arrived)
  }
  return arrivals
}

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
