/** A cache that evicts the least recently used value, except for pinned ones. */
export interface PinnedCache<T> {
  /** The value; counts as a use. */
  get(key: string): T | undefined
  /** The value; does not count as a use. */
  peek(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
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

interface Entry<T> {
  readonly value: T
  bytes: number
}

export function createPinnedCache<T extends object>({ limitBytes, weigh, onRemove }: PinnedOptions<T>): PinnedCache<T> {
  // A Map iterates in insertion order, so the first key is the least recently used.
  const evictable = new Map<string, Entry<T>>()
  const pinned = new Map<string, Entry<T>>()
  const pins = new Map<string, number>()
  let evictableBytes = 0
  let pinnedBytes = 0
  let hits = 0
  let misses = 0

  const find = (key: string): Entry<T> | undefined => pinned.get(key) ?? evictable.get(key)

  function take(key: string): Entry<T> | undefined {
    const free = evictable.get(key)
    const entry = free ?? pinned.get(key)
    if (!entry) return undefined
    if (free) evictableBytes -= entry.bytes
    else pinnedBytes -= entry.bytes
    evictable.delete(key)
    pinned.delete(key)
    return entry
  }

  function put(key: string, entry: Entry<T>): void {
    if (pins.has(key)) {
      pinned.set(key, entry)
      pinnedBytes += entry.bytes
      return
    }
    evictable.set(key, entry)
    evictableBytes += entry.bytes
    evict(key)
  }

  function remove(key: string): void {
    const entry = take(key)
    if (entry) onRemove?.(entry.value)
  }

  /** Evicts values down to the limit, but never the newest. */
  function evict(newest: string): void {
    for (const key of evictable.keys()) {
      if (evictableBytes <= limitBytes || key === newest) return
      remove(key)
    }
  }

  function move(key: string): void {
    const entry = take(key)
    if (entry) put(key, entry)
  }

  return {
    peek: key => find(key)?.value,
    get(key) {
      const entry = find(key)
      if (entry) hits += 1
      else misses += 1
      if (entry && evictable.has(key)) move(key)
      return entry?.value
    },
    set(key, value) {
      remove(key)
      put(key, { value, bytes: weigh(value) })
    },
    delete: remove,
    weigh(key) {
      const entry = take(key)
      if (!entry) return
      entry.bytes = weigh(entry.value)
      put(key, entry)
    },
    pin(key) {
      pins.set(key, (pins.get(key) ?? 0) + 1)
      move(key)
      let released = false
      return () => {
        if (released) return
        released = true
        const left = (pins.get(key) ?? 1) - 1
        if (left > 0) {
          pins.set(key, left)
          return
        }
        pins.delete(key)
        move(key)
      }
    },
    isPinned: key => pins.has(key),
    statistics: () => ({
      limitBytes,
      sizeBytes: evictableBytes + pinnedBytes,
      size: evictable.size + pinned.size,
      hits,
      misses,
    }),
  }
}
