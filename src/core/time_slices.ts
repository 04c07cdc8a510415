/**
 * Long computations without a blocked event loop: they run one after another, for at most about
 * `SLICE_MS` in one turn of the event loop, whatever their number. One queue serves the process,
 * because the event loop is one.
 */

/** The time for which computations run before all other work may run. */
const SLICE_MS = 2

/**
 * A computation that can be interrupted wherever it yields. It should yield several times a
 * millisecond.
 */
export type Steps<T> = Generator<undefined, T>

/** Figures of this process since its start, for metrics. */
export interface SliceFigures {
  /** The number of computations that wait for their turn. */
  readonly waiting: number
  /** The number of turns of the event loop in which computations ran. */
  readonly slices: number
  readonly longestMs: number
}

/** Runs a computation until it has ended (true) or the slice is over (false). */
type Run = (endMs: number) => boolean

const waiting: Run[] = []
let slices = 0
let longestMs = 0
/** When the slice of this turn of the event loop ends; undefined before its first computation. */
let sliceEndMs: number | undefined

function beginSlice(): number {
  setImmediate(nextTurn)
  slices += 1
  return performance.now() + SLICE_MS
}

function recordLength(endMs: number): void {
  longestMs = Math.max(longestMs, performance.now() - endMs + SLICE_MS)
}

function nextTurn(): void {
  sliceEndMs = undefined
  if (waiting.length === 0) return
  const endMs = (sliceEndMs = beginSlice())
  let ended = 0
  while (waiting[ended]?.(endMs) === true) ended += 1
  waiting.splice(0, ended)
  recordLength(endMs)
}

/** The result of the computation, or undefined when the slice is over. */
function advance<T>(steps: Steps<T>, endMs: number): { readonly value: T } | undefined {
  while (performance.now() < endMs) {
    const step = steps.next()
    if (step.done === true) return step
  }
  return undefined
}

/**
 * Runs a computation in short slices, after those that wait already. Returns its result at once
 * when it ends in the present slice, and otherwise a promise.
 */
export function runInTimeSlices<T>(steps: Steps<T>): T | Promise<T> {
  if (waiting.length === 0) {
    const endMs = (sliceEndMs ??= beginSlice())
    if (performance.now() < endMs) {
      const ended = advance(steps, endMs)
      recordLength(endMs)
      if (ended) return ended.value
    }
  }
  return new Promise((resolve, reject) => {
    waiting.push(endMs => {
      try {
        const ended = advance(steps, endMs)
        if (ended) resolve(ended.value)
        return ended !== undefined
      } catch (error) {
        reject(error)
        return true
      }
    })
  })
}

/** Runs a computation to its end at once. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

export const sliceFigures = (): SliceFigures => ({ waiting: waiting.length, slices, longestMs })
