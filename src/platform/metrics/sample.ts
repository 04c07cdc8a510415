/** How long a scrape waits for figures; after that it shows the last ones. */
const PATIENCE_MS = 1_000

/**
 * Figures that cost a statement: read on demand, at most once in `everyMs`, by one caller at a
 * time.
 * @param onError receives the error of a failed read, after which the next call reads again
 * @returns the last figures; undefined before the first read
 */
export function createSample<T>(
  read: () => Promise<T>,
  everyMs: number,
  onError: (error: unknown) => void,
): () => Promise<T | undefined> {
  let last: { readonly figures: T; readonly at: number } | undefined
  let reading: Promise<void> | undefined

  async function readOnce(): Promise<void> {
    try {
      last = { figures: await read(), at: performance.now() }
    } catch (error) {
      onError(error)
    } finally {
      reading = undefined
    }
  }

  return async () => {
    if (last && performance.now() - last.at < everyMs) return last.figures
    reading ??= readOnce()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    await Promise.race([reading, late])
    clearTimeout(timer)
    return last?.figures
  }
}
