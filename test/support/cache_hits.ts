import type { ServerAddress } from './server.ts'

/** The number of responses that a server has sent from its cache since it started. */
export async function countCacheHits(server: ServerAddress): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^millrace_cache_hits\{cache="answers"\} (\d+)/m.exec(text)?.[1])
}
