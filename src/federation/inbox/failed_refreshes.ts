import { LRUCache } from 'lru-cache'
import { perServer } from '../../platform/services.ts'

const AGAIN_AFTER_MS = 60 * 60_000
const MAX_REMEMBERED = 10_000

/**
 * The URIs of actors that could not be fetched again a short time ago: an actor that sends many
 * activities is not requested for each of them.
 */
export const failedRefreshes = perServer(() => new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: AGAIN_AFTER_MS }))
