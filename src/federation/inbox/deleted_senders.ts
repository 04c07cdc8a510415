import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import type { Context } from '../../platform/http/index.ts'
import { perServer } from '../../platform/services.ts'
import { fetchLimits } from '../http_signatures/index.ts'
import { isDeleted } from '../remote_accounts/index.ts'

const AGAIN_AFTER_MS = 60_000
const MAX_REMEMBERED = 10_000

/** Actors whose servers did not say a short time ago that they were deleted. */
const present = perServer(() => new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: AGAIN_AFTER_MS }))

/**
 * Whether the server of an actor says that it was deleted. Anybody may send a Delete with a wrong
 * signature, so the server is asked once a minute, and within the limits of the client's address.
 * @throws ApiError signatureUnchecked when it was asked a short time ago, or too many wait
 */
export async function isSenderDeleted(context: Context, actor: string): Promise<boolean> {
  const known = present(context)
  const requireUnknown = (): void => {
    if (known.has(actor)) throw new ApiError('signatureUnchecked')
  }
  requireUnknown()
  return fetchLimits(context).run(context.request.address, async () => {
    requireUnknown()
    const deleted = await isDeleted(context, actor)
    if (!deleted) known.set(actor, true)
    return deleted
  })
}
