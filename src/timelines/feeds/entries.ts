import type { Id } from '../../core/id.ts'

/** The requested part of a feed; ids as in `Range` of platform/http. */
export interface PageRange {
  readonly limit: number
  readonly max_id?: Id | undefined
  readonly since_id?: Id | undefined
  readonly min_id?: Id | undefined
}

/** The most entries that a feed shows. */
const MAX_SHOWN = 800
/**
 * A boost is hidden while the status or another boost of it is among this many of the newest
 * entries.
 */
const GROUPED_WITHIN = 80
/**
 * The entries in memory, with the boosts that are hidden for now. SLACK more are added before the
 * oldest are removed.
 */
const MAX_ENTRIES = 1000
const SLACK = 64
/** The memory of a late arrival in addition to its entry. */
const LATE_BYTES = 80

/**
 * The entries of a feed in order of their ids, 17 bytes each: the id, the status that it shows (a
 * boost shows the boosted status), and whether it is shown, or hidden because the feed already
 * shows the same status.
 *
 * The shown entries follow from the entries alone: each entry, in order of arrival, is hidden when
 * an entry of the same status is among the newest 80 shown before it. An entry arrives when it is
 * made, or later, when its author or hashtag is followed afterwards. So entries may be added in any
 * order, repeatedly and from any source: a feed that followed events equals one that was read from
 * the database and that of another process; and when a boost is removed, the oldest boost that it
 * hid takes its place.
 *
 * Measured with 5,000 feeds of 400 entries: 0.1 µs to add the newest entry, 2 µs for a page, 25 µs
 * for the first page after a removal.
 */
export class Entries {
  readonly #groups: boolean
  readonly #from: bigint
  #ids = new BigUint64Array(16)
  #statuses = new BigUint64Array(16)
  #shown = new Uint8Array(16)
  #count = 0
  /** The arrival of late entries, as ids made at that moment. */
  readonly #late = new Map<bigint, bigint>()
  /** The highest id that was removed for lack of room. */
  #cutAt = 0n
  /** Whether `#shown` must be computed again. */
  #stale = false
  /**
   * From this index on no older, unknown entry can change what is shown. 0 when all are known.
   */
  #certainAt = 0

  /**
   * @param groups whether several boosts of one status are shown once
   * @param from the entries are complete from this id on, and older ones are not taken; 0 when
   * there are no others
   */
  constructor(groups: boolean, from = 0n) {
    this.#groups = groups
    this.#from = from
  }

  /** The size of the entries in memory. */
  get sizeBytes(): number {
    return this.#ids.length * 17 + this.#late.size * LATE_BYTES
  }

  /**
   * Adds an entry; does nothing when it exists or is older than the removed ones.
   * @param arrived an id made when it came into the feed
   */
  add(id: bigint, status: bigint, arrived = id): void {
    if (id <= this.#cutAt || id < this.#from) return
    const at = this.#find(id)
    if (at < this.#count && this.#ids[at] === id) return
    if (this.#count === this.#ids.length) this.#grow()
    if (at < this.#count) {
      this.#ids.copyWithin(at + 1, at, this.#count)
      this.#statuses.copyWithin(at + 1, at, this.#count)
      this.#shown.copyWithin(at + 1, at, this.#count)
      this.#stale = true
    }
    this.#ids[at] = id
    this.#statuses[at] = status
    this.#count += 1
    if (arrived > id) {
      this.#late.set(id, arrived)
      this.#stale = true
    }
    if (this.#from > 0n && id !== status && !this.#isWindowCertain(at)) this.#stale = true
    // The newest entry cannot be a duplicate when it is no boost: a boost of it would be newer.
    this.#shown[at] = this.#stale || !this.#groups || id === status || !this.#isShownAmongNewest(status, at) ? 1 : 0
    if (this.#count >= MAX_ENTRIES + SLACK) this.#cut(this.#count - MAX_ENTRIES)
  }

  /** Removes an entry, if it exists. */
  remove(id: bigint): void {
    const at = this.#find(id)
    if (at < this.#count && this.#ids[at] === id) this.#removeAt(at)
  }

  /** Removes a status and all boosts of it. */
  removeStatus(id: bigint): void {
    for (let at = this.#count - 1; at >= 0; at--) {
      const own = this.#ids[at]
      if (own === undefined || own < id) return
      if (own === id || this.#statuses[at] === id) this.#removeAt(at)
    }
  }

  /** Undefined when there is no such entry. */
  state(id: bigint): 'shown' | 'grouped' | undefined {
    const at = this.#find(id)
    if (at === this.#count || this.#ids[at] !== id) return undefined
    this.#refresh()
    return this.#shown[at] === 1 ? 'shown' : 'grouped'
  }

  /** The entries are known from this id on; 0 when all are. */
  get from(): bigint {
    return this.#from
  }

  /** Whether an entry with this id would be older than the feed's oldest entries. */
  isBeyond(id: bigint): boolean {
    return id <= this.#cutAt
  }

  /** Whether the feed shows the entry, or may show it, because it is older than the known ones. */
  mayShow(id: bigint): boolean {
    return id < this.#from || this.state(id) === 'shown'
  }

  /** The ids of a page, newest first; undefined when it may need entries that are not known. */
  page(cut: PageRange): Id[] | undefined {
    this.#refresh()
    const isKnown = this.#from === 0n
    const last = Math.max(this.#lowest(), this.#certainAt)
    const max = cut.max_id === undefined ? this.#count : this.#find(BigInt(cut.max_id))
    const found: Id[] = []
    if (cut.min_id !== undefined) {
      const above = BigInt(cut.min_id) + 1n
      if (!isKnown && !this.#isCertainFrom(above)) return undefined
      for (let at = Math.max(last, this.#find(above)); at < max && found.length < cut.limit; at++)
        if (this.#shown[at] === 1) found.push(String(this.#ids[at]))
      return found.reverse()
    }
    const above = cut.since_id === undefined ? 0n : BigInt(cut.since_id) + 1n
    const end = above === 0n ? last : Math.max(last, this.#find(above))
    for (let at = max - 1; at >= end && found.length < cut.limit; at--)
      if (this.#shown[at] === 1) found.push(String(this.#ids[at]))
    return isKnown || found.length === cut.limit || this.#isCertainFrom(above) ? found : undefined
  }

  /** All ids that the feed shows, as far as they are known, newest first. */
  all(): Id[] {
    this.#refresh()
    const found: Id[] = []
    for (let at = this.#count - 1, end = this.#lowest(); at >= end; at--)
      if (this.#shown[at] === 1) found.push(String(this.#ids[at]))
    return found
  }

  /** Whether all entries from this id on are known and certain to be shown or hidden. */
  #isCertainFrom(id: bigint): boolean {
    return id >= this.#from && this.#find(id) >= Math.max(this.#certainAt, this.#lowest())
  }

  /** The index of the id, or of the next higher one. */
  #find(id: bigint): number {
    let low = 0
    let high = this.#count
    // Fast path: nearly every entry that is asked for is the newest, or newer.
    if (high > 0) {
      const newest = this.#ids[high - 1] ?? 0n
      if (newest <= id) return newest < id ? high : high - 1
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ids[middle] ?? 0n) < id) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Whether the 80 newest entries that are shown before this index are known and certain, so that
   * they alone decide whether a boost at the index is hidden.
   */
  #isWindowCertain(before: number): boolean {
    if (this.#stale || this.#late.size > 0) return false
    for (let at = before - 1, left = GROUPED_WITHIN; at >= this.#certainAt; at--) {
      left -= this.#shown[at] ?? 0
      if (left === 0) return true
    }
    return false
  }

  #isShownAmongNewest(status: bigint, before: number): boolean {
    for (let at = before - 1, left = GROUPED_WITHIN; at >= 0 && left > 0; at--) {
      if (this.#shown[at] === 0) continue
      if (this.#statuses[at] === status) return true
      left -= 1
    }
    return false
  }

  /** The index of the oldest shown entry. */
  #lowest(): number {
    if (this.#count <= MAX_SHOWN) return 0
    let at = this.#count
    for (let left = MAX_SHOWN; at > 0 && left > 0; at--) left -= this.#shown[at - 1] ?? 0
    return at
  }

  #refresh(): void {
    if (!this.#stale) return
    this.#stale = false
    if (!this.#groups) {
      this.#shown.fill(1, 0, this.#count)
      return
    }
    if (this.#from > 0n) this.#groupAboveUnknown()
    else if (this.#late.size === 0) this.#groupInOrder()
    else this.#groupByArrival()
  }

  /** Groups entries that arrived in order of their ids, in one pass. */
  #groupInOrder(): void {
    const lastShown = new Map<bigint, number>()
    let shown = 0
    for (let at = 0; at < this.#count; at++) {
      const status = this.#statuses[at] ?? 0n
      const place = lastShown.get(status)
      const grouped = place !== undefined && shown - place <= GROUPED_WITHIN
      this.#shown[at] = grouped ? 0 : 1
      if (grouped) continue
      lastShown.set(status, shown)
      shown += 1
    }
  }

  /**
   * Groups as `#groupInOrder` when older entries are not known, and finds from where on they cannot
   * matter. A boost is uncertain while an unknown or uncertain entry of the same status may be
   * among the 80 shown before it; none of them is older than the status. Of a late entry it is not
   * certain before which others it arrived; it is shown all the same when it is the only one of its
   * status so far, above 80 others.
   */
  #groupAboveUnknown(): void {
    const newest = new Map<bigint, { readonly certain: number; readonly most: number; readonly isCertain: boolean }>()
    // The number of entries so far that are certainly shown, and that may be shown.
    let certain = 0
    let most = 0
    this.#certainAt = 0
    for (let at = 0; at < this.#count; at++) {
      const id = this.#ids[at] ?? 0n
      const status = this.#statuses[at] ?? 0n
      const same = newest.get(status)
      const isLate = this.#late.has(id)
      const mayHaveSame = same !== undefined || status < this.#from
      const isNear = id !== status && mayHaveSame && certain - (same?.certain ?? -1) <= GROUPED_WITHIN
      const isHidden = !isLate && isNear && same?.isCertain === true && most - same.most <= GROUPED_WITHIN
      this.#shown[at] = isHidden ? 0 : 1
      if (isHidden) continue
      const isCertain = !isLate && !isNear
      newest.set(status, { certain, most, isCertain })
      if (isCertain) certain += 1
      if ((!isCertain && (same || isNear)) || same?.isCertain === false) this.#certainAt = at + 1
      most += 1
    }
  }

  #groupByArrival(): void {
    this.#shown.fill(0, 0, this.#count)
    const arrivals = Array.from(this.#ids.subarray(0, this.#count), id => this.#late.get(id) ?? id)
    const places = arrivals.map((_, at) => at)
    places.sort((a, b) => {
      const [first = 0n, second = 0n] = [arrivals[a], arrivals[b]]
      return first < second ? -1 : first > second ? 1 : a - b
    })
    const seen = new Set<bigint>()
    let newest = 0
    for (const at of places) {
      const status = this.#statuses[at] ?? 0n
      newest = Math.max(newest, at)
      if (seen.has(status) && this.#isShownAmongNewest(status, newest + 1)) continue
      seen.add(status)
      this.#shown[at] = 1
    }
  }

  #removeAt(at: number): void {
    this.#late.delete(this.#ids[at] ?? 0n)
    this.#ids.copyWithin(at, at + 1, this.#count)
    this.#statuses.copyWithin(at, at + 1, this.#count)
    this.#shown.copyWithin(at, at + 1, this.#count)
    this.#count -= 1
    this.#stale = true
  }

  #cut(count: number): void {
    this.#refresh()
    this.#cutAt = this.#ids[count - 1] ?? this.#cutAt
    for (const id of this.#late.keys()) if (id <= this.#cutAt) this.#late.delete(id)
    this.#ids.copyWithin(0, count, this.#count)
    this.#statuses.copyWithin(0, count, this.#count)
    this.#shown.copyWithin(0, count, this.#count)
    this.#count -= count
    if (this.#from > 0n) this.#stale = true
  }

  #grow(): void {
    const capacity = Math.min(this.#count * 2, MAX_ENTRIES + SLACK)
    const ids = new BigUint64Array(capacity)
    const statuses = new BigUint64Array(capacity)
    const shown = new Uint8Array(capacity)
    ids.set(this.#ids)
    statuses.set(this.#statuses)
    shown.set(this.#shown)
    this.#ids = ids
    this.#statuses = statuses
    this.#shown = shown
  }
}
