import { type LimitStore, windowStartAt } from './store.ts'
import type { Throttle } from './throttles.ts'

interface Window {
  readonly start: number
  /** Keys beyond the limit, with the count that exceeded it. */
  readonly exceeded: Map<string, number>
}

export interface SharedCounterOptions {
  readonly store: LimitStore
  /**
   * The limit of keys in one window; beyond it the oldest is removed, and the store is asked again.
   */
  readonly maxKeys: number
}

/**
 * Counts each request in the store. Keys beyond the limit are remembered here, so that a flood does
 * not reach the store.
 */
export class SharedCounter {
  private readonly options: SharedCounterOptions
  private readonly windows = new Map<Throttle, Window>()

  constructor(options: SharedCounterOptions) {
    this.options = options
  }

  /**
   * Counts one request and returns the new count.
   * @throws the errors of the store
   */
  async count(throttle: Throttle, key: string, nowMs: number): Promise<number> {
    const { name, windowSeconds, limit } = throttle
    const { start, exceeded } = this.windowOf(throttle, nowMs)
    const known = exceeded.get(key)
    if (known !== undefined) return known
    const total = await this.options.store.add(name, key, start, windowSeconds, 1)
    if (total > limit) {
      if (exceeded.size >= this.options.maxKeys) {
        const [oldest] = exceeded.keys()
        if (oldest !== undefined) exceeded.delete(oldest)
      }
      exceeded.set(key, total)
    }
    return total
  }

  private windowOf(throttle: Throttle, nowMs: number): Window {
    const open = this.windows.get(throttle)
    const start = windowStartAt(nowMs, throttle.windowSeconds)
    if (open?.start === start) return open
    const window = { start, exceeded: new Map<string, number>() }
    this.windows.set(throttle, window)
    return window
  }
}
