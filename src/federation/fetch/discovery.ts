import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache, type Perf } from 'lru-cache'
import { domainKey } from '../../platform/http_client/index.ts'
import { perServer } from '../../platform/services.ts'

/** The accounts and statuses that may still be discovered for one activity or thread. */
interface Budget {
  accounts: number
  statuses: number
}

const MAX_ACCOUNTS = 400
const MAX_STATUSES = 1000

const budgets = new AsyncLocalStorage<Budget>()

/** Runs work for another server; it may discover a limited number of accounts and statuses. */
export const withDiscoveryBudget = <T>(work: () => Promise<T>): Promise<T> =>
  budgets.run({ accounts: MAX_ACCOUNTS, statuses: MAX_STATUSES }, work)

/** Takes one account or status from the budget; false when the budget is spent. */
export function mayDiscover(kind: keyof Budget): boolean {
  const budget = budgets.getStore()
  if (!budget) return true
  if (budget[kind] === 0) return false
  budget[kind] -= 1
  return true
}

const MAX_SUBDOMAINS = 10
const PERIOD_MS = 5 * 60_000
const MAX_DOMAINS = 10_000

/** Limits the new hosts of each registrable domain or address within a period. */
export function createSubdomainLimit(perf: Perf = performance) {
  const recent = new LRUCache<string, Set<string>>({ max: MAX_DOMAINS, ttl: PERIOD_MS, ttlResolution: 0, perf })
  return {
    /** Records a new host; false when its domain has too many new hosts. */
    mayAdd(host: string): boolean {
      const domain = domainKey(host)
      const hosts = recent.get(domain) ?? new Set()
      if (hosts.has(host)) return true
      if (hosts.size === MAX_SUBDOMAINS) return false
      hosts.add(host)
      // The period begins with the first host.
      recent.set(domain, hosts, { noUpdateTTL: true })
      return true
    },
  }
}

/** The limit of this process. */
export const subdomainLimit = perServer(() => createSubdomainLimit())
