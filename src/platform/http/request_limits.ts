import { c, query, type Database } from '../database/index.ts'
import type { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Token } from '../../core/viewer.ts'
import type { Services } from '../services.ts'
import { rateLimitKey } from './client_address.ts'
import {
  createLimits,
  rateLimitHeaders,
  throttledError,
  tightest,
  type BudgetName,
  type Count,
  type LimitStore,
  type RateLimitState,
} from './limits/index.ts'
import type { Budget } from './operation.ts'
import type { Request } from './request.ts'
import type { ParamTree } from './tree.ts'

const countRequests = query('platform/http/count_requests', { counts: c.json<readonly Count[]>() }, { total: c.float })
const deleteExpiredCounts = query('platform/http/delete_expired_counts', {}, {})

const CLEANUP_INTERVAL_MS = 10 * 60 * 1000

/** Counts requests against throttles and budgets. */
export interface RequestLimits {
  /**
   * Counts the request and sets its X-RateLimit headers.
   * @param isPage whether the user is the one of the session, which is only looked up for limits
   * that count users
   * @throws ApiError tooManyRequests
   */
  check(
    request: Request,
    parameters: ParamTree,
    caller: { readonly token: Token | undefined; readonly isPage: boolean },
    headers: Record<string, string>,
  ): Promise<void>
  /**
   * Counts a GET of an anonymous client by its address; undefined when the result is not available
   * synchronously.
   */
  checkAnonymous(path: string, paging: boolean, address: string): RateLimitState | undefined
  /** An account's budget, which sets the response's headers when it is the tightest limit. */
  openBudget(name: BudgetName, accountId: Id, headers: Record<string, string>): Budget
  close(): Promise<void>
}

export function openRequestLimits(services: Services): RequestLimits {
  const limits = createLimits({
    now: Date.now,
    store: createStore(services.database),
    onError: error => {
      services.metrics.errors.inc({ part: 'limits' })
      services.logger.warn({ err: error }, 'could not count requests against rate limits')
    },
  })
  const cleanup = setInterval(() => {
    services.database.run(deleteExpiredCounts, {}).catch((error: unknown) => {
      services.logger.warn({ err: error }, 'could not remove old rate limit counters')
    })
  }, CLEANUP_INTERVAL_MS).unref()
  return {
    async check(request, parameters, { token, isPage }, headers) {
      const { method, path } = request
      const session =
        isPage && limits.countsUsers(method, path) ? await services.tokens.browserUser(request) : undefined
      const checked = limits.check({
        method,
        path,
        hasPaging: hasPaging(parameters),
        address: rateLimitKey(request.address),
        userId: token?.viewer?.userId ?? session?.userId,
        tokenId: token?.id,
        email: emailOf(parameters),
        subscriber: typeof parameters['email'] === 'string' ? parameters['email'] : undefined,
      })
      const state = checked instanceof Promise ? await checked : checked
      if (state?.throttled === true) throw throttledError(state)
      if (state && path.startsWith('/api/')) setHeaders(headers, state)
    },
    checkAnonymous(path, paging, address) {
      const caller = { method: 'GET', path, hasPaging: paging, address: rateLimitKey(address) }
      const checked = limits.check({ ...caller, userId: undefined, tokenId: undefined })
      return checked instanceof Promise ? undefined : checked
    },
    openBudget(name, accountId, headers) {
      const check = async (): Promise<ApiError | undefined> => {
        const state = await limits.checkBudget(name, accountId)
        setHeaders(headers, tightest(state, states.get(headers)))
        return state.throttled ? throttledError(state) : undefined
      }
      let checked: Promise<ApiError | undefined> | undefined
      return {
        exhausted: () => (checked ??= check()),
        async spend() {
          setHeaders(headers, tightest(await limits.spendBudget(name, accountId), states.get(headers)))
        },
      }
    },
    async close() {
      clearInterval(cleanup)
      await limits.close()
    },
  }
}

/** The state that the response's headers report. */
const states = new WeakMap<Record<string, string>, RateLimitState>()

function setHeaders(headers: Record<string, string>, state: RateLimitState | undefined): void {
  if (!state) return
  states.set(headers, state)
  Object.assign(headers, rateLimitHeaders(state))
}

const PAGING = ['page', 'min_id', 'max_id', 'since_id']
/** Whether a request counts as paging. */
export const hasPaging = (parameters: ParamTree): boolean => PAGING.some(name => name in parameters)

/** The e-mail address in a form of the site's own pages. */
function emailOf(parameters: ParamTree): string | undefined {
  const user = parameters['user']
  if (typeof user !== 'object' || user === null || !('email' in user)) return undefined
  return typeof user['email'] === 'string' ? user['email'] : undefined
}

function createStore(database: Database): LimitStore {
  const addAll = async (counts: readonly Count[]): Promise<number[]> =>
    (await database.run(countRequests, { counts })).map(row => row.total)
  return {
    addAll,
    async add(name, key, windowStart, windowSeconds, amount) {
      const [total = amount] = await addAll([{ name, key, windowStart, windowSeconds, amount }])
      return total
    },
  }
}
