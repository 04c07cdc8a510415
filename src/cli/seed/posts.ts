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
const HEARD_OF_MS = 14 * DAY_MS
const TRIES = 5
const RECENT = 400

/** Spreads small numbers over 16 bits. */
const SPREAD = 40_503

export const statusId = ({ timesMs, from }: Posts, index: number): string =>
  snowflakeAt(timesMs[index] ?? 0, from + index)

/** Shifts times so that more is written in the evening than at night; keeps the order. */
function withRhythm(ms: number): number {
  const day = Math.floor(ms / DAY_MS) * DAY_MS
  const part = (ms - day) / DAY_MS
  return day + (part + (DAY_SWING / Math.PI) * (Math.sin(2 * Math.PI * (part + 0.25)) - 1)) * DAY_MS
}

/** The state for generating the next status. */
class Drawing {
  readonly people: People
  readonly graph: Graph
  readonly random: Random
  readonly timesMs: Float64Array
  readonly authors: Int32Array
  readonly visibilities: Uint8Array
  readonly parents: Int32Array
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
    return index !== NONE && at - (this.timesMs[index] ?? 0) < HEARD_OF_MS
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
    for (let tries = TRIES; tries > 0; tries -= 1) {
      const near = this.random.chance(0.85)
      const friend = near ? pickFrom(this.graph.followees, account, this.random) : NONE
      const found = friend === NONE ? this.chooseRecent(index) : (this.newest[friend] ?? NONE)
      if (!this.isFresh(found, at) || this.visibilityOf(found) > UNLISTED || this.authorOf(found) === account) continue
      const key = account * this.timesMs.length + found
      if (this.boosted.has(key) || !this.sees(account, found)) continue
      this.boosted.add(key)
      return found
    }
    return NONE
  }

  /** One of the most recent statuses, not a boost; -1 for none. */
  chooseRecent(index: number): number {
    if (index === 0) return NONE
    const found = index - 1 - this.random.below(Math.min(index, RECENT))
    return (this.originals[found] ?? NONE) === NONE ? found : (this.originals[found] ?? NONE)
  }

  /** The status that the account replies to; -1 for none. */
  chooseParent(account: number, index: number, at: number): number {
    for (let tries = TRIES; tries > 0; tries -= 1) {
      const whim = this.random.next()
      let found: number
      if (whim < 0.45) found = this.unanswered[account] ?? NONE
      else if (whim < 0.8) {
        const friend = pickFrom(this.graph.followees, account, this.random)
        found = friend === NONE ? NONE : (this.newest[friend] ?? NONE)
      } else if (whim < 0.9) found = this.newest[account] ?? NONE
      else found = this.chooseRecent(index)
      if (this.isFresh(found, at) && this.sees(account, found)) return found
    }
    return NONE
  }

  mention(account: number): void {
    this.mentioned.push(account)
  }
}

function addBoost(drawing: Drawing, index: number, original: number): void {
  drawing.originals[index] = original
  drawing.visibilities[index] = drawing.visibilityOf(original)
  drawing.reblogs[original] = (drawing.reblogs[original] ?? 0) + 1
}

function addReply(drawing: Drawing, index: number, parent: number, author: number): void {
  const { random, graph } = drawing
  const before = drawing.visibilityOf(parent)
  const whim = random.next()
  const visibility = before === PUBLIC ? (whim < 0.6 ? PUBLIC : whim < 0.9 ? UNLISTED : PRIVATE) : before
  drawing.visibilities[index] = visibility
  drawing.parents[index] = parent
  drawing.roots[index] = drawing.roots[parent] ?? parent
  if (visibility <= UNLISTED) drawing.replies[parent] = (drawing.replies[parent] ?? 0) + 1
  if (drawing.unanswered[author] === parent) drawing.unanswered[author] = NONE
  const other = drawing.authorOf(parent)
  // A direct conversation stays between two accounts.
  const first =
    other !== author ? other : visibility === DIRECT ? drawing.mentioned.at(drawing.mentionStarts[parent] ?? 0) : NONE
  if (first !== NONE) drawing.mention(first)
  if (visibility === DIRECT || !random.chance(EXTRA_MENTION_SHARE)) return
  const extra = pickFrom(graph.followees, author, random)
  if (extra !== NONE && extra !== first && extra !== author && !graph.avoids(author, extra)) drawing.mention(extra)
}

function addRoot(drawing: Drawing, index: number, author: number): void {
  const { random, graph } = drawing
  const whim = random.next()
  let visibility = whim < 0.72 ? PUBLIC : whim < 0.84 ? UNLISTED : whim < 0.96 ? PRIVATE : DIRECT
  // Direct statuses go to followers of the author: strangers' direct statuses are filtered by
  // default.
  const reader = visibility === DIRECT ? pickFrom(graph.followers, author, random) : NONE
  if (visibility === DIRECT && reader === NONE) visibility = PRIVATE
  drawing.visibilities[index] = visibility
  drawing.roots[index] = index
  if (visibility === DIRECT) return drawing.mention(reader)
  if (!random.chance(MENTION_SHARE)) return
  const named = pickFrom(graph.followees, author, random)
  if (named !== NONE && !graph.avoids(author, named)) drawing.mention(named)
}

function addTags(drawing: Drawing, index: number): void {
  const { random } = drawing
  if (drawing.visibilityOf(index) === DIRECT || !random.chance(TAG_SHARE)) return
  const chosen = new Set<number>()
  for (let count = 1 + random.below(3); count > 0; count -= 1) chosen.add(drawing.pickTag(random))
  for (const tag of chosen) drawing.tagged.push(tag)
}

function addStatus(drawing: Drawing, index: number, author: number, at: number): void {
  const { random } = drawing
  drawing.timesMs[index] = at
  drawing.authors[index] = author
  const whim = random.next()
  const original = whim < BOOST_SHARE ? drawing.chooseOriginal(author, index, at) : NONE
  if (original !== NONE) addBoost(drawing, index, original)
  else {
    const parent = whim < BOOST_SHARE + REPLY_SHARE ? drawing.chooseParent(author, index, at) : NONE
    if (parent === NONE) addRoot(drawing, index, author)
    else addReply(drawing, index, parent, author)
    addTags(drawing, index)
    drawing.newest[author] = index
  }
  drawing.mentionStarts[index + 1] = drawing.mentioned.length
  drawing.tagStarts[index + 1] = drawing.tagged.length
  for (let place = drawing.mentionStarts[index] ?? 0; place < drawing.mentioned.length; place += 1) {
    drawing.unanswered[drawing.mentioned.at(place)] = index
  }
  if (drawing.visibilityOf(index) !== DIRECT) {
    drawing.written[author] = (drawing.written[author] ?? 0) + 1
    drawing.lastWrittenMs[author] = at
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
  const drawing = new Drawing(people, graph, people.size === 0 ? 0 : size, tags, seed)
  const { random } = drawing
  const pickAuthor = createPicker(Float64Array.from({ length: people.size }, () => random.lognormal(1, ACTIVITY_SIGMA)))
  const firstMs = people.createdMs[0] ?? people.startMs
  const spanMs = people.endMs - firstMs
  let last = firstMs
  let here = 1
  for (let index = 0; index < drawing.timesMs.length; index += 1) {
    const even = firstMs + ((index + random.next()) / size) ** GROWTH * spanMs
    // One per millisecond, so that ids are in the order of indexes.
    const at = Math.max(last + 1, Math.floor(Math.min(withRhythm(even), people.endMs - size + index)))
    last = at
    while (here < people.size && (people.createdMs[here] ?? Infinity) < at) here += 1
    let author = pickAuthor(random)
    for (let tries = TRIES; author >= here && tries > 0; tries -= 1) author = pickAuthor(random)
    addStatus(drawing, index, author < here ? author : random.below(here), at)
  }
  const { timesMs, authors, visibilities, parents, originals, roots, replies, reblogs } = drawing
  const { mentionStarts, tagStarts, written, lastWrittenMs } = drawing
  return {
    size: timesMs.length,
    from: (people.from * SPREAD) & 0xffff,
    timesMs,
    authors,
    visibilities,
    parents,
    originals,
    roots,
    replies,
    reblogs,
    mentionStarts,
    mentioned: drawing.mentioned.values(),
    tagStarts,
    tagged: drawing.tagged.values(),
    written,
    lastWrittenMs,
  }
}
