import { LRUCache } from 'lru-cache'
import { parse } from 'tldts'
import { hostKey } from './limit_key.ts'

/** Tracks hosts that do not respond, so that they do not delay what is for others. */
export interface CircuitBreaker {
  /** Whether requests to this host are suspended. */
  isOpen(host: string): boolean
  /** Records any response. */
  recordResponse(host: string): void
  /** Records a failure to respond. */
  recordFailure(host: string): void
}

/** Each failure may occupy one of the few job slots until its request times out. */
const MAX_FAILURES = 3
/** Shorter than the later delays between the attempts of one job. */
const REST_MS = 30_000
const MAX_HOSTS = 1000

/**
 * The ports of a public address, and the addresses of a network, are one. A name keeps its port:
 * anybody may name another port of a server that others use, and must not suspend it.
 */
const keyOf = (host: string): string => (parse(host).isIp === true ? hostKey(host) : host)

/**
 * After three consecutive failures a host is suspended for half a minute; then one more failure
 * suspends it again.
 */
export function createCircuitBreaker(nowMs: () => number = () => performance.now()): CircuitBreaker {
  const hosts = new LRUCache<string, { failures: number; untilMs: number }>({ max: MAX_HOSTS })
  return {
    isOpen: host => (hosts.get(keyOf(host))?.untilMs ?? 0) > nowMs(),
    recordResponse: host => void hosts.delete(keyOf(host)),
    recordFailure(host) {
      const key = keyOf(host)
      const failures = (hosts.get(key)?.failures ?? 0) + 1
      hosts.set(key, { failures, untilMs: failures >= MAX_FAILURES ? nowMs() + REST_MS : 0 })
    },
  }
}
