/** A cache that forgets what has not been asked for the longest, except for what is pinned. */
export interface PinnedCache<T> {
  /** The value, which counts as its use. */
  get(key: string): T | undefined
  /** The value, without counting as use. */
  peek(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  /** The value under the key has grown or shrunk: it is weighed again. */
  weigh(key: string): void
  /** Keeps whatever is under the key, now or later, until released. */
  pin(key: string): () => void
  isPinned(key: string): boolean
  statistics(): PinnedStatistics
}

export interface PinnedStatistics {
  readonly limitBytes: number
  /** Of all, those that are pinned too. */
  readonly sizeBytes: number
  readonly size: number
  readonly hits: number
  readonly misses: number
}

export interface PinnedOptions<T> {
  /** What values that are not pinned may take together. */
  limitBytes: number
  /** What a value takes, about. */
  weigh: (value: T) => number
  /** Told of a value that goes: forgotten, deleted or replaced. */
  gone?: (value: T) => void
}

interface Held<T> {
  readonly value: T
  bytes: number
}

export function createPinnedCache<T extends object>({ limitBytes, weigh, gone }: PinnedOptions<T>): PinnedCache<T> {
  // A Map iterates in the order of insertion: the first is the one that was not used for the longest.
  const loose = new Map<string, Held<T>>()
  const fixed = new Map<string, Held<T>>()
  const pins = new Map<string, number>()
  let looseBytes = 0
  let fixedBytes = 0
  let hits = 0
  let misses = 0

  const find = (key: string): Held<T> | undefined => fixed.get(key) ?? loose.get(key)

  function take(key: string): Held<T> | undefined {
    const free = loose.get(key)
    const held = free ?? fixed.get(key)
    if (!held) return undefined
    if (free) looseBytes -= held.bytes
    else fixedBytes -= held.bytes
    loose.delete(key)
    fixed.delete(key)
    return held
  }

  function put(key: string, held: Held<T>): void {
    if (pins.has(key)) {
      fixed.set(key, held)
      fixedBytes += held.bytes
      return
    }
    loose.set(key, held)
    looseBytes += held.bytes
    forget(key)
  }

  function remove(key: string): void {
    const held = take(key)
    if (held) gone?.(held.value)
  }

  /** Makes room, but never by what has just come. */
  function forget(newest: string): void {
    for (const key of loose.keys()) {
      if (looseBytes <= limitBytes || key === newest) return
      remove(key)
    }
  }

  function move(key: string): void {
    const held = take(key)
    if (held) put(key, held)
  }

  return {
    peek: key => find(key)?.value,
    get(key) {
      const held = find(key)
      if (held) hits += 1
      else misses += 1
      if (held && loose.has(key)) move(key)
      return held?.value
    },
    set(key, value) {
      remove(key)
      put(key, { value, bytes: weigh(value) })
    },
    delete: remove,
    weigh(key) {
      const held = take(key)
      if (!held) return
      held.bytes = weigh(held.value)
      put(key, held)
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
      sizeBytes: looseBytes + fixedBytes,
      size: loose.size + fixed.size,
      hits,
      misses,
    }),
  }
}
