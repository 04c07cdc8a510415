import { ApiError } from '../../../core/errors.ts'

/** What a limit says to a request. */
export interface RateLimitState {
  readonly limit: number
  /** How many more there may be in this window, this request counted; never negative. */
  readonly remaining: number
  /** When the window ends, in milliseconds since the epoch. */
  readonly resetAt: number
  /** The request is one too many. */
  readonly throttled: boolean
}

/** The one that clients are told of: a limit that was exceeded, else the one with the fewest remaining, the first of equals. */
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

/** The 429 for a request that was one too many. */
export const throttledFailure = (verdict: RateLimitState): ApiError =>
  new ApiError('tooManyRequests', { headers: rateLimitHeaders({ ...verdict, remaining: 0 }) })
