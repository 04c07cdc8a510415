import { ApiError } from './errors.ts'

export interface Semaphore {
  /** How many pieces of work run now. */
  readonly running: number
  /**
   * Runs the work when its turn comes. @throws ApiError `unavailable` when too many wait already
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Runs at most `limit` pieces of work at once; up to `maxWaiting` more wait for their turn, in
 * order.
 */
export function createSemaphore(limit: number, maxWaiting = Infinity): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    get running() {
      return running
    },
    async run(work) {
      if (running >= limit) {
        if (waiting.length >= maxWaiting) throw new ApiError('unavailable')
        // Work that ends passes its turn on, so `running` stays.
        await new Promise<void>(resolve => waiting.push(resolve))
      } else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running -= 1
      }
    },
  }
}
