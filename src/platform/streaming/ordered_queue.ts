/** Runs work concurrently and delivers the results in the order of the calls. */
export interface OrderedQueue<T> {
  /**
   * Calls `start` now, or as soon as there is room. When it throws, rejects or takes too long, the
   * value of `instead` is delivered in its place, if there is one, and later work continues.
   */
  push(start: () => Promise<T> | T, instead?: () => T): void
  /**
   * Fails the first work when it has been running for longer, since all later work waits for it.
   */
  giveUp(afterMs: number): void
  /** The number of pieces of work that have not been delivered. */
  readonly length: number
}

interface Item<T> {
  readonly start: () => Promise<T> | T
  readonly instead: (() => T) | undefined
  startedAt: number
  result: { value: T } | 'failed' | undefined
}

/**
 * @param width the number of pieces of work that run at once
 * @param deliver called with each result, in order
 * @param onError called for each piece of work that failed
 */
export function createOrderedQueue<T>(
  width: number,
  deliver: (result: T) => void,
  onError: (error: unknown) => void,
): OrderedQueue<T> {
  // The first `running` items have been started. Items leave at the head, once they have a result.
  const items: Item<T>[] = []
  let running = 0
  let delivering = false

  function settle(item: Item<T>, result: { value: T } | 'failed'): void {
    if (item.result) return
    item.result = result
    deliverDone()
  }

  function fail(item: Item<T>, error: unknown): void {
    if (item.result) return
    onError(error)
    settle(item, item.instead ? { value: item.instead() } : 'failed')
  }

  function begin(item: Item<T>): void {
    running += 1
    item.startedAt = performance.now()
    try {
      const made = item.start()
      if (made instanceof Promise) {
        made.then(
          value => settle(item, { value }),
          (error: unknown) => fail(item, error),
        )
      } else settle(item, { value: made })
    } catch (error) {
      fail(item, error)
    }
  }

  function deliverDone(): void {
    // `deliver` may push more work; the loop below reaches it.
    if (delivering) return
    delivering = true
    for (let head = items[0]; head; head = items[0]) {
      if (!head.result && running < width) {
        const next = items[running]
        if (next) {
          begin(next)
          continue
        }
      }
      if (!head.result) break
      items.shift()
      running -= 1
      if (head.result === 'failed') continue
      try {
        deliver(head.result.value)
      } catch (error) {
        onError(error)
      }
    }
    delivering = false
  }

  return {
    push(start, instead) {
      items.push({ start, instead, startedAt: 0, result: undefined })
      deliverDone()
    },
    giveUp(afterMs) {
      const head = items[0]
      if (head && running > 0 && performance.now() - head.startedAt > afterMs) {
        fail(head, new Error(`work took more than ${afterMs} ms`))
      }
    },
    get length() {
      return items.length
    },
  }
}
