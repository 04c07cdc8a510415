import { BUDGETS, THROTTLES, type Throttle } from '../../platform/http/limits/index.ts'
import { createMatcher } from '../../platform/http/limits/match.ts'
import type { AnyOperation, Method } from '../../platform/http/operation.ts'

/** A limit on requests, as the extension `x-rate-limits` states it. */
interface DocumentedLimit {
  readonly limit: number
  readonly window_seconds: number
  /** What is counted. */
  readonly per: string
  /** Whether only successful requests count. */
  readonly successes_only?: true
}

const PER: Readonly<Record<Throttle['by'], string>> = {
  address: 'IP address',
  anonymous: 'IP address, without a user',
  user: 'user',
  token: 'token',
  email: 'e-mail address',
  subscriber: 'e-mail address',
}

const PAGING = ['page', 'min_id', 'max_id', 'since_id']

const matching = createMatcher(THROTTLES)

/** The limits that count requests of an operation. */
export function documentLimits(operation: AnyOperation, method: Method, path: string): DocumentedLimit[] {
  if (operation.auth === 'handler') return []
  const isPaged = PAGING.some(name => name in operation.params)
  const throttles: readonly Throttle[] = [
    ...THROTTLES.filter(({ on }) => (on === 'api' && path.startsWith('/api/')) || (on === 'paging' && isPaged)),
    ...matching(method, path.replaceAll(/:[a-z_]+/g, '1')),
  ]
  const limits = throttles.map(({ limit, windowSeconds, by }) => ({
    limit,
    window_seconds: windowSeconds,
    per: PER[by],
  }))
  if (!operation.budget) return limits
  const { limit, windowSeconds } = BUDGETS[operation.budget]
  return [...limits, { limit, window_seconds: windowSeconds, per: 'user', successes_only: true }]
}
