/** A cache that forgets what has not been asked for the longest, except for what is pinned. */
export interface Pinned<T> {
  /** The value, which counts as its use. */
  get(key: string): T | undefined
  /** The value, without counting as use. */
  peek(key: string): T | undefined
  set(key: string, value: T): void
  delete(key: string): void
  /** Keeps whatever is under the key, now or later, until released. */
  pin(key: string): () => void
  isPinned(key: string): boolean
  readonly size: number
}

export interface PinnedOptions<T> {
  /** Most values kept that are not pinned. */
  max: number
  /** Told of a value that goes: forgotten, deleted or replaced. */
  gone?: (value: T) => void
}

export function createPinned<T extends object>({ max, gone }: PinnedOptions<T>): Pinned<T> {
  // A Map iterates in the order of insertion: the first is the one that was not used for the longest.
  const loose = new Map<string, T>()
  const fixed = new Map<string, T>()
  const pins = new Map<string, number>()

  const peek = (key: string): T | undefined => fixed.get(key) ?? loose.get(key)

  function remove(key: string): void {
    const value = peek(key)
    loose.delete(key)
    fixed.delete(key)
    if (value) gone?.(value)
  }

  function add(key: string, value: T): void {
    if (pins.has(key)) {
      fixed.set(key, value)
      return
    }
    loose.set(key, value)
    if (loose.size <= max) return
    const [oldest] = loose.keys()
    if (oldest !== undefined) remove(oldest)
  }

  function move(key: string, from: Map<string, T>): void {
    const value = from.get(key)
    if (!value) return
    from.delete(key)
    add(key, value)
  }

  return {
    peek,
    get(key) {
      move(key, loose)
      return peek(key)
    },
    set(key, value) {
      remove(key)
      add(key, value)
    },
    delete: remove,
    pin(key) {
      pins.set(key, (pins.get(key) ?? 0) + 1)
      move(key, loose)
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
        move(key, fixed)
      }
    },
    isPinned: key => pins.has(key),
    get size() {
      return loose.size + fixed.size
    },
  }
}
