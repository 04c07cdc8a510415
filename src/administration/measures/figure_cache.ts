import { LRUCache, type Perf } from 'lru-cache'

/** A figure, and the number of rows that it was counted from. */
export interface CountedFigure<T> {
  readonly value: T
  readonly rows: number
}

/** Counting this many rows takes some tens of milliseconds. */
const MIN_CACHED_ROWS = 10_000
/** The staleness that the API allows. */
const CACHE_MS = 5 * 60_000
const MAX_CACHED = 500

/**
 * Caches figures counted from many rows, such as those of a popular hashtag, for five minutes;
 * others are counted each time. Concurrent requests for a figure share one count.
 */
export function createFigureCache<T extends object>(clock?: Perf) {
  const clockOptions = clock ? { perf: clock, ttlResolution: 0 } : {}
  const cached = new LRUCache<string, T>({ max: MAX_CACHED, ttl: CACHE_MS, ...clockOptions })
  const pending = new Map<string, Promise<T>>()

  async function countNow(key: string, count: () => Promise<CountedFigure<T>>): Promise<T> {
    try {
      const { value, rows } = await count()
      if (rows >= MIN_CACHED_ROWS) cached.set(key, value)
      return value
    } finally {
      pending.delete(key)
    }
  }

  return async (key: string, count: () => Promise<CountedFigure<T>>): Promise<T> => {
    const existing = cached.get(key) ?? pending.get(key)
    if (existing !== undefined) return existing
    const figure = countNow(key, count)
    pending.set(key, figure)
    return figure
  }
}
