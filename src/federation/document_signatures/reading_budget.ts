import { LRUCache, type Perf } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { domainKey } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'

const PERIOD_MS = 60_000
/**
 * The time within a period that documents delivered by one domain, and by all, may take. One of
 * usual size takes 5 ms, the largest 0.5 s, in which the process does nothing else.
 */
const MAX_MS_OF_DOMAIN = 10_000
const MAX_MS_OF_ALL = 20_000
const MAX_WAITING = 100
const MAX_DOMAINS = 10_000
const ALL = ''

/**
 * Limits the time in which signed documents are processed as JSON-LD, by the host that delivers
 * them: anybody may send documents that somebody else has signed, or not. One is read at a time, so
 * that the event loop is blocked for one only.
 */
export function createReadingBudget(perf: Perf = performance) {
  const usedMs = new LRUCache<string, { ms: number }>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })
  const running = createSemaphore(1)

  function usageOf(domain: string): { ms: number } {
    const existing = usedMs.get(domain)
    if (existing) return existing
    const usage = { ms: 0 }
    usedMs.set(domain, usage)
    return usage
  }

  /** @throws ApiError signatureUnchecked */
  function requireTime(domain: string): void {
    if (usageOf(domain).ms >= MAX_MS_OF_DOMAIN || usageOf(ALL).ms >= MAX_MS_OF_ALL)
      throw new ApiError('signatureUnchecked')
  }

  return {
    /**
     * @param host the host that delivered the document
     * @param read must not wait for other servers: that would count, and hold up all others
     * @throws ApiError signatureUnchecked when the budget is spent: the host may send it again
     */
    async run<T>(host: string, read: () => Promise<T>): Promise<T> {
      const domain = domainKey(host)
      requireTime(domain)
      if (running.waiting >= MAX_WAITING) throw new ApiError('signatureUnchecked')
      return running.run(async () => {
        // Those that were sent at once have waited for each other.
        requireTime(domain)
        const startMs = perf.now()
        try {
          return await read()
        } finally {
          for (const one of [domain, ALL]) usageOf(one).ms += perf.now() - startMs
        }
      })
    },
  }
}

export const readingBudget = perServer(() => createReadingBudget())
