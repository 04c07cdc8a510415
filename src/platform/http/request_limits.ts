import { c, query, type Database } from '../database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Token } from '../../core/viewer.ts'
import type { Services } from '../services.ts'
import { rateLimitKey } from './client_address.ts'
import {
  createLimits,
  rateLimitHeaders,
  throttledFailure,
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
const forgetCounts = query('platform/http/forget_counts', {}, {})

const FORGET_EVERY_MS = 10 * 60 * 1000

/** Counts requests against throttles and budgets. */
export interface RequestLimits {
  /**
   * Counts the request and sets its X-RateLimit headers.
   * @throws ApiError tooManyRequests
   */
  check(
    request: Request,
    parameters: ParamTree,
    token: Token | undefined,
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
      services.logger.warn({ err: error }, 'rate limits could not be counted')
    },
  })
  const forgetting = setInterval(() => {
    services.database.run(forgetCounts, {}).catch((error: unknown) => {
      services.logger.warn({ err: error }, 'old rate limit counters were not removed')
    })
  }, FORGET_EVERY_MS).unref()
  return {
    async check(request, parameters, token, headers) {
      const checked = limits.check({
        method: request.method,
        path: request.path,
        hasPaging: hasPaging(parameters),
        address: rateLimitKey(request.address),
        userId: token?.viewer?.userId,
        tokenId: token?.id,
        email: emailOf(parameters),
      })
      const verdict = checked instanceof Promise ? await checked : checked
      if (verdict?.throttled === true) throw throttledFailure(verdict)
      if (verdict && request.path.startsWith('/api/')) remember(headers, verdict)
    },
    checkAnonymous(path, paging, address) {
      const caller = { method: 'GET', path, hasPaging: paging, address: rateLimitKey(address) }
      const checked = limits.check({ ...caller, userId: undefined, tokenId: undefined })
      return checked instanceof Promise ? undefined : checked
    },
    openBudget: (name, accountId, headers) => ({
      async exhausted() {
        const verdict = await limits.checkBudget(name, accountId)
        remember(headers, tightest(verdict, verdicts.get(headers)))
        return verdict.throttled ? throttledFailure(verdict) : undefined
      },
      async spend() {
        remember(headers, tightest(await limits.spendBudget(name, accountId), verdicts.get(headers)))
      },
    }),
    async close() {
      clearInterval(forgetting)
      await limits.close()
    },
  }
}

/** The state that the response's headers report. */
const verdicts = new WeakMap<Record<string, string>, RateLimitState>()

function remember(headers: Record<string, string>, verdict: RateLimitState | undefined): void {
  if (!verdict) return
  verdicts.set(headers, verdict)
  Object.assign(headers, rateLimitHeaders(verdict))
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
