import { pickFrom, type Graph } from './graph.ts'
import { Numbers } from './numbers.ts'
import { snowflakeAt, type People } from './people.ts'
import { createPicker, createRandom, type Random } from './random.ts'

/** In the order of their numbers here; the names are those of the SQL type `visibility`. */
export const VISIBILITIES = ['public', 'unlisted', 'private', 'direct'] as const
const PUBLIC = 0
const UNLISTED = 1
const PRIVATE = 2
const DIRECT = 3
const NONE = -1

/** All statuses including boosts, ordered by time. References are indexes, -1 for none. */
export interface Posts {
  readonly size: number
  /**
   * The number in the first id, so that previously generated accounts have other ids at the same
   * time.
   */
  readonly from: number
  readonly timesMs: Float64Array
  readonly authors: Int32Array
  readonly visibilities: Uint8Array
  readonly parents: Int32Array
  /** The accounts that they answer, as `in_reply_to_account_id`. */
  readonly answered: Int32Array
  readonly originals: Int32Array
  /** The first status of the thread; -1 for a boost. */
  readonly roots: Int32Array
  readonly replies: Int32Array
  readonly reblogs: Int32Array
  /**
   * The accounts that status i mentions are mentioned[mentionStarts[i]] up to mentionStarts[i + 1].
   */
  readonly mentionStarts: Int32Array
  readonly mentioned: Float64Array
  /** Likewise for hashtags, by their index. */
  readonly tagStarts: Int32Array
  readonly tagged: Float64Array
  /** For each account: the number of its statuses, and the time of the last (0: never). */
  readonly written: Int32Array
  readonly lastWrittenMs: Float64Array
}

const BOOST_SHARE = 0.17
const REPLY_SHARE = 0.28
const TAG_SHARE = 0.22
const MENTION_SHARE = 0.06
const EXTRA_MENTION_SHARE = 0.1
const ACTIVITY_SIGMA = 1.4
/** More is written towards the end, because there are more accounts. */
const GROWTH = 0.62
const DAY_MS = 86_400_000
/** How much more is written by day than by night. */
const DAY_SWING = 0.13
const RECENT_MS = 14 * DAY_MS
const MAX_TRIES = 5
const RECENT_COUNT = 400

/** Spreads small numbers over 16 bits. */
const SPREAD = 40_503

export const statusId = ({ timesMs, from }: Posts, index: number): string =>
  snowflakeAt(timesMs[index] ?? 0, from + index)

/** Shifts times so that more is written in the evening than at night; keeps the order. */
function applyDayRhythm(ms: number): number {
  const day = Math.floor(ms / DAY_MS) * DAY_MS
  const part = (ms - day) / DAY_MS
  return day + (part + (DAY_SWING / Math.PI) * (Math.sin(2 * Math.PI * (part + 0.25)) - 1)) * DAY_MS
}

/** The state for generating the next status. */
class PostGenerator {
  readonly people: People
  readonly graph: Graph
  readonly random: Random
  readonly timesMs: Float64Array
  readonly authors: Int32Array
  readonly visibilities: Uint8Array
  readonly parents: Int32Array
  readonly answered: Int32Array
  readonly originals: Int32Array
  readonly roots: Int32Array
  readonly replies: Int32Array
  readonly reblogs: Int32Array
  readonly mentionStarts: Int32Array
  readonly mentioned: Numbers
  readonly tagStarts: Int32Array
  readonly tagged: Numbers
  readonly written: Int32Array
  readonly lastWrittenMs: Float64Array
  /** The newest status of each account, and the newest unanswered one that mentions it. */
  readonly newest: Int32Array
  readonly unanswered: Int32Array
  readonly boosted = new Set<number>()
  readonly pickTag: (random: Random) => number

  constructor(people: People, graph: Graph, size: number, tags: number, seed: string) {
    this.people = people
    this.graph = graph
    this.random = createRandom(seed, 'posts')
    this.timesMs = new Float64Array(size)
    this.authors = new Int32Array(size)
    this.visibilities = new Uint8Array(size)
    this.parents = new Int32Array(size).fill(NONE)
    this.answered = new Int32Array(size).fill(NONE)
    this.originals = new Int32Array(size).fill(NONE)
    this.roots = new Int32Array(size).fill(NONE)
    this.replies = new Int32Array(size)
    this.reblogs = new Int32Array(size)
    this.mentionStarts = new Int32Array(size + 1)
    this.mentioned = new Numbers(size)
    this.tagStarts = new Int32Array(size + 1)
    this.tagged = new Numbers(size)
    this.written = new Int32Array(people.size)
    this.lastWrittenMs = new Float64Array(people.size)
    this.newest = new Int32Array(people.size).fill(NONE)
    this.unanswered = new Int32Array(people.size).fill(NONE)
    this.pickTag = createPicker(Float64Array.from({ length: Math.max(1, tags) }, (_, rank) => 1 / (rank + 3)))
  }

  authorOf(index: number): number {
    return this.authors[index] ?? NONE
  }
  visibilityOf(index: number): number {
    return this.visibilities[index] ?? PUBLIC
  }
  isFresh(index: number, at: number): boolean {
    return index !== NONE && at - (this.timesMs[index] ?? 0) < RECENT_MS
  }
  mentions(index: number, account: number): boolean {
    for (let at = this.mentionStarts[index] ?? 0; at < (this.mentionStarts[index + 1] ?? 0); at += 1) {
      if (this.mentioned.at(at) === account) return true
    }
    return false
  }
  /** Whether the account may see the status, and does not block or mute its author. */
  sees(account: number, index: number): boolean {
    const author = this.authorOf(index)
    if (author === account) return true
    if (this.graph.avoids(account, author)) return false
    const visibility = this.visibilityOf(index)
    if (visibility <= UNLISTED || this.mentions(index, account)) return true
    return visibility === PRIVATE && this.graph.followsAccount(account, author)
  }

  /**
   * The status that the account boosts: a new one by an account that it follows, or by any; -1 for
   * none.
   */
  chooseOriginal(account: number, index: number, at: number): number {
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const isFollowed = this.random.chance(0.85)
      const friend = isFollowed ? pickFrom(this.graph.followees, account, this.random) : NONE
      const candidate = friend === NONE ? this.chooseRecent(index) : (this.newest[friend] ?? NONE)
      if (
        !this.isFresh(candidate, at) ||
        this.visibilityOf(candidate) > UNLISTED ||
        this.authorOf(candidate) === account
      )
        continue
      const key = account * this.timesMs.length + candidate
      if (this.boosted.has(key) || !this.sees(account, candidate)) continue
      this.boosted.add(key)
      return candidate
    }
    return NONE
  }

  /** One of the most recent statuses, not a boost; -1 for none. */
  chooseRecent(index: number): number {
    if (index === 0) return NONE
    const candidate = index - 1 - this.random.below(Math.min(index, RECENT_COUNT))
    return (this.originals[candidate] ?? NONE) === NONE ? candidate : (this.originals[candidate] ?? NONE)
  }

  /** The status that the account replies to; -1 for none. */
  chooseParent(account: number, index: number, at: number): number {
    for (let tries = MAX_TRIES; tries > 0; tries -= 1) {
      const roll = this.random.next()
      let candidate: number
      if (roll < 0.45) candidate = this.unanswered[account] ?? NONE
      else if (roll < 0.8) {
        const followee = pickFrom(this.graph.followees, account, this.random)
        candidate = followee === NONE ? NONE : (this.newest[followee] ?? NONE)
      } else if (roll < 0.9) candidate = this.newest[account] ?? NONE
      else candidate = this.chooseRecent(index)
      if (this.isFresh(candidate, at) && this.sees(account, candidate)) return candidate
    }
    return NONE
  }

  mention(account: number): void {
    this.mentioned.push(account)
  }
}

function addBoost(generator: PostGenerator, index: number, original: number): void {
  generator.originals[index] = original
  generator.visibilities[index] = generator.visibilityOf(original)
  generator.reblogs[original] = (generator.reblogs[original] ?? 0) + 1
}

function addReply(generator: PostGenerator, index: number, parent: number, author: number): void {
  const { random, graph } = generator
  const before = generator.visibilityOf(parent)
  const whim = random.next()
  const visibility = before === PUBLIC ? (whim < 0.6 ? PUBLIC : whim < 0.9 ? UNLISTED : PRIVATE) : before
  generator.visibilities[index] = visibility
  generator.parents[index] = parent
  generator.roots[index] = generator.roots[parent] ?? parent
  if (visibility <= UNLISTED) generator.replies[parent] = (generator.replies[parent] ?? 0) + 1
  if (generator.unanswered[author] === parent) generator.unanswered[author] = NONE
  const other = generator.authorOf(parent)
  const answered = other === author ? (generator.answered[parent] ?? NONE) : other
  generator.answered[index] = answered === NONE ? author : answered
  // A direct conversation stays between two accounts.
  const first =
    other !== author
      ? other
      : visibility === DIRECT
        ? generator.mentioned.at(generator.mentionStarts[parent] ?? 0)
        : NONE
  if (first !== NONE) generator.mention(first)
  if (visibility === DIRECT || !random.chance(EXTRA_MENTION_SHARE)) return
  const extraAccount = pickFrom(graph.followees, author, random)
  if (extraAccount !== NONE && extraAccount !== first && extraAccount !== author && !graph.avoids(author, extraAccount))
    generator.mention(extraAccount)
}

function addRoot(generator: PostGenerator, index: number, author: number): void {
  const { random, graph } = generator
  const whim = random.next()
  let visibility = whim < 0.72 ? PUBLIC : whim < 0.84 ? UNLISTED : whim < 0.96 ? PRIVATE : DIRECT
  // Direct statuses go to followers of the author: strangers' direct statuses are filtered by
  // default.
  const reader = visibility === DIRECT ? pickFrom(graph.followers, author, random) : NONE
  if (visibility === DIRECT && reader === NONE) visibility = PRIVATE
  generator.visibilities[index] = visibility
  generator.roots[index] = index
  if (visibility === DIRECT) return generator.mention(reader)
  if (!random.chance(MENTION_SHARE)) return
  const mentionedAccount = pickFrom(graph.followees, author, random)
  if (mentionedAccount !== NONE && !graph.avoids(author, mentionedAccount)) generator.mention(mentionedAccount)
}

function addTags(generator: PostGenerator, index: number): void {
  const { random } = generator
  if (generator.visibilityOf(index) === DIRECT || !random.chance(TAG_SHARE)) return
  const chosen = new Set<number>()
  for (let count = 1 + random.below(3); count > 0; count -= 1) chosen.add(generator.pickTag(random))
  for (const tag of chosen) generator.tagged.push(tag)
}

function addStatus(generator: PostGenerator, index: number, author: number, at: number): void {
  const { random } = generator
  generator.timesMs[index] = at
  generator.authors[index] = author
  const whim = random.next()
  const original = whim < BOOST_SHARE ? generator.chooseOriginal(author, index, at) : NONE
  if (original !== NONE) addBoost(generator, index, original)
  else {
    const parent = whim < BOOST_SHARE + REPLY_SHARE ? generator.chooseParent(author, index, at) : NONE
    if (parent === NONE) addRoot(generator, index, author)
    else addReply(generator, index, parent, author)
    addTags(generator, index)
    generator.newest[author] = index
  }
  generator.mentionStarts[index + 1] = generator.mentioned.length
  generator.tagStarts[index + 1] = generator.tagged.length
  for (let place = generator.mentionStarts[index] ?? 0; place < generator.mentioned.length; place += 1) {
    generator.unanswered[generator.mentioned.at(place)] = index
  }
  if (generator.visibilityOf(index) !== DIRECT) {
    generator.written[author] = (generator.written[author] ?? 0) + 1
    generator.lastWrittenMs[author] = at
  }
}

/**
 * Generates statuses, replies and boosts with their times. Accounts reply to and boost recent
 * statuses that they see.
 */
export function generatePosts(
  people: People,
  graph: Graph,
  options: { size: number; tags: number; seed: string },
): Posts {
  const { size, tags, seed } = options
  const generator = new PostGenerator(people, graph, people.size === 0 ? 0 : size, tags, seed)
  const { random } = generator
  const pickAuthor = createPicker(Float64Array.from({ length: people.size }, () => random.lognormal(1, ACTIVITY_SIGMA)))
  const firstMs = people.createdMs[0] ?? people.startMs
  const spanMs = people.endMs - firstMs
  let last = firstMs
  let createdCount = 1
  for (let index = 0; index < generator.timesMs.length; index += 1) {
    const evenTime = firstMs + ((index + random.next()) / size) ** GROWTH * spanMs
    // One per millisecond, so that ids are in the order of indexes.
    const at = Math.max(last + 1, Math.floor(Math.min(applyDayRhythm(evenTime), people.endMs - size + index)))
    last = at
    while (createdCount < people.size && (people.createdMs[createdCount] ?? Infinity) < at) createdCount += 1
    let author = pickAuthor(random)
    for (let tries = MAX_TRIES; author >= createdCount && tries > 0; tries -= 1) author = pickAuthor(random)
    addStatus(generator, index, author < createdCount ? author : random.below(createdCount), at)
  }
  const { timesMs, authors, visibilities, parents, answered, originals, roots, replies, reblogs } = generator
  const { mentionStarts, tagStarts, written, lastWrittenMs } = generator
  return {
    size: timesMs.length,
    from: (people.from * SPREAD) & 0xffff,
    timesMs,
    authors,
    visibilities,
    parents,
    answered,
    originals,
    roots,
    replies,
    reblogs,
    mentionStarts,
    mentioned: generator.mentioned.values(),
    tagStarts,
    tagged: generator.tagged.values(),
    written,
    lastWrittenMs,
  }
}
