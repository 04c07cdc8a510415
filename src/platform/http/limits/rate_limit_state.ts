import { ApiError } from '../../../core/errors.ts'

/** The state of a limit for a request. */
export interface RateLimitState {
  readonly limit: number
  /** The requests left in this window, after this one; never negative. */
  readonly remaining: number
  /** The end of the window, in milliseconds since the epoch. */
  readonly resetAt: number
  /** The request exceeds the limit. */
  readonly throttled: boolean
}

/**
 * The state to report to the client: an exceeded limit, else the one with the fewest remaining
 * requests, the first of equals.
 */
export function tightest(
  first: RateLimitState | undefined,
  second: RateLimitState | undefined,
): RateLimitState | undefined {
  if (!first || !second) return first ?? second
  if (first.throttled !== second.throttled) return first.throttled ? first : second
  return second.remaining < first.remaining ? second : first
}

/** `X-RateLimit-Limit`, `-Remaining` and `-Reset` (ISO 8601 in UTC with six fraction digits). */
export function rateLimitHeaders({ limit, remaining, resetAt }: RateLimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': `${new Date(resetAt).toISOString().slice(0, -1)}000Z`,
  }
}

/** The 429 for a request that exceeds a limit. */
export const throttledError = (state: RateLimitState): ApiError =>
  new ApiError('tooManyRequests', { headers: rateLimitHeaders({ ...state, remaining: 0 }) })
