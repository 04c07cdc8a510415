import { type Count, type LimitStore, windowStartAt } from './store.ts'
import type { Throttle } from './throttles.ts'

/** The shortest interval between a process's messages to the store, in milliseconds. */
const FLUSH_AFTER_MS = 1000
const BATCH_SIZE = 1000

interface Entry {
  readonly key: string
  /** Of all processes, by the store's last answer; 0 before the first. */
  total: number
  /** Counted here since then, and not yet part of the total. */
  pending: number
  changed: boolean
}

interface Window {
  readonly throttle: Throttle
  readonly start: number
  readonly endMs: number
  readonly entries: Map<string, Entry>
  /** By key, also those that are in `entries` no longer. */
  changed: Map<string, Entry>
}

export interface LocalCounterOptions {
  readonly now: () => number
  readonly store: LimitStore
  /** Called for each failure of the store. The counts are sent with the next batch. */
  readonly onError: (error: unknown) => void
  /**
   * The limit of keys in one window; beyond it the oldest is removed, and read from the store
   * again.
   */
  readonly maxKeys: number
}

/**
 * Counts in memory, for the cost of a Map look-up, and updates the store at most once a second
 * while there is traffic. All processes together may therefore exceed a limit, but only by about a
 * second's requests.
 */
export class LocalCounter {
  private readonly options: LocalCounterOptions
  private readonly windows = new Map<Throttle, Window>()
  private timer: NodeJS.Timeout | undefined
  private flushed: Promise<void> = Promise.resolve()
  private closed = false

  constructor(options: LocalCounterOptions) {
    this.options = options
  }

  /**
   * Counts one request and returns the new count. Beyond the limit nothing is added, so a flood
   * costs the store nothing.
   */
  count(throttle: Throttle, key: string, nowMs: number): number {
    const window = this.windowOf(throttle, nowMs)
    const entry = window.entries.get(key) ?? this.addEntry(window, key)
    if (entry.total + entry.pending > throttle.limit) return entry.total + entry.pending
    entry.pending++
    this.recordChange(window, entry)
    return entry.total + entry.pending
  }

  /**
   * Updates the store now, after an update in progress. Resolves when the store has answered or
   * failed.
   */
  flush(): Promise<void> {
    this.flushed = this.flushed.then(() => this.send())
    return this.flushed
  }

  /** Sends the remaining counts to the store and stops the timer. */
  async close(): Promise<void> {
    this.closed = true
    await this.flush()
  }

  private windowOf(throttle: Throttle, nowMs: number): Window {
    const open = this.windows.get(throttle)
    // When the clock is set back, a window of the future remains; it would last for hours.
    const start = windowStartAt(nowMs, throttle.windowSeconds)
    if (open?.start === start) return open
    const endMs = (start + throttle.windowSeconds) * 1000
    const window = { throttle, start, endMs, entries: new Map<string, Entry>(), changed: new Map<string, Entry>() }
    this.windows.set(throttle, window)
    return window
  }

  private addEntry(window: Window, key: string): Entry {
    if (window.entries.size >= this.options.maxKeys) {
      const [oldest] = window.entries.keys()
      if (oldest !== undefined) window.entries.delete(oldest)
    }
    const entry = window.changed.get(key) ?? { key, total: 0, pending: 0, changed: false }
    window.entries.set(key, entry)
    return entry
  }

  private recordChange(window: Window, entry: Entry): void {
    if (entry.changed) return
    entry.changed = true
    window.changed.set(entry.key, entry)
    if (!this.closed) this.timer ??= setTimeout(() => void this.flush(), FLUSH_AFTER_MS).unref()
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    const changes = this.takeChanges()
    for (let at = 0; at < changes.length; at += BATCH_SIZE) await this.sendBatch(changes.slice(at, at + BATCH_SIZE))
  }

  private takeChanges(): Change[] {
    const now = this.options.now()
    const changes: Change[] = []
    for (const [throttle, window] of this.windows) {
      if (now >= window.endMs) this.windows.delete(throttle)
      else for (const entry of window.changed.values()) changes.push(takeChange(window, entry))
      window.changed = new Map()
    }
    return changes
  }

  /** Counts again what the store did not take: a batch has each key once. */
  private takeBack({ window, entry }: Change): void {
    const current = window.entries.get(entry.key) ?? window.changed.get(entry.key) ?? entry
    if (current !== entry) current.pending += entry.pending
    this.recordChange(window, current)
  }

  private async sendBatch(changes: readonly Change[]): Promise<void> {
    try {
      const totals = await this.options.store.addAll(changes.map(({ count }) => count))
      for (const [at, { entry, count }] of changes.entries()) {
        entry.total = totals[at] ?? entry.total
        entry.pending -= count.amount
      }
    } catch (error) {
      this.options.onError(error)
      for (const change of changes) this.takeBack(change)
    }
  }
}

interface Change {
  readonly window: Window
  readonly entry: Entry
  readonly count: Count
}

function takeChange(window: Window, entry: Entry): Change {
  const { name, windowSeconds } = window.throttle
  entry.changed = false
  return {
    window,
    entry,
    count: { name, key: entry.key, windowStart: window.start, windowSeconds, amount: entry.pending },
  }
}
