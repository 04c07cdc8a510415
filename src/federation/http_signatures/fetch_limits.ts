import { createSemaphore, type Semaphore } from '../../core/semaphore.ts'
import { rateLimitKey } from '../../platform/http/client_address.ts'
import { perServer } from '../../platform/services.ts'
import { signatureError } from './signature_error.ts'

/** Simultaneous fetches of keys for the requests of one client address, and for those of all. */
const OF_ADDRESS = 8
const OF_ALL = 128
/** The fetches that wait for their turn; further requests are answered 503 and sent again. */
const WAITING_OF_ADDRESS = 200
const WAITING_OF_ALL = 2000

/**
 * Limits the fetches of keys: anybody causes one by a request with an unknown key id, before
 * anything is known of the client.
 */
function createFetchLimits() {
  const all = createSemaphore(OF_ALL)
  const byAddress = new Map<string, Semaphore>()
  return {
    /** @throws ApiError signatureUnchecked when too many wait */
    async run<T>(address: string, work: () => Promise<T>): Promise<T> {
      const key = rateLimitKey(address)
      const own = byAddress.get(key) ?? createSemaphore(OF_ADDRESS)
      if (own.waiting >= WAITING_OF_ADDRESS || all.waiting >= WAITING_OF_ALL)
        throw signatureError('Too many keys are being fetched', 503)
      byAddress.set(key, own)
      try {
        return await own.run(() => all.run(work))
      } finally {
        if (own.running === 0 && byAddress.get(key) === own) byAddress.delete(key)
      }
    },
  }
}

/** The limits of this process. */
export const fetchLimits = perServer(() => createFetchLimits())
