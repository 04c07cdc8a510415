import { LocalCounter } from './local_counter.ts'
import { SharedCounter } from './shared_counter.ts'
import { createMatcher } from './match.ts'
import { type LimitStore, windowStartAt } from './store.ts'
import { type BudgetName, BUDGETS, type Throttle, THROTTLES } from './throttles.ts'
import { tightest, type RateLimitState } from './rate_limit_state.ts'

export type { Count, LimitStore } from './store.ts'
export { type BudgetName, BUDGETS, type Throttle, THROTTLES } from './throttles.ts'
export { rateLimitHeaders, throttledError, tightest, type RateLimitState } from './rate_limit_state.ts'

/**
 * Limits up to this many per window are counted exactly over all processes, higher ones within
 * about a second.
 */
const MAX_EXACT_LIMIT = 30
/** Longer keys (such as an invented e-mail address) are truncated. */
const MAX_KEY_LENGTH = 320

/** The properties of a request that limits use. */
export interface Caller {
  readonly method: string
  /** As sent, without the query. */
  readonly path: string
  /** The request has a parameter `page`, `min_id`, `max_id` or `since_id`. */
  readonly hasPaging: boolean
  /** The key of the client's address, see `rateLimitKey`. */
  readonly address: string
  /** The user of the presented token, or of the session on web pages. */
  readonly userId: string | undefined
  /** The presented token, also an application's own. */
  readonly tokenId: string | undefined
  /** The e-mail address in a web form. */
  readonly email?: string | undefined
  /** The e-mail address in the parameter `email`. */
  readonly subscriber?: string | undefined
}

export interface LimitOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly store: LimitStore
  /** Called for each failure of the store in the background. No count is lost. */
  readonly onError: (error: unknown) => void
  /** The limit of keys in memory for one limit and window. Default 100,000, about 10 MB. */
  readonly maxKeys?: number
}

/** The rate limits of one server process. */
export interface Limits {
  /**
   * Counts a request under every limit that applies, and returns the state to report; undefined
   * when none applies. A promise only when a limit is counted exactly, which is rare.
   * @throws the errors of the store
   */
  check(caller: Caller): RateLimitState | undefined | Promise<RateLimitState | undefined>
  /** Whether a limit for just these requests counts users. */
  countsUsers(method: string, path: string): boolean
  /**
   * The remainder of an account's budget; `throttled` when it is used up and enforced. Counts
   * nothing.
   */
  checkBudget(name: BudgetName, accountId: string): Promise<RateLimitState>
  /** Takes from an account's budget after a success, and returns the remainder. */
  spendBudget(name: BudgetName, accountId: string, amount?: number): Promise<RateLimitState>
  /** Sends the counts to the store now, before the second ends. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createLimits({ now, store, onError, maxKeys = 100_000 }: LimitOptions): Limits {
  const localCounter = new LocalCounter({ now, store, onError, maxKeys })
  const sharedCounter = new SharedCounter({ store, maxKeys })
  const listing = createMatcher(THROTTLES)

  function check(caller: Caller): RateLimitState | undefined | Promise<RateLimitState | undefined> {
    const nowMs = now()
    let state: RateLimitState | undefined
    let counting: Promise<RateLimitState>[] | undefined
    const count = (throttle: Throttle): void => {
      const key = keyOf(throttle, caller)
      if (key === undefined) return
      if (throttle.limit > MAX_EXACT_LIMIT)
        state = tightest(state, evaluate(throttle, localCounter.count(throttle, key, nowMs), nowMs))
      else
        (counting ??= []).push(
          sharedCounter.count(throttle, key, nowMs).then(total => evaluate(throttle, total, nowMs)),
        )
    }
    if (caller.path.startsWith('/api/')) API.forEach(count)
    if (caller.hasPaging) PAGING.forEach(count)
    if (!state?.throttled) listing(caller.method, caller.path).forEach(count)
    return counting ? Promise.all(counting).then(states => states.reduce(tightest, state)) : state
  }

  async function countBudget(name: BudgetName, accountId: string, amount: number): Promise<RateLimitState> {
    const nowMs = now()
    const budget = BUDGETS[name]
    const start = windowStartAt(nowMs, budget.windowSeconds)
    const total = await store.add(budget.name, accountId, start, budget.windowSeconds, amount)
    const state = evaluate(budget, total, nowMs)
    return { ...state, throttled: amount === 0 && budget.enforced && state.remaining === 0 }
  }

  return {
    check,
    countsUsers: (method, path) => listing(method, path).some(({ by }) => by === 'user'),
    checkBudget: (name, accountId) => countBudget(name, accountId, 0),
    spendBudget: (name, accountId, amount = 1) => countBudget(name, accountId, amount),
    flush: () => localCounter.flush(),
    close: () => localCounter.close(),
  }
}

const API: readonly Throttle[] = THROTTLES.filter(throttle => throttle.on === 'api')
const PAGING: readonly Throttle[] = THROTTLES.filter(throttle => throttle.on === 'paging')

function keyOf(throttle: Throttle, caller: Caller): string | undefined {
  switch (throttle.by) {
    case 'address':
      return caller.address
    case 'anonymous':
      return caller.userId === undefined ? caller.address : undefined
    case 'user':
      return caller.userId
    case 'token':
      return caller.tokenId
    case 'email':
      return caller.email?.trim().toLowerCase().slice(0, MAX_KEY_LENGTH) || undefined
    case 'subscriber':
      return caller.subscriber?.trim().toLowerCase().slice(0, MAX_KEY_LENGTH) || undefined
  }
}

function evaluate(rule: { limit: number; windowSeconds: number }, total: number, nowMs: number): RateLimitState {
  return {
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - total),
    resetAt: (windowStartAt(nowMs, rule.windowSeconds) + rule.windowSeconds) * 1000,
    throttled: total > rule.limit,
  }
}
