import { LRUCache, type Perf } from 'lru-cache'
import { domainKey, OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

/** An answer within this time uses nothing. */
const QUICK_MS = 2000
const PERIOD_MS = 5 * 60_000
/** The maximum time within a period that requests to one domain may wait for slow answers. */
const MAX_WAIT_MS = 20_000
/** The maximum number of simultaneous requests to one domain. */
const MAX_AT_ONCE = 500
const MAX_DOMAINS = 10_000

interface Usage {
  waitedMs: number
  /** The end of the time counted so far: time in which several requests wait counts once. */
  countedMs: number
  running: number
}

/**
 * Limits the total time that requests to one domain wait for slow answers: few jobs run at a time,
 * so jobs that wait for one slow server would hold up those for all others.
 */
export function createWaitingBudget(perf: Perf = performance) {
  const usages = new LRUCache<string, Usage>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })

  function usageOf(domain: string): Usage {
    const existing = usages.get(domain)
    if (existing) return existing
    const usage = { waitedMs: 0, countedMs: 0, running: 0 }
    usages.set(domain, usage)
    return usage
  }

  return {
    /** @throws OutgoingFailure unreachable, when the budget of the URL's domain is spent */
    async run<T>(url: string, request: () => Promise<T>): Promise<T> {
      const host = hostOf(url) ?? ''
      const usage = usageOf(domainKey(host))
      if (usage.waitedMs > MAX_WAIT_MS || usage.running >= MAX_AT_ONCE)
        throw new OutgoingFailure('unreachable', `${host} has been too slow to be asked now`)
      const startMs = perf.now()
      usage.running += 1
      try {
        return await request()
      } finally {
        usage.running -= 1
        const endMs = perf.now()
        usage.waitedMs += Math.max(0, endMs - Math.max(startMs + QUICK_MS, usage.countedMs))
        usage.countedMs = endMs
      }
    },
  }
}

/** The budgets of this process. */
export const waitingBudget = perServer(() => createWaitingBudget())
