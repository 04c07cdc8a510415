import { LRUCache } from 'lru-cache'
import { perServer } from '../../platform/services.ts'

/** Which push services have stopped answering, so that they do not hold up the pushes to others. */
export interface CircuitBreaker {
  /** Whether this host is left alone for now. */
  isOver(host: string): boolean
  /** It answered, whatever it said. */
  answered(host: string): void
  /** It gave no answer. */
  failed(host: string): void
}

/** Each failure may take a job's place for ten seconds; of those there are few. */
const MAX_FAILURES = 3
/** Shorter than the later pauses between the tries of one push. */
const REST_MS = 30_000
const MAX_HOSTS = 1000

/** After three failures in a row a host rests for half a minute; then one more decides. */
export function createCircuitBreaker(nowMs: () => number = Date.now): CircuitBreaker {
  const hosts = new LRUCache<string, { failures: number; untilMs: number }>({ max: MAX_HOSTS })
  return {
    isOver: host => (hosts.get(host)?.untilMs ?? 0) > nowMs(),
    answered: host => void hosts.delete(host),
    failed(host) {
      const failures = (hosts.get(host)?.failures ?? 0) + 1
      hosts.set(host, { failures, untilMs: failures >= MAX_FAILURES ? nowMs() + REST_MS : 0 })
    },
  }
}

/** What this process has seen of push services. */
export const circuitBreaker = perServer(() => createCircuitBreaker())
