import type { Id } from '../../core/id.ts'
import type { FeedFacts } from './rules.ts'
import { weighFacts, type StoredPost, type StoredPosts } from './stored_post.ts'

/** The ids of the newest posts of some sources, oldest first. */
export interface NewestIds {
  readonly ids: readonly Id[]
  /** They are complete from this id on; 0 when there are no older ones. */
  readonly from: bigint
}

export interface NewestPosts extends NewestIds {
  /** The post of each id; undefined when it has changed and must be read. */
  readonly posts: readonly (StoredPost | undefined)[]
}

/** The accounts and hashtags whose posts are wanted. */
export interface Wanted {
  readonly accounts: Iterable<Id>
  readonly tagNames: Iterable<string>
}

/** Larger than each id. */
const NOTHING_KNOWN = 2n ** 63n - 1n
/** Up to so many more than the limit are added before the oldest are removed. */
const MAX_SLACK = 1024
/** Three arrays, the pointer to the facts, and about one new author in ten posts. */
const ENTRY_BYTES = 36
/** Facts with more mentions and hashtags are not stored. */
const MAX_NAMES = 64

/**
 * The newest posts of all accounts with what the rules of feeds need to know of them: enough to
 * find the newest ones of any set of accounts and hashtags by one pass over numbers.
 */
export class RecentPosts {
  readonly #limit: number
  readonly #limitBytes: number
  readonly #ids: BigUint64Array
  /** The author of each id, as an index of `#accounts`. */
  readonly #authors: Uint32Array
  /** The bits of the hashtags of each id; all bits when they are not known. */
  readonly #tagBits: Uint32Array
  /** The three together, to move their elements. */
  readonly #arrays: readonly (BigUint64Array | Uint32Array)[]
  /** The facts of each id; undefined when they are not known. */
  #facts: (FeedFacts | undefined)[] = []
  #factsBytes = 0
  #count = 0
  #from = NOTHING_KNOWN
  #accounts: Id[] = []
  #numbers = new Map<Id, number>()
  /** How many more ids `newest` takes of each account; 0 for accounts that it does not look for. */
  #wanted = new Uint8Array(0)

  /**
   * @param limit the most posts
   * @param limitBytes the most memory; it may be too little for `limit` posts
   */
  constructor(limit: number, limitBytes: number) {
    // Half of the memory is for the facts.
    this.#limit = Math.max(1, Math.min(limit, Math.floor(limitBytes / 2 / ENTRY_BYTES)))
    const capacity = this.#limit + Math.min(MAX_SLACK, Math.ceil(this.#limit / 4))
    this.#limitBytes = limitBytes
    this.#ids = new BigUint64Array(capacity)
    this.#authors = new Uint32Array(capacity)
    this.#tagBits = new Uint32Array(capacity)
    this.#arrays = [this.#ids, this.#authors, this.#tagBits]
  }

  get size(): number {
    return this.#count
  }

  get sizeBytes(): number {
    return this.#ids.length * ENTRY_BYTES + this.#factsBytes
  }

  /** All posts from this id on are known; 0 when all are. */
  get from(): bigint {
    return this.#from
  }

  /**
   * Adds the newest posts below `from`, as it was when they were read: in order, the oldest first.
   * @param isAll whether there are no older ones
   * @returns whether still older ones are wanted
   */
  prepend({ ids, authors, facts }: StoredPosts, below: bigint, isAll: boolean): boolean {
    if (this.#from !== below) return false
    const count = Math.min(ids.length, this.#ids.length - this.#count)
    const skipped = ids.length - count
    for (const array of this.#arrays) array.copyWithin(count, 0, this.#count)
    this.#facts = [...Array.from<undefined>({ length: count }), ...this.#facts]
    for (let at = 0; at < count; at++) {
      const from = at + skipped
      this.#set(at, BigInt(ids[from] ?? 0), authors[from] ?? '', facts[from])
    }
    this.#count += count
    const from = isAll && skipped === 0 ? 0n : (this.#ids[0] ?? below)
    this.#from = from
    this.#trim()
    return from > 0n && this.#from === from && this.#count < this.#limit
  }

  /** Adds a post; does nothing when it is known, or older than the oldest. */
  add(id: Id, author: Id, facts: FeedFacts | undefined): void {
    const number = BigInt(id)
    if (number < this.#from) return
    const at = this.#find(number)
    if (at < this.#count && this.#ids[at] === number) return
    for (const array of this.#arrays) array.copyWithin(at + 1, at, this.#count)
    this.#facts.splice(at, 0, undefined)
    this.#set(at, number, author, facts)
    this.#count += 1
    this.#trim()
  }

  /** The facts of a post have changed: they are no longer known. */
  dropFacts(id: Id): void {
    const at = this.#indexOf(id)
    if (at !== undefined) this.#drop(at)
  }

  /** Drops the facts of posts that this applies to. */
  dropFactsWhere(isStale: (facts: FeedFacts) => boolean): void {
    for (let at = 0; at < this.#count; at++) {
      const facts = this.#facts[at]
      if (facts && isStale(facts)) this.#drop(at)
    }
  }

  remove(id: Id): void {
    const at = this.#indexOf(id)
    if (at === undefined) return
    this.#drop(at)
    for (const array of this.#arrays) array.copyWithin(at, at + 1, this.#count)
    this.#facts.splice(at, 1)
    this.#count -= 1
  }

  removeAccount(account: Id): void {
    const number = this.#numbers.get(account)
    if (number === undefined) return
    const facts: (FeedFacts | undefined)[] = []
    for (let at = 0; at < this.#count; at++) {
      const author = this.#authors[at] ?? 0
      if (author === number) {
        this.#drop(at)
        continue
      }
      this.#ids[facts.length] = this.#ids[at] ?? 0n
      this.#authors[facts.length] = author
      this.#tagBits[facts.length] = this.#tagBits[at] ?? 0
      facts.push(this.#facts[at])
    }
    this.#facts = facts
    this.#count = facts.length
  }

  /** The post, if it is known. */
  get(id: Id): StoredPost | undefined {
    const at = this.#indexOf(id)
    return at === undefined ? undefined : this.#postAt(at)
  }

  /**
   * The newest posts of these accounts and with these hashtags; undefined when fewer are known than
   * may exist. Those whose hashtags are not known are among them.
   * @param each the most of one account, at most 255
   */
  newest({ accounts, tagNames }: Wanted, limit: number, each: number): NewestPosts | undefined {
    const numbers: number[] = []
    for (const account of accounts) {
      const number = this.#numbers.get(account)
      if (number !== undefined) numbers.push(number)
    }
    const wanted = this.#wanted
    for (const number of numbers) wanted[number] = each
    const found = this.#search(new Set(tagNames), limit)
    for (const number of numbers) wanted[number] = 0
    if (found.length < limit && this.#from > 0n) return undefined
    const ids = found.reverse().map(at => String(this.#ids[at]))
    return {
      ids,
      posts: found.map(at => this.#postAt(at)),
      from: ids.length < limit ? 0n : BigInt(ids[0] ?? 0),
    }
  }

  /** The indexes of the newest posts that are wanted, the newest first. */
  #search(tags: ReadonlySet<string>, limit: number): number[] {
    const [authors, wanted, tagBits] = [this.#authors, this.#wanted, this.#tagBits]
    const wantedBits = bitsOf(tags)
    const hasTag = (at: number): boolean => this.#facts[at]?.tags.some(tag => tags.has(tag)) ?? true
    const found: number[] = []
    for (let at = this.#count - 1; at >= 0 && found.length < limit; at--) {
      const author = authors[at] ?? 0
      const left = wanted[author] ?? 0
      if (left > 0) wanted[author] = left - 1
      else if (((tagBits[at] ?? 0) & wantedBits) === 0 || !hasTag(at)) continue
      found.push(at)
    }
    return found
  }

  #postAt(at: number): StoredPost | undefined {
    const facts = this.#facts[at]
    const author = this.#accounts[this.#authors[at] ?? 0]
    return facts && author !== undefined ? { author, facts } : undefined
  }

  #set(at: number, id: bigint, author: Id, facts: FeedFacts | undefined): void {
    this.#ids[at] = id
    this.#authors[at] = this.#numberOf(author)
    this.#tagBits[at] = ALL_BITS
    if (!facts || facts.mentions.length + facts.silent_mentions.length + facts.tags.length > MAX_NAMES) return
    this.#tagBits[at] = bitsOf(facts.tags)
    this.#facts[at] = facts
    this.#factsBytes += weighFacts(facts)
  }

  #drop(at: number): void {
    const facts = this.#facts[at]
    if (facts) this.#factsBytes -= weighFacts(facts)
    this.#facts[at] = undefined
    this.#tagBits[at] = ALL_BITS
  }

  #numberOf(account: Id): number {
    const known = this.#numbers.get(account)
    if (known !== undefined) return known
    const number = this.#accounts.length
    this.#accounts.push(account)
    this.#numbers.set(account, number)
    if (number >= this.#wanted.length) this.#wanted = new Uint8Array(Math.max(256, number * 2))
    return number
  }

  #indexOf(id: Id): number | undefined {
    const number = BigInt(id)
    const at = this.#find(number)
    return at < this.#count && this.#ids[at] === number ? at : undefined
  }

  /** The index of the id, or of the next higher one. */
  #find(id: bigint): number {
    let low = 0
    let high = this.#count
    if (high > 0 && (this.#ids[high - 1] ?? 0n) < id) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ids[middle] ?? 0n) < id) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Removes the oldest when there are too many. */
  #trim(): void {
    if (this.#count === this.#ids.length) this.#removeOldest(this.#count - this.#limit)
    while (this.#count > 0 && this.sizeBytes > this.#limitBytes) this.#removeOldest(Math.ceil(this.#count / 16))
  }

  #removeOldest(count: number): void {
    this.#from = (this.#ids[count - 1] ?? 0n) + 1n
    for (let at = 0; at < count; at++) this.#drop(at)
    for (const array of this.#arrays) array.copyWithin(0, count, this.#count)
    this.#facts.splice(0, count)
    this.#count -= count
    if (this.#accounts.length > this.#limit) this.#renumber()
  }

  /** Numbers the accounts again, without those that have no id any more. */
  #renumber(): void {
    const accounts = this.#accounts
    this.#accounts = []
    this.#numbers = new Map()
    for (let at = 0; at < this.#count; at++) this.#authors[at] = this.#numberOf(accounts[this.#authors[at] ?? 0] ?? '')
  }
}

const ALL_BITS = 2 ** 32 - 1

/** A bit for each hashtag, which others may share. */
function bitsOf(tags: Iterable<string>): number {
  let bits = 0
  for (const tag of tags) {
    let hash = 0
    for (let at = 0; at < tag.length; at++) hash = (Math.imul(hash, 31) + tag.charCodeAt(at)) | 0
    bits |= 1 << (hash & 31)
  }
  return bits >>> 0
}
