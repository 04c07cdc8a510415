/**
 * Runs work concurrently and delivers the results one after another, in the order of the calls.
 */
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
  /** The number of tasks whose delivery has not begun. */
  readonly length: number
}

interface Item<T> {
  readonly start: () => Promise<T> | T
  readonly instead: (() => T) | undefined
  startedAt: number
  result: { value: T } | 'failed' | undefined
}

/**
 * @param width the number of tasks that run at once
 * @param deliver called with each result, in order; while a delivery goes on, nothing is started
 * @param onError called for each task that failed
 */
export const createOrderedQueue = <T>(
  width: number,
  deliver: (result: T) => Promise<void> | undefined,
  onError: (error: unknown) => void,
): OrderedQueue<T> => new Items(width, deliver, onError)

class Items<T> implements OrderedQueue<T> {
  /** The first `running` have been started. They leave at the head, once they have a result. */
  readonly #items: Item<T>[] = []
  readonly #width: number
  readonly #deliver: (result: T) => Promise<void> | undefined
  readonly #onError: (error: unknown) => void
  #running = 0
  #delivering = false

  constructor(width: number, deliver: (result: T) => Promise<void> | undefined, onError: (error: unknown) => void) {
    this.#width = width
    this.#deliver = deliver
    this.#onError = onError
  }

  get length(): number {
    return this.#items.length
  }

  push(start: () => Promise<T> | T, instead?: () => T): void {
    this.#items.push({ start, instead, startedAt: 0, result: undefined })
    this.#deliverDone()
  }

  giveUp(afterMs: number): void {
    const head = this.#items[0]
    if (head && this.#running > 0 && performance.now() - head.startedAt > afterMs) {
      this.#fail(head, new Error(`work took more than ${afterMs} ms`))
    }
  }

  #begin(item: Item<T>): void {
    this.#running += 1
    item.startedAt = performance.now()
    try {
      const made = item.start()
      if (made instanceof Promise) {
        made.then(
          value => this.#settle(item, { value }),
          (error: unknown) => this.#fail(item, error),
        )
      } else this.#settle(item, { value: made })
    } catch (error) {
      this.#fail(item, error)
    }
  }

  #settle(item: Item<T>, result: { value: T } | 'failed'): void {
    if (item.result) return
    item.result = result
    this.#deliverDone()
  }

  #fail(item: Item<T>, error: unknown): void {
    if (item.result) return
    this.#onError(error)
    this.#settle(item, item.instead ? { value: item.instead() } : 'failed')
  }

  #deliverDone(): void {
    // `deliver` may push more work; the loop below reaches it.
    if (this.#delivering) return
    this.#delivering = true
    for (let head = this.#items[0]; head; head = this.#items[0]) {
      if (!head.result && this.#running < this.#width) {
        const next = this.#items[this.#running]
        if (next) {
          this.#begin(next)
          continue
        }
      }
      if (!head.result) break
      this.#items.shift()
      this.#running -= 1
      if (head.result === 'failed') continue
      const delivery = this.#tryToDeliver(head.result.value)
      if (!delivery) continue
      void delivery.then(() => {
        this.#delivering = false
        this.#deliverDone()
      })
      return
    }
    this.#delivering = false
  }

  /** A promise that does not reject, or undefined when the delivery has ended. */
  #tryToDeliver(result: T): Promise<void> | undefined {
    try {
      return this.#deliver(result)?.catch(this.#onError)
    } catch (error) {
      this.#onError(error)
      return undefined
    }
  }
}
