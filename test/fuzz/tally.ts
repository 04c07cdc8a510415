import { NEVER } from './never.ts'
import type { FuzzRequest } from './requests.ts'

/** Statuses that say that the request reached what it asked for. */
const isSuccess = (status: number): boolean => status < 400
/** The handler read the values and refused them, or did what it could. */
const isReached = (status: number): boolean => isSuccess(status) || status === 422

interface Counts {
  sent: number
  /** How often each status was the response. */
  readonly statuses: Map<number, number>
}

/** So many responses of an operation are enough to say that it never succeeds. */
const ENOUGH = 200

const share = (part: number, all: number): string => `${((100 * part) / Math.max(all, 1)).toFixed(1)} %`

/** Counts responses by status and by operation. */
export class Tally {
  readonly #all: Counts = { sent: 0, statuses: new Map() }
  readonly #calls = new Map<string, Counts>()

  /** Responses so far. */
  get sent(): number {
    return this.#all.sent
  }

  add({ method, path }: FuzzRequest, status: number): void {
    const key = `${method} ${path}`
    let call = this.#calls.get(key)
    if (!call) this.#calls.set(key, (call = { sent: 0, statuses: new Map() }))
    for (const counts of [this.#all, call]) {
      counts.sent += 1
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
    }
  }

  /** How often which operation answered with which 5xx. */
  *#serverErrors(): Generator<string> {
    for (const [call, { statuses }] of this.#calls)
      for (const [status, count] of statuses) if (status >= 500) yield `  ${status} ×${count} ${call}`
  }

  /** The share of each status, the server's errors, and the operations that never succeeded. */
  *lines(): Generator<string> {
    const { sent, statuses } = this.#all
    const reached = [...statuses].reduce((sum, [status, count]) => sum + (isReached(status) ? count : 0), 0)
    yield `${sent} responses; 2xx, 3xx and 422: ${share(reached, sent)}`
    for (const [status, count] of [...statuses].toSorted(([a], [b]) => a - b))
      yield `  ${status}  ${String(count).padStart(8)}  ${share(count, sent)}`
    yield* this.#serverErrors()
    const barren = this.#barren()
    yield `${barren.length} of ${this.#calls.size} operations never succeeded`
    for (const [call, counts] of barren)
      yield `  ${call}: ${[...counts.statuses].map(([status, count]) => `${status} ×${count}`).join(', ')}`
  }

  /** The operations that never succeeded, by name. */
  #barren(): [string, Counts][] {
    return [...this.#calls]
      .filter(([, counts]) => ![...counts.statuses.keys()].some(isSuccess))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  }

  /** The operations that never succeeded in many requests although nothing says why (never.ts). */
  unexpectedlyBarren(): string[] {
    const known = new Set(NEVER.flatMap(({ operations }) => operations))
    return this.#barren().flatMap(([call, { sent }]) => (sent >= ENOUGH && !known.has(call) ? [call] : []))
  }

  /** The operations that succeeded, of which never.ts says that they cannot. */
  unexpectedlyFruitful(): string[] {
    const barren = new Set(this.#barren().map(([call]) => call))
    return NEVER.flatMap(({ operations }) => operations).filter(call => this.#calls.has(call) && !barren.has(call))
  }
}
