import { LRUCache } from 'lru-cache'
import type { ApiError } from '../../core/errors.ts'

const UNUSABLE_MS = 60_000
const REFRESHED_MS = 5 * 60_000
const MAX_KEYS = 10_000

/** What a server answered that served no key: 'missing' after a 404, or an error. */
export type Unusable = 'missing' | 'unlisted' | ApiError

/**
 * Remembers for which keys other servers were asked a short time ago: anybody may send requests
 * that name a key, of any server, so that each of them must not cause a request to that server.
 */
export function createRecentRequests() {
  const unusable = new LRUCache<string, Unusable>({ max: MAX_KEYS, ttl: UNUSABLE_MS })
  const refreshed = new LRUCache<string, true>({ max: MAX_KEYS, ttl: REFRESHED_MS })
  return {
    /** The answer without a key of the last minute. */
    unusable: (keyId: string): Unusable | undefined => unusable.get(keyId),
    addUnusable: (keyId: string, answer: Unusable) => void unusable.set(keyId, answer),
    /** Whether the key was requested again in the last minutes, after a signature did not match. */
    isRefreshed: (keyId: string): boolean => refreshed.has(keyId),
    addRefreshed: (keyId: string) => void refreshed.set(keyId, true),
    clear(): void {
      unusable.clear()
      refreshed.clear()
    },
  }
}
