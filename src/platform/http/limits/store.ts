/** A number to add to the count of a name and key in one window. */
export interface Count {
  readonly name: string
  readonly key: string
  /** The start of the window, in seconds since the epoch. */
  readonly windowStart: number
  readonly windowSeconds: number
  /** 0 only reads the total. */
  readonly amount: number
}

/** Adds up the counts of all server processes. It may drop counts of windows that have ended. */
export interface LimitStore {
  /** Adds to one count and returns its total over all processes. */
  add(name: string, key: string, windowStart: number, windowSeconds: number, amount: number): Promise<number>
  /** Adds to several different counts at once, and returns the totals in the same order. */
  addAll(counts: readonly Count[]): Promise<readonly number[]>
}

/** The start of the window of a moment, in seconds since the epoch. */
export const windowStartAt = (nowMs: number, windowSeconds: number): number =>
  Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds
