import type { ApiError, ErrorName } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Services } from '../services.ts'
import type { Token, Viewer } from '../../core/viewer.ts'
import type { Declared, Parsed } from './param/index.ts'
import type { Response, Json } from './response.ts'
import type { BudgetName } from './limits/index.ts'
import type { Request } from './request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The callers that an operation accepts.
 * - public: a token is ignored; optional: a token shows more
 * - app: any token, also an application's own; user: a user's token
 * - unconfirmed: a user's token, also before the user is confirmed or approved
 * - admin: a user's token, else 403; the handler checks the permissions of the user's role
 * - handler: the handler checks the token itself, because it refuses differently; no throttles
 *   apply
 */
export type Auth = 'public' | 'optional' | 'app' | 'user' | 'unconfirmed' | 'admin' | 'handler'

/**
 * The HTTP caching of responses: `public` for anonymous callers, `instance` for all,
 * `instanceWhileOpen` for all while nobody needs to sign in; `handler` leaves it to the handler.
 */
export type Cache = 'private' | 'public' | 'instance' | 'instanceWhileOpen' | 'handler'

/**
 * The caller's remaining actions of the operation's family. Unlimited where rate limits are off.
 */
export interface Budget {
  /**
   * The error to throw instead of another action; undefined while some were left at the first call.
   */
  exhausted(): Promise<ApiError | undefined>
  /** Counts one successful action. */
  spend(): Promise<void>
}

/**
 * The context of a handler, in addition to its parameters: the server's services, the caller and
 * the request.
 */
export interface Context<A extends Auth = Auth> extends Services {
  readonly viewer: A extends 'user' | 'unconfirmed' | 'admin' ? Viewer : Viewer | null
  readonly token: A extends 'user' | 'unconfirmed' | 'admin' | 'app' ? Token : Token | null
  readonly request: Request
  readonly budget: Budget
  /** The body as sent, for operations with `rawBody`; else empty. */
  readonly body: Buffer
}

/** A plain value becomes a JSON response with status 200. */
export type HandlerResult = Response | Json | object | readonly unknown[] | string | boolean

export interface Operation<P extends Declared = Declared, A extends Auth = Auth> {
  readonly method: Method | readonly Method[]
  /** With `:name` for parameters; a list when the operation has aliases. */
  readonly path: string | readonly string[]
  readonly auth: A
  /** Any one of them is enough. Empty: no scope is required. */
  readonly scopes: readonly Scope[]
  /**
   * For auth `app`: requires an application's own token; a user's is refused before the parameters
   * are validated.
   */
  readonly refusesUsers?: boolean
  readonly params: P
  /** The name of the returned entity; `[Status]` for a list. */
  readonly returns: string
  /** The statuses of success, for the documentation. Default 200, and 302 for a redirect. */
  readonly statuses?: readonly number[]
  /** One line for the documentation. */
  readonly summary: string
  /** Default `private`. */
  readonly cache?: Cache | ((settings: Services['settings']) => Cache)
  /** The response depends on Accept-Language. */
  readonly varyByLanguage?: boolean
  /**
   * Caches responses to anonymous callers in memory. Returns tags in addition to those of the
   * entities in the response (response_cache/tags.ts): kinds of events, ids, hashtags.
   */
  cacheTags?(parameters: Parsed<P>): readonly string[]
  /** Allows anonymous callers although unauthenticated access is disallowed. */
  readonly allowWhenClosed?: 'always' | 'unlessLimitedFederation'
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number
  /** The body is not read as parameters, and may be of any type: the handler gets its bytes. */
  readonly rawBody?: boolean
  /** Headers of every response of this operation, such as Deprecation. */
  readonly headers?: Readonly<Record<string, string>>
  /** The family of actions that successes count against. */
  readonly budget?: BudgetName
  /**
   * The handler calls `budget.exhausted()` and `budget.spend()` itself, because only some successes
   * count. 'valid': as for other operations, the budget comes before errors in the parameters.
   */
  readonly manualBudget?: boolean | 'valid'
  /**
   * A 422 also lists the errors by parameter, in `details`; `nested` puts text and details one
   * level down, in `error`.
   */
  readonly details?: boolean | 'nested'
  /** The error for a caller without a token, when it differs from the other operations' error. */
  readonly missingTokenError?: ErrorName
  /** Errors become an HTML page instead of JSON. */
  readonly page?: boolean
  /**
   * Called when parameters are invalid (400, 422): throws the 404 or 403 of the record, which takes
   * precedence. For operations that look at their parameters before the record.
   * @param id the first of the declared parameters
   */
  requireRecord?(id: Id, context: Context<A>): Promise<unknown>
  handle(parameters: Parsed<P>, context: Context<A>): Promise<HandlerResult> | HandlerResult
}

/**
 * Declares an operation. Its route, the parsing and validation of its parameters, authentication,
 * rate limits, caching, documentation and conformance test all derive from this declaration.
 */
export const operation = <const P extends Declared, const A extends Auth>(declared: Operation<P, A>): Operation<P, A> =>
  declared

/** An operation with any parameters, as the router stores it. */
export interface AnyOperation extends Omit<Operation, 'requireRecord' | 'handle' | 'params' | 'cacheTags'> {
  readonly params: Declared
  cacheTags?(parameters: never): readonly string[]
  requireRecord?(id: Id, context: never): Promise<unknown>
  handle(parameters: never, context: never): Promise<HandlerResult> | HandlerResult
}
