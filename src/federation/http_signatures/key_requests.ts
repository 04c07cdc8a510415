import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import type { ActorKey } from './actor_key.ts'
import { fetchKey, type FetchedKey } from './fetch_key.ts'
import { fetchLimits } from './fetch_limits.ts'
import { createRecentRequests } from './recent_requests.ts'
import { signatureError } from './signature_error.ts'

const FAILURE_MS = 5 * 60_000
const MAX_FAILING_ADDRESSES = 10_000

/** Remembers for whose requests a connection failed a short time ago. */
function createFailures() {
  const addresses = new LRUCache<string, true>({ max: MAX_FAILING_ADDRESSES, ttl: FAILURE_MS })
  return {
    add: (address: string) => void addresses.set(address, true),
    /** @throws ApiError signatureUnchecked after a failed connection for the same address */
    refuse(address: string): void {
      if (addresses.has(address))
        throw signatureError('Fetching attempt skipped because of recent connection failure', 503)
    },
  }
}

/** How a key is requested. */
interface KeyRequest {
  readonly keyId: string
  /** Of the client whose request names the key. */
  readonly address: string
  /** Whether it is known, and a signature did not match it. */
  readonly refreshes: boolean
}

/** 'missing' after a 404; 'refreshed' when it was requested again some minutes ago. */
type RequestedKey = ActorKey | 'missing' | 'refreshed' | undefined

/**
 * Requests keys within the limits of the client's address, the same one not again and again.
 * @param keep stores a key; undefined for one that has been replaced
 * @param kept the key that was stored a moment ago
 */
export function createKeyRequests(
  services: Services,
  keep: (keyId: string, fetched: FetchedKey) => Promise<ActorKey | undefined>,
  kept: (keyId: string) => ActorKey | undefined,
) {
  const failures = createFailures()
  const recent = createRecentRequests()

  async function fetchAndRemember({ keyId, refreshes }: KeyRequest): Promise<RequestedKey> {
    try {
      const fetched = await fetchKey(services, keyId)
      if (fetched === undefined || fetched === 'missing') {
        recent.addUnusable(keyId, fetched ?? 'unlisted')
        return fetched
      }
      const key = await keep(keyId, fetched)
      if (refreshes) recent.addRefreshed(keyId)
      return key
    } catch (error) {
      if (error instanceof ApiError && error.code.startsWith('signature')) recent.addUnusable(keyId, error)
      throw error
    }
  }

  /** What is known without a request; undefined when one is needed. */
  function recall({ keyId, refreshes }: KeyRequest): { readonly known: RequestedKey } | undefined {
    const unusable = recent.unusable(keyId)
    if (unusable instanceof ApiError) throw unusable
    if (unusable !== undefined) return { known: unusable === 'missing' ? unusable : undefined }
    return refreshes && recent.isRefreshed(keyId) ? { known: 'refreshed' } : undefined
  }

  return {
    clear: recent.clear,
    refuse: failures.refuse,
    /** @throws ApiError signatureUnchecked when the server of the key gave no answer */
    async run(request: KeyRequest): Promise<RequestedKey> {
      const { address } = request
      failures.refuse(address)
      const recalled = recall(request)
      if (recalled) return recalled.known
      try {
        return await fetchLimits(services).run(address, async () => {
          // Another one may have failed, or have brought it, while this one waited.
          failures.refuse(address)
          const meanwhile = recall(request)
          if (meanwhile) return meanwhile.known
          return (request.refreshes ? undefined : kept(request.keyId)) ?? fetchAndRemember(request)
        })
      } catch (error) {
        if (!(error instanceof OutgoingFailure)) throw error
        failures.add(address)
        throw signatureError(`Failed to fetch remote data: ${error.message}`, 503, error)
      }
    },
  }
}
