import { ApiError } from '../../core/errors.ts'

/**
 * Runs at most `most` tasks at once and lets `mostWaiting` more wait, in order.
 * @throws ApiError `unavailable` when too many are waiting
 */
export function bounded(most: number, mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0

  return async work => {
    if (running >= most) {
      if (waiting.length >= mostWaiting) throw new ApiError('unavailable')
      // A finished task hands its slot over, so `running` does not change.
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
