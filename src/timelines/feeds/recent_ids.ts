import type { Id } from '../../core/id.ts'

/** The newest ids of some accounts, oldest first. */
export interface NewestIds {
  readonly ids: readonly Id[]
  /** They are complete from this id on; 0 when there are no older ones. */
  readonly from: bigint
}

/** So many more than the limit are added before the oldest are removed. */
const SLACK = 1024
/** Two arrays, and about one new author in ten statuses. */
const ENTRY_BYTES = 24

/**
 * The newest status ids of all accounts with their authors, 12 bytes each: enough to find the
 * newest ones of any set of accounts by one pass over numbers.
 */
export class RecentIds {
  readonly #limit: number
  readonly #ids: BigUint64Array
  /** The author of each id, as an index of `#accounts`. */
  readonly #authors: Uint32Array
  #count = 0
  /** The ids are complete from this one on; 0 when all are known. */
  #from = 0n
  #accounts: Id[] = []
  #numbers = new Map<Id, number>()
  /** How many more ids `newest` takes of each account; 0 for accounts that it does not look for. */
  #wanted = new Uint8Array(0)

  /**
   * @param ids the newest ids, ascending, at most `limit`; when there are fewer they are all
   * @param accounts the author of each
   */
  constructor(ids: readonly Id[], accounts: readonly Id[], limit: number) {
    this.#limit = limit
    this.#ids = new BigUint64Array(limit + SLACK)
    this.#authors = new Uint32Array(limit + SLACK)
    for (const [at, id] of ids.entries()) {
      this.#ids[at] = BigInt(id)
      this.#authors[at] = this.#numberOf(accounts[at] ?? '')
    }
    this.#count = ids.length
    if (ids.length >= limit) this.#from = this.#ids[0] ?? 0n
  }

  get size(): number {
    return this.#count
  }

  get sizeBytes(): number {
    return this.#ids.length * ENTRY_BYTES
  }

  /** Adds an id; does nothing when it is known, or older than the oldest. */
  add(id: Id, account: Id): void {
    const number = BigInt(id)
    if (number < this.#from) return
    const at = this.#find(number)
    if (at < this.#count && this.#ids[at] === number) return
    this.#ids.copyWithin(at + 1, at, this.#count)
    this.#authors.copyWithin(at + 1, at, this.#count)
    this.#ids[at] = number
    this.#authors[at] = this.#numberOf(account)
    this.#count += 1
    if (this.#count === this.#ids.length) this.#removeOldest(this.#count - this.#limit)
  }

  remove(id: Id): void {
    const at = this.#find(BigInt(id))
    if (at === this.#count || this.#ids[at] !== BigInt(id)) return
    this.#ids.copyWithin(at, at + 1, this.#count)
    this.#authors.copyWithin(at, at + 1, this.#count)
    this.#count -= 1
  }

  removeAccount(account: Id): void {
    const number = this.#numbers.get(account)
    if (number === undefined) return
    let left = 0
    for (let at = 0; at < this.#count; at++) {
      const author = this.#authors[at] ?? 0
      if (author === number) continue
      this.#ids[left] = this.#ids[at] ?? 0n
      this.#authors[left] = author
      left += 1
    }
    this.#count = left
  }

  /**
   * The newest ids of these accounts; undefined when fewer are known than may exist.
   * @param each the most of one account, at most 255
   */
  newest(accounts: Iterable<Id>, limit: number, each: number): NewestIds | undefined {
    const wanted: number[] = []
    for (const account of accounts) {
      const number = this.#numbers.get(account)
      if (number !== undefined) wanted.push(number)
    }
    for (const number of wanted) this.#wanted[number] = each
    const found: Id[] = []
    for (let at = this.#count - 1; at >= 0 && found.length < limit; at--) {
      const author = this.#authors[at] ?? 0
      const left = this.#wanted[author] ?? 0
      if (left === 0) continue
      this.#wanted[author] = left - 1
      found.push(String(this.#ids[at]))
    }
    for (const number of wanted) this.#wanted[number] = 0
    if (found.length < limit && this.#from > 0n) return undefined
    const oldest = found.at(-1)
    return { ids: found.reverse(), from: found.length < limit || oldest === undefined ? 0n : BigInt(oldest) }
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

  #removeOldest(count: number): void {
    this.#from = (this.#ids[count - 1] ?? 0n) + 1n
    this.#ids.copyWithin(0, count, this.#count)
    this.#authors.copyWithin(0, count, this.#count)
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
