import type { ApiError, ErrorName } from '../../core/errors.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Services } from '../services.ts'
import type { Token, Viewer } from '../../core/viewer.ts'
import type { Declared, Parsed } from './param/index.ts'
import type { Response, Json } from './response.ts'
import type { BudgetName } from './limits/index.ts'
import type { Request } from './request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an operation (api/README.md).
 * - public: a token is ignored; optional: more is shown with one
 * - app: any token, also an application's own; user: a user's token
 * - unconfirmed: a user's token, also while the user is not confirmed or approved
 * - own: the handler looks at the token by itself, because its refusals are others; nothing is throttled
 */
export type Auth = 'public' | 'optional' | 'app' | 'user' | 'unconfirmed' | 'handler'

/**
 * The class of HTTP caching (api/conventions.md, section 12): `public` to those who are not signed in, `instance` to all,
 * `instanceWhileOpen` to all while nobody needs to sign in; `own` leaves it to the handler.
 */
export type Cache = 'private' | 'public' | 'instance' | 'instanceWhileOpen' | 'handler'

/** What the caller has left of the family of actions that the operation belongs to. Endless where rates are not limited. */
export interface Budget {
  /** The failure to throw instead of doing such an action; undefined while there is something left. */
  exhausted(): Promise<ApiError | undefined>
  /** Takes one, when it is done. */
  spend(): Promise<void>
}

/** What a handler is given beside its parameters: the server's parts, the caller and the request. */
export interface Context<A extends Auth = Auth> extends Services {
  readonly viewer: A extends 'user' | 'unconfirmed' ? Viewer : Viewer | null
  readonly token: A extends 'user' | 'unconfirmed' | 'app' ? Token : Token | null
  readonly request: Request
  readonly budget: Budget
}

/** A value is answered as JSON with status 200; anything else is an Answer. */
export type HandlerResult = Response | Json | object | readonly unknown[] | string | boolean

export interface Operation<P extends Declared = Declared, A extends Auth = Auth> {
  readonly method: Method | readonly Method[]
  /** With `:name` for parts that are parameters; several when the operation has aliases. */
  readonly path: string | readonly string[]
  readonly auth: A
  /** Any one of them is enough. Empty: none is asked for. */
  readonly scopes: readonly Scope[]
  /** Of auth `app`: only an application's own token will do, and a user's is refused before the parameters are looked at. */
  readonly refusesUsers?: boolean
  readonly params: P
  /** The entity that is answered, as api/entities names it; `[Status]` for a list. */
  readonly returns: string
  /** One line for the documentation. */
  readonly summary: string
  /** Default `private`. */
  readonly cache?: Cache | ((settings: Services['settings']) => Cache)
  /** Depends on Accept-Language. */
  readonly varyByLanguage?: boolean
  /**
   * With this, answers to those who are not signed in come from memory. It tells what an answer changes with beside the entities
   * in it, as topics (anonymous/topics.ts): kinds of events, ids, tags.
   */
  cacheTags?(parameters: Parsed<P>): readonly string[]
  /** Answered also without a user when unauthenticated access is disallowed (api/conventions.md, section 13). */
  readonly allowWhenClosed?: 'always' | 'unlessLimitedFederation'
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number
  /** Headers that every answer of this operation carries, such as Deprecation. */
  readonly headers?: Readonly<Record<string, string>>
  /** The family of actions that a success counts against (api/conventions.md, section 10). */
  readonly budget?: BudgetName
  /** The handler takes from the budget by itself, with `context.budget`, since not every success is such an action. */
  readonly manualBudget?: boolean
  /** A 422 also tells the faults by parameter, in `details`; `nested`: text and details are together one level down, in `error`. */
  readonly details?: boolean | 'nested'
  /** What a caller without a token is told, when it is not what the other operations tell. */
  readonly missingTokenError?: ErrorName
  /** Errors are answered as an HTML page instead of JSON. */
  readonly page?: boolean
  handle(parameters: Parsed<P>, context: Context<A>): Promise<HandlerResult> | HandlerResult
}

/**
 * Declares an operation: from this one declaration come its route, the parsing and validation of its parameters,
 * authentication, rate limits, caching, its documentation and its conformance test.
 */
export const operation = <const P extends Declared, const A extends Auth>(declared: Operation<P, A>): Operation<P, A> =>
  declared

/** An operation whatever its parameters, as the router keeps it. */
export interface AnyOperation extends Omit<Operation, 'handle' | 'params' | 'cacheTags'> {
  readonly params: Declared
  cacheTags?(parameters: never): readonly string[]
  handle(parameters: never, context: never): Promise<HandlerResult> | HandlerResult
}
