/** Work that overlaps, with results that come in the order in which it was given. */
export interface OrderedQueue<T> {
  /**
   * `start` is called now, or when there is room. When it throws, rejects or takes too long that is lost, what `instead` gives is
   * delivered in its place, if anything, and what comes after it goes on.
   */
  push(start: () => Promise<T> | T, instead?: () => T): void
  /** Gives up on work that has been running for longer: nothing behind it could go on. */
  giveUp(afterMs: number): void
  /** Work that has not been delivered yet. */
  readonly length: number
}

interface Item<T> {
  readonly start: () => Promise<T> | T
  readonly instead: (() => T) | undefined
  startedAt: number
  result: { value: T } | 'lost' | undefined
}

/**
 * @param width how much work may run at once
 * @param deliver gets each result, in order
 * @param lost hears of each piece of work that failed
 */
export function createOrderedQueue<T>(
  width: number,
  deliver: (result: T) => void,
  onError: (error: unknown) => void,
): OrderedQueue<T> {
  // The first `running` of them have been started. Done is what is at the head and has a result.
  const items: Item<T>[] = []
  let running = 0
  let delivering = false

  function settle(item: Item<T>, result: { value: T } | 'lost'): void {
    if (item.result) return
    item.result = result
    deliverDone()
  }

  function fail(item: Item<T>, error: unknown): void {
    if (item.result) return
    onError(error)
    settle(item, item.instead ? { value: item.instead() } : 'lost')
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
    // What is delivered may push more; the loop below comes to it.
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
      if (head.result === 'lost') continue
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
