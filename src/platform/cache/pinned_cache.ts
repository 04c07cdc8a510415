import { LRUCache } from 'lru-cache'

/** A cache that evicts the least recently used value, except for pinned ones. */
export interface PinnedCache<T> {
  /** The value; counts as a use. */
  get(key: string): T | undefined
  /** The value; does not count as a use. */
  peek(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  /** The keys of all values, pinned ones included. */
  keys(): string[]
  /** Weighs the value under the key again, after it grew or shrank. */
  weigh(key: string): void
  /** Protects the value under the key, present or future, from eviction until released. */
  pin(key: string): () => void
  isPinned(key: string): boolean
  statistics(): PinnedStatistics
}

export interface PinnedStatistics {
  readonly limitBytes: number
  /** The size of all values, pinned ones included. */
  readonly sizeBytes: number
  readonly size: number
  readonly hits: number
  readonly misses: number
}

export interface PinnedOptions<T> {
  /** The limit for all values that are not pinned. */
  limitBytes: number
  /** The approximate size of a value in bytes. */
  weigh: (value: T) => number
  /** Called with each value that is evicted, deleted or replaced. */
  onRemove?: (value: T) => void
}

interface Pinned<T> {
  readonly value: T
  bytes: number
}

export const createPinnedCache = <T extends object>(options: PinnedOptions<T>): PinnedCache<T> =>
  new LruWithPins(options)

class LruWithPins<T extends object> implements PinnedCache<T> {
  readonly #options: PinnedOptions<T>
  readonly #evictable: LRUCache<string, T>
  readonly #pinned = new Map<string, Pinned<T>>()
  readonly #pins = new Map<string, number>()
  #pinnedBytes = 0
  #hits = 0
  #misses = 0

  constructor(options: PinnedOptions<T>) {
    this.#options = options
    this.#evictable = new LRUCache({
      maxSize: Math.max(1, options.limitBytes),
      // A value larger than the limit replaces all others, because a caller is about to use it.
      sizeCalculation: value => Math.min(Math.max(1, options.limitBytes), this.#weigh(value)),
      dispose: (value, _key, reason) => {
        if (reason === 'evict') options.onRemove?.(value)
      },
    })
  }

  get(key: string): T | undefined {
    const value = this.#pinned.get(key)?.value ?? this.#evictable.get(key)
    if (value) this.#hits += 1
    else this.#misses += 1
    return value
  }

  peek(key: string): T | undefined {
    return this.#pinned.get(key)?.value ?? this.#evictable.peek(key)
  }

  set(key: string, value: T): void {
    this.delete(key)
    this.#put(key, value)
  }

  delete(key: string): void {
    const value = this.#take(key)
    if (value) this.#options.onRemove?.(value)
  }

  keys(): string[] {
    return [...this.#pinned.keys(), ...this.#evictable.keys()]
  }

  weigh(key: string): void {
    const value = this.#take(key)
    if (value) this.#put(key, value)
  }

  pin(key: string): () => void {
    this.#pins.set(key, (this.#pins.get(key) ?? 0) + 1)
    this.weigh(key)
    let released = false
    return () => {
      if (released) return
      released = true
      this.#unpin(key)
    }
  }

  isPinned(key: string): boolean {
    return this.#pins.has(key)
  }

  statistics(): PinnedStatistics {
    return {
      limitBytes: this.#options.limitBytes,
      sizeBytes: this.#evictable.calculatedSize + this.#pinnedBytes,
      size: this.#evictable.size + this.#pinned.size,
      hits: this.#hits,
      misses: this.#misses,
    }
  }

  /** lru-cache takes positive whole numbers only. */
  #weigh(value: T): number {
    return Math.max(1, Math.ceil(this.#options.weigh(value)))
  }

  #unpin(key: string): void {
    const left = (this.#pins.get(key) ?? 1) - 1
    if (left > 0) {
      this.#pins.set(key, left)
      return
    }
    this.#pins.delete(key)
    this.weigh(key)
  }

  #take(key: string): T | undefined {
    const pinned = this.#pinned.get(key)
    if (pinned) {
      this.#pinned.delete(key)
      this.#pinnedBytes -= pinned.bytes
      return pinned.value
    }
    const value = this.#evictable.peek(key)
    this.#evictable.delete(key)
    return value
  }

  #put(key: string, value: T): void {
    if (!this.#pins.has(key)) {
      this.#evictable.set(key, value)
      return
    }
    const bytes = this.#weigh(value)
    this.#pinned.set(key, { value, bytes })
    this.#pinnedBytes += bytes
  }
}
