import { LRUCache, type Perf } from 'lru-cache'

/** A figure, and the number of rows that it was counted from. */
export interface Counted<T> {
  readonly value: T
  readonly rows: number
}

/** Counting so many rows takes some tens of milliseconds. */
const MANY_ROWS = 10_000
/** As long as the API allows. */
const KEPT_MS = 5 * 60_000
const MAX_KEPT = 500

/**
 * Keeps figures that are counted from many rows, such as those of a hashtag that everybody uses,
 * for five minutes; others are counted anew each time. A figure is counted once for all who ask for
 * it at the same time.
 */
export function createKept<T extends object>(clock?: Perf) {
  const timed = clock ? { perf: clock, ttlResolution: 0 } : {}
  const kept = new LRUCache<string, T>({ max: MAX_KEPT, ttl: KEPT_MS, ...timed })
  const running = new Map<string, Promise<T>>()

  async function countNow(key: string, count: () => Promise<Counted<T>>): Promise<T> {
    try {
      const { value, rows } = await count()
      if (rows >= MANY_ROWS) kept.set(key, value)
      return value
    } finally {
      running.delete(key)
    }
  }

  return async (key: string, count: () => Promise<Counted<T>>): Promise<T> => {
    const known = kept.get(key) ?? running.get(key)
    if (known !== undefined) return known
    const counting = countNow(key, count)
    running.set(key, counting)
    return counting
  }
}
