import { ApiError } from '../../core/errors.ts'

/**
 * Runs at most `most` pieces of work at once and lets `mostWaiting` more wait for their turn, in order.
 * @throws ApiError `unavailable` when too many wait already
 */
export function bounded(most: number, mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async work => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new ApiError('unavailable')
      // Whoever ends hands its turn over, so `running` stays.
      await new Promise<void>(resolve => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
