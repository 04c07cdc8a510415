import type { ServerAddress } from './server.ts'

/**
 * How long a server took at most, in milliseconds, to say that it is healthy while it was busy with
 * something.
 */
export async function longestAnswerMs({ url }: ServerAddress, busy: Promise<unknown>): Promise<number> {
  const seen = { isOver: false }
  const over = busy.finally(() => (seen.isOver = true))
  let longestMs = 0
  do {
    const start = performance.now()
    await (await fetch(`${url}/health`)).text()
    longestMs = Math.max(longestMs, performance.now() - start)
  } while (!seen.isOver)
  await over
  return longestMs
}
