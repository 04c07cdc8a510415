import { LRUCache, type Perf } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { domainKey, hostKey } from '../../platform/http_client/index.ts'
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

/** The server that delivered a document. */
export interface Deliverer {
  readonly host: string
  /** Whether it is a relay that this server follows. */
  readonly isRelay: boolean
}

/** By whom the time counts; no host has these names. */
interface Accounting {
  readonly domain: string
  readonly all: string
}

/** What relays deliver is counted by itself, so that nobody else uses up their time. */
const accountingOf = ({ host, isRelay }: Deliverer): Accounting =>
  isRelay ? { domain: `relay ${hostKey(host)}`, all: 'all relays' } : { domain: domainKey(host), all: 'all others' }

/**
 * Limits the time in which signed documents are processed as JSON-LD, by the host that delivers
 * them: anybody may send documents that somebody else has signed, or not. One is read at a time,
 * and one of relays, so that the event loop is blocked for few only.
 */
export function createReadingBudget(perf: Perf = performance) {
  const usedMs = new LRUCache<string, { ms: number }>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })
  const running = { relays: createSemaphore(1), others: createSemaphore(1) }

  function usageOf(domain: string): { ms: number } {
    const existing = usedMs.get(domain)
    if (existing) return existing
    const usage = { ms: 0 }
    usedMs.set(domain, usage)
    return usage
  }

  /** @throws ApiError signatureUnchecked */
  function requireTime({ domain, all }: Accounting): void {
    if (usageOf(domain).ms >= MAX_MS_OF_DOMAIN || usageOf(all).ms >= MAX_MS_OF_ALL)
      throw new ApiError('signatureUnchecked')
  }

  return {
    /** @throws ApiError signatureUnchecked when the budget is spent */
    requireTime: (deliverer: Deliverer): void => requireTime(accountingOf(deliverer)),
    /**
     * @param read must not wait for other servers: that would count, and hold up all others
     * @throws ApiError signatureUnchecked when the budget is spent: it may be sent again
     */
    async run<T>(deliverer: Deliverer, read: () => Promise<T>): Promise<T> {
      const accounting = accountingOf(deliverer)
      const turns = deliverer.isRelay ? running.relays : running.others
      requireTime(accounting)
      if (turns.waiting >= MAX_WAITING) throw new ApiError('signatureUnchecked')
      return turns.run(async () => {
        // Those that were sent at once have waited for each other.
        requireTime(accounting)
        const startMs = perf.now()
        try {
          return await read()
        } finally {
          for (const one of [accounting.domain, accounting.all]) usageOf(one).ms += perf.now() - startMs
        }
      })
    },
  }
}

export const readingBudget = perServer(() => createReadingBudget())
