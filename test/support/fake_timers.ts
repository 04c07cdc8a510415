import { Clock, type Timer } from 'clock-mock'
import type { Test } from 'tap'

type Api = 'Date' | 'setTimeout' | 'setInterval'

/** The time of this process in a test's hand, until the test ends. Only what is named stands still; all else runs on, such as the database driver. */
export interface FakeTimers {
  /** Takes over what is named; the clock shows `now`, or the time of 1970 where it is not said. */
  enable(options: { readonly apis: readonly Api[]; readonly now?: number }): void
  /** Lets so many milliseconds pass, and calls what was waiting for them. */
  tick(ms: number): void
  setTime(now: number): void
  /** Gives everything back before the test ends. */
  reset(): void
}

const ofTests = new WeakMap<Test, FakeTimers>()

/** The timers of a test: the same ones whenever it asks. */
export function fakeTimers(t: Test): FakeTimers {
  const made = ofTests.get(t) ?? create(t)
  ofTests.set(t, made)
  return made
}

/** When something happens next; infinity if nothing is waited for. */
const next = (clock: Clock): number => Math.min(...clock.timers.keys())

/** Node's timers give themselves back. */
function chained(timer: Timer): Timer {
  return Object.assign(timer, { ref: () => timer, unref: () => timer })
}

function create(t: Test): FakeTimers {
  const clock = new Clock()
  const real = Date
  // Dates that were made before are dates still.
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
      // An interval that passed several times is called as often.
      for (let due = next(clock); due <= until; due = next(clock)) clock.advance(Math.max(due - clock.now(), 0))
      clock.advance(until - clock.now())
    },
    setTime: now => clock.travel(now),
    reset() {
      for (const one of restore.splice(0)) one()
    },
  }
}
