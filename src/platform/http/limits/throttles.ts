/**
 * A limit on requests in a fixed window; windows are aligned to multiples of their length since the
 * epoch.
 */
export interface Throttle {
  /** Unique; counts are stored under it. */
  readonly name: string
  /**
   * The requests it counts: every path under `/api`, any with a paging parameter, or a list of
   * methods and paths, in which `:id` is one segment and a final `*` the rest. A trailing slash
   * makes no difference.
   */
  readonly on: 'api' | 'paging' | readonly string[]
  /**
   * The unit that is counted: addresses, addresses without a user (`anonymous`), users, tokens,
   * e-mail addresses of users, or those to subscribe with (`subscriber`).
   */
  readonly by: 'address' | 'anonymous' | 'user' | 'token' | 'email' | 'subscriber'
  readonly limit: number
  readonly windowSeconds: number
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const CONFIRMATION = ['POST /auth/confirmation', 'POST /api/v1/emails/confirmations']
const SETUP = ['PUT /auth/setup', 'PATCH /auth/setup']
const PASSWORD = ['PUT /auth', 'PATCH /auth', 'PUT /auth/password', 'PATCH /auth/password']
const TAKE_BACK = ['DELETE /api/v1/statuses/:id', 'POST /api/v1/statuses/:id/unreblog']
const MEDIA_PROXY = ['GET /media_proxy/*', 'HEAD /media_proxy/*']
const SUBSCRIBE = ['POST /api/v1/accounts/:id/email_subscriptions', 'POST /email_subscriptions']
const UPLOAD = ['POST /api/v1/media', 'POST /api/v2/media']

/** The limits on requests. */
export const THROTTLES = [
  { name: 'api/user', on: 'api', by: 'user', limit: 1500, windowSeconds: 5 * MINUTE },
  { name: 'api/token', on: 'api', by: 'token', limit: 300, windowSeconds: 5 * MINUTE },
  { name: 'api/anonymous', on: 'api', by: 'anonymous', limit: 300, windowSeconds: 5 * MINUTE },
  { name: 'paging/user', on: 'paging', by: 'user', limit: 300, windowSeconds: 15 * MINUTE },
  { name: 'paging/anonymous', on: 'paging', by: 'anonymous', limit: 300, windowSeconds: 15 * MINUTE },
  { name: 'upload', on: UPLOAD, by: 'user', limit: 30, windowSeconds: 30 * MINUTE },
  { name: 'media_proxy', on: MEDIA_PROXY, by: 'address', limit: 30, windowSeconds: 10 * MINUTE },
  { name: 'sign_up', on: ['POST /api/v1/accounts'], by: 'address', limit: 5, windowSeconds: 30 * MINUTE },
  { name: 'take_back', on: TAKE_BACK, by: 'user', limit: 30, windowSeconds: 30 * MINUTE },
  { name: 'apps', on: ['POST /api/v1/apps'], by: 'address', limit: 5, windowSeconds: 10 * MINUTE },
  { name: 'web_sign_up', on: ['POST /auth'], by: 'address', limit: 25, windowSeconds: 5 * MINUTE },
  { name: 'reset', on: ['POST /auth/password'], by: 'address', limit: 25, windowSeconds: 5 * MINUTE },
  { name: 'reset/email', on: ['POST /auth/password'], by: 'email', limit: 5, windowSeconds: 30 * MINUTE },
  { name: 'confirm', on: [...CONFIRMATION, ...SETUP], by: 'address', limit: 25, windowSeconds: 5 * MINUTE },
  { name: 'confirm/email', on: ['POST /auth/confirmation'], by: 'email', limit: 5, windowSeconds: 30 * MINUTE },
  { name: 'confirm/user', on: ['POST /api/v1/emails/confirmations'], by: 'user', limit: 5, windowSeconds: 30 * MINUTE },
  { name: 'setup/email', on: SETUP, by: 'email', limit: 5, windowSeconds: 10 * MINUTE },
  { name: 'setup/user', on: SETUP, by: 'user', limit: 5, windowSeconds: 10 * MINUTE },
  { name: 'sign_in', on: ['POST /auth/sign_in'], by: 'address', limit: 25, windowSeconds: 5 * MINUTE },
  { name: 'sign_in/email', on: ['POST /auth/sign_in'], by: 'email', limit: 25, windowSeconds: HOUR },
  { name: 'subscribe', on: SUBSCRIBE, by: 'address', limit: 25, windowSeconds: 5 * MINUTE },
  { name: 'subscribe/email', on: SUBSCRIBE, by: 'subscriber', limit: 5, windowSeconds: 30 * MINUTE },
  { name: 'password', on: PASSWORD, by: 'user', limit: 10, windowSeconds: 10 * MINUTE },
] as const satisfies readonly Throttle[]

/** A limit on an account's successful actions in a window; attempts do not count. */
export interface Budget {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
  /** Whether requests beyond it are refused, or only reported in the headers. */
  readonly enforced: boolean
}

/** The budgets of an account. */
export const BUDGETS = {
  follows: { name: 'budget/follows', limit: 400, windowSeconds: DAY, enforced: true },
  statuses: { name: 'budget/statuses', limit: 300, windowSeconds: 3 * HOUR, enforced: true },
  reports: { name: 'budget/reports', limit: 400, windowSeconds: DAY, enforced: false },
} as const satisfies Record<string, Budget>

export type BudgetName = keyof typeof BUDGETS
