import { LRUCache, type Perf } from 'lru-cache'
import { parse } from 'tldts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

/** An answer within this time costs nothing. */
const QUICK_MS = 2000
const PERIOD_MS = 5 * 60_000
/** The longest time for which slow answers of one domain are waited for within a period. */
const MAX_WAIT_MS = 20_000
/** The most requests to one domain that wait for their answers. */
const MAX_AT_ONCE = 500
const MAX_DOMAINS = 10_000

interface Cost {
  waitedMs: number
  /** Until when the waiting is counted: time for which several requests wait counts once. */
  countedMs: number
  running: number
}

/** Slow servers share a registrable domain; an address stands for itself. */
const domainOf = (host: string): string => parse(host).domain ?? host

/**
 * Limits how long this server waits for the answers of one domain, however many requests that
 * takes: few jobs run at a time, and those that wait for a slow server do nothing for others.
 */
export function createWaitingBudget(perf: Perf = performance) {
  const costs = new LRUCache<string, Cost>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })

  function costOf(domain: string): Cost {
    const known = costs.get(domain)
    if (known) return known
    const cost = { waitedMs: 0, countedMs: 0, running: 0 }
    costs.set(domain, cost)
    return cost
  }

  return {
    /** @throws OutgoingFailure unreachable, when the domain of the URL has cost too much time */
    async ask<T>(url: string, request: () => Promise<T>): Promise<T> {
      const host = hostOf(url) ?? ''
      const cost = costOf(domainOf(host))
      if (cost.waitedMs > MAX_WAIT_MS || cost.running >= MAX_AT_ONCE)
        throw new OutgoingFailure('unreachable', `${host} has been too slow to be asked now`)
      const startMs = perf.now()
      cost.running += 1
      try {
        return await request()
      } finally {
        cost.running -= 1
        const endMs = perf.now()
        cost.waitedMs += Math.max(0, endMs - Math.max(startMs + QUICK_MS, cost.countedMs))
        cost.countedMs = endMs
      }
    },
  }
}

/** Of this process. */
export const waitingBudget = perServer(() => createWaitingBudget())
