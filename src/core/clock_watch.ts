const LOOK_MS = 1_000
/** Smaller corrections, such as those of NTP, do no harm. */
const JUMP_MS = 30_000

/**
 * Calls back when the system's clock was set, forwards or backwards, or when the machine has slept.
 * @param jumped gets the difference in milliseconds
 * @returns ends the watch
 */
export function watchClock(jumped: (byMs: number) => void): () => void {
  const differenceMs = (): number => Date.now() - performance.now()
  let before = differenceMs()
  const timer = setInterval(() => {
    const now = differenceMs()
    const byMs = now - before
    before = now
    if (Math.abs(byMs) >= JUMP_MS) jumped(Math.round(byMs))
  }, LOOK_MS).unref()
  return () => clearInterval(timer)
}
