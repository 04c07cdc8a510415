/** An amount to be added to what is counted under a name and a key in one window. */
export interface Count {
  readonly name: string
  readonly key: string
  /** When the window began, in seconds since the epoch. */
  readonly windowStart: number
  readonly windowSeconds: number
  /** 0 only asks for the total. */
  readonly amount: number
}

/** Where the counts of all server processes come together. Counts of windows that have ended may be forgotten. */
export interface LimitStore {
  /** Adds to one count and gives its total over all processes. */
  add(name: string, key: string, windowStart: number, windowSeconds: number, amount: number): Promise<number>
  /** Adds to many at once, no two of them the same, and gives the totals in the order of the counts. */
  addAll(counts: readonly Count[]): Promise<readonly number[]>
}

/** When the window that holds a moment began, in seconds since the epoch. */
export const windowStartAt = (nowMs: number, windowSeconds: number): number =>
  Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds
