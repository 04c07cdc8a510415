import { Clock, type Timer } from 'clock-mock'
import type { Test } from 'tap'

type Api = 'Date' | 'setTimeout' | 'setInterval'

/**
 * Controls this process's clock and timers until the test ends. Only the named ones are replaced;
 * others, such as the database driver's, stay real.
 */
export interface FakeTimers {
  /** Replaces the named ones; the clock shows `now`, by default the epoch. */
  enable(options: { readonly apis: readonly Api[]; readonly now?: number }): void
  /** Advances the clock and calls the timers that become due. */
  tick(ms: number): void
  setTime(now: number): void
  /** Restores everything before the test ends. */
  reset(): void
}

const ofTests = new WeakMap<Test, FakeTimers>()

/** The timers of a test: one instance for each test. */
export function fakeTimers(t: Test): FakeTimers {
  const made = ofTests.get(t) ?? create(t)
  ofTests.set(t, made)
  return made
}

/** The time of the next timer; infinity without timers. */
const next = (clock: Clock): number => Math.min(...clock.timers.keys())

/** Node's `ref` and `unref` return the timer. */
function chained(timer: Timer): Timer {
  return Object.assign(timer, { ref: () => timer, unref: () => timer })
}

function create(t: Test): FakeTimers {
  const clock = new Clock()
  const real = Date
  // Dates that were created before remain instances.
  Object.defineProperty(clock.Date, Symbol.hasInstance, { value: (value: unknown) => value instanceof real })
  const replacements = {
    Date: clock.Date,
    setTimeout: (...given: Parameters<Clock['setTimeout']>) => chained(clock.setTimeout(...given)),
    setInterval: (...given: Parameters<Clock['setInterval']>) => chained(clock.setInterval(...given)),
  }
  let restore: (() => void)[] = []
  return {
    enable({ apis, now = 0 }) {
      clock.travel(now)
      for (const api of apis) {
        const taken = t.intercept(globalThis, api, { value: replacements[api], writable: true, configurable: true })
        restore.push(() => taken.restore())
      }
    },
    tick(ms) {
      const until = clock.now() + ms
      // An interval that elapsed several times is called as often.
      for (let due = next(clock); due <= until; due = next(clock)) clock.advance(Math.max(due - clock.now(), 0))
      clock.advance(until - clock.now())
    },
    setTime: now => clock.travel(now),
    reset() {
      for (const one of restore.splice(0)) one()
    },
  }
}
