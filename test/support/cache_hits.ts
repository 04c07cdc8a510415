import type { ServerAddress } from './server.ts'

/** How many answers a server has given from memory since it started. */
export async function countCacheHits(server: ServerAddress): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^millrace_cache_hits\{cache="answers"\} (\d+)/m.exec(text)?.[1])
}
