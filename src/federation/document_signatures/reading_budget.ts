import { LRUCache, type Perf } from 'lru-cache'
import { parse } from 'tldts'
import { ApiError } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { perServer } from '../../platform/services.ts'

const PERIOD_MS = 60_000
/**
 * The time within a period that documents delivered by one domain, and by all, may take. One of
 * usual size takes 5 ms, the largest 0.5 s, in which the process does nothing else.
 */
const MAX_MS_OF_DOMAIN = 10_000
const MAX_MS_OF_ALL = 20_000
/** More than one, because some wait for contexts on other servers. */
const AT_ONCE = 3
const MAX_WAITING = 100
const MAX_DOMAINS = 10_000
const ALL = ''

interface Usage {
  usedMs: number
  /** The end of the time counted so far: time in which several are read counts once. */
  countedMs: number
}

/**
 * Limits the time in which signed documents are processed as JSON-LD, by the host that delivers
 * them: anybody may send documents that somebody else has signed, or not.
 */
export function createReadingBudget(perf: Perf = performance) {
  const usages = new LRUCache<string, Usage>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })
  const running = createSemaphore(AT_ONCE)

  function usageOf(domain: string): Usage {
    const existing = usages.get(domain)
    if (existing) return existing
    const usage = { usedMs: 0, countedMs: 0 }
    usages.set(domain, usage)
    return usage
  }

  function count(domain: string, startMs: number, endMs: number): void {
    const usage = usageOf(domain)
    usage.usedMs += Math.max(0, endMs - Math.max(startMs, usage.countedMs))
    usage.countedMs = endMs
  }

  const isSpent = (domain: string): boolean =>
    usageOf(domain).usedMs >= MAX_MS_OF_DOMAIN || usageOf(ALL).usedMs >= MAX_MS_OF_ALL

  return {
    /**
     * @param host the host that delivered the document
     * @throws ApiError signatureUnchecked when the budget is spent: the host may send it again
     */
    async run<T>(host: string, read: () => Promise<T>): Promise<T> {
      const { domain: registrable, hostname } = parse(host)
      const domain = registrable ?? hostname ?? host
      if (isSpent(domain) || running.waiting >= MAX_WAITING) throw new ApiError('signatureUnchecked')
      return running.run(async () => {
        // Those that were sent at once have waited for each other.
        if (isSpent(domain)) throw new ApiError('signatureUnchecked')
        const startMs = perf.now()
        try {
          return await read()
        } finally {
          for (const one of [domain, ALL]) count(one, startMs, perf.now())
        }
      })
    },
  }
}

export const readingBudget = perServer(() => createReadingBudget())
