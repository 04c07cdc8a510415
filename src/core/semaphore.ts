import { ApiError } from './errors.ts'

export interface Semaphore {
  /** The number of tasks that are running. */
  readonly running: number
  /** The number of tasks that wait for their turn. */
  readonly waiting: number
  /**
   * Runs the task as soon as fewer than `limit` others run.
   * @throws ApiError `unavailable` when too many tasks are waiting
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Runs at most `limit` tasks at once; up to `maxWaiting` more wait in a queue. */
export function createSemaphore(limit: number, maxWaiting = Infinity): Semaphore {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    get running() {
      return running
    },
    get waiting() {
      return waiting.length
    },
    async run(work) {
      if (running >= limit) {
        if (waiting.length >= maxWaiting) throw new ApiError('unavailable')
        // A task that ends hands its place to the next one, so `running` does not change.
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
