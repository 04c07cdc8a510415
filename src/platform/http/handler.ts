import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../services.ts'
import { Response, json } from './response.ts'
import { authorize, ANONYMOUS, presentedToken, type Caller } from './authorize.ts'
import type { Recorder } from './response_cache/recorder.ts'
import { cacheHeaders } from './headers.ts'
import { isLargeBody, type LargeBody } from './large_body.ts'
import type { AnyOperation, HandlerResult, Budget, Context, Method } from './operation.ts'
import { parseParameters } from './param/index.ts'
import { decodeSegment, mergeParameters, parseBody, parseQuery } from './parameters.ts'
import { hasPaging, type RequestLimits } from './request_limits.ts'
import type { Request } from './request.ts'
import { addVary } from './respond.ts'
import type { Route } from './router.ts'
import { normaliseLineBreaks, type ParamTree } from './tree.ts'

const OVERRIDES = new Map<string, Method>([
  ['delete', 'DELETE'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
])

const PARAMETER_ERRORS: ReadonlySet<number> = new Set([400, 422])
const NO_BODY = Buffer.alloc(0)
const UNLIMITED: Budget = { exhausted: async () => undefined, spend: async () => undefined }

/**
 * Handles each request in this order: read parameters, look up the token, count throttles,
 * authorize the caller, validate parameters, run the handler. Where parameters are invalid, a
 * missing record comes first. A large body is not read before the caller is authorized, so its
 * token must be in the header or the query.
 */
export function createHandler(services: Services, limits: RequestLimits) {
  const { settings, tokens, config } = services

  async function identify(
    operation: AnyOperation,
    request: Request,
    tree: ParamTree,
    headers: Record<string, string>,
  ): Promise<Caller> {
    if (operation.auth === 'handler') return ANONYMOUS
    const isApi = request.path.startsWith('/api/')
    const secret = isApi || operation.auth !== 'public' ? presentedToken(request, tree) : undefined
    const token = secret === undefined ? undefined : await tokens.find(secret)
    const live = token && !token.revoked ? token : undefined
    if (config.rateLimits) await limits.check(request, tree, { token: live, isPage: operation.page === true }, headers)
    const caller = authorize(operation, token, settings, isApi, secret !== undefined)
    if (live) tokens.touch(live, request.address)
    if (caller.viewer) request.learned.account = caller.viewer.id
    return caller
  }

  /** Whose budget an action counts against: for a page, that of the user who is signed in. */
  const spenderOf = async ({ page }: AnyOperation, { viewer }: Caller, request: Request) =>
    page === true ? tokens.browserUser(request) : viewer

  /** Adds the headers of a response that the operation declares. */
  function declareCaching(
    operation: AnyOperation,
    response: Response,
    headers: Record<string, string>,
    isPersonal: boolean,
  ): void {
    const cache = typeof operation.cache === 'function' ? operation.cache(settings) : (operation.cache ?? 'private')
    if (cache === 'handler') return
    const policy = {
      limitedFederation: settings.get('limited_federation_mode'),
      unauthenticated: !settings.get('disallow_unauthenticated_api_access'),
    }
    Object.assign(headers, cacheHeaders(response.status === 200 ? cache : 'private', isPersonal, policy))
    if (operation.varyByLanguage === true) addVary(headers, 'Accept-Language')
  }

  return async function handle(
    route: Route,
    routed: AnyOperation | undefined,
    request: Request,
    path: Readonly<Record<string, string>>,
    body: Buffer | LargeBody | undefined,
    headers: Record<string, string>,
    recorder?: Recorder,
  ): Promise<Response> {
    const large = isLargeBody(body) ? body : undefined
    const raw = routed?.rawBody === true && !isLargeBody(body) ? body : undefined
    const early = readParameters(request, path, raw || isLargeBody(body) ? undefined : body)
    const { operation, effective } = applyMethodOverride(route, routed, request, early)
    if (!operation) throw new ApiError('routeNotFound')
    Object.assign(headers, operation.headers)
    const caller = await identify(operation, effective, early, headers)
    const tree = large
      ? mergeParameters({}, early, await receiveLarge(tokens, large, operation, caller, request))
      : early
    if (operation.page === true && effective.method !== 'GET') normaliseLineBreaks(tree)
    const spender = config.rateLimits && operation.budget ? await spenderOf(operation, caller, request) : undefined
    const budget = spender && operation.budget ? limits.openBudget(operation.budget, spender.id, headers) : UNLIMITED
    const result = await perform(services, operation, { budget, caller, request, raw }, tree, recorder)
    const response = result instanceof Response ? result : json(result)
    if (response.status < 300 && !operation.manualBudget) await budget.spend()
    declareCaching(operation, response, headers, presentsToken(request, tree))
    return response
  }
}

/**
 * Only users may send a large body; `mayBeLarge` decides which operations accept one. The user of
 * a page is the one who is signed in.
 */
async function receiveLarge(
  tokens: Services['tokens'],
  body: LargeBody,
  { page }: AnyOperation,
  caller: Caller,
  request: Request,
): Promise<ParamTree> {
  const sender = page === true ? await tokens.browserUser(request) : caller.viewer
  if (!sender || sender.suspended || sender.state !== 'functional') throw new ApiError('functionalUserRequired')
  return body.receive(sender.userId)
}

/** Validates the parameters and runs the handler. */
async function perform(
  services: Services,
  operation: AnyOperation,
  { budget, caller, request, raw }: { budget: Budget; caller: Caller; request: Request; raw: Buffer | undefined },
  tree: ParamTree,
  recorder: Recorder | undefined,
): Promise<HandlerResult> {
  const context: Context = { ...services, ...caller, request, budget, body: raw ?? NO_BODY }
  try {
    const exhausted = operation.manualBudget === true ? undefined : await budget.exhausted()
    if (exhausted && !operation.manualBudget) throw exhausted
    const parameters = validParameters(operation, tree, exhausted)
    if (recorder && operation.cacheTags && !presentsToken(request, tree)) {
      recorder.allow(operation.cacheTags(parameters as never), hasPaging(tree))
    }
    return await operation.handle(parameters as never, context as never)
  } catch (error) {
    if (error instanceof ApiError && PARAMETER_ERRORS.has(error.status)) await requireRecord(operation, tree, context)
    throw operation.details === 'nested' ? nestDetails(error) : error
  }
}

/** @throws ApiError when the operation's record is missing, or its policy refuses */
async function requireRecord(operation: AnyOperation, tree: ParamTree, context: Context): Promise<void> {
  const [first] = Object.entries(operation.params)
  if (!operation.requireRecord || !first) return
  const [id] = Object.values(parseParameters(Object.fromEntries([first]), tree))
  await operation.requireRecord(id as Id, context as never)
}

/** @param exhausted thrown instead of errors in the parameters */
function validParameters({ params, details }: AnyOperation, tree: ParamTree, exhausted: ApiError | undefined): unknown {
  try {
    return parseParameters(params, tree, { details: Boolean(details) })
  } catch (error) {
    throw exhausted ?? error
  }
}

/** Whether the request presents a token, in the header or in a parameter. */
const presentsToken = (request: Request, tree: ParamTree): boolean =>
  request.header('authorization') !== '' || presentedToken(request, tree) !== undefined

/** Moves the message and details of a 422 into `error`; other errors are unchanged. */
function nestDetails(error: unknown): unknown {
  if (!(error instanceof ApiError) || !('details' in error.body)) return error
  const { code, message, headers } = error
  return new ApiError(code, { message, headers, body: { error: { error: message, ...error.body } }, cause: error })
}

function readParameters(request: Request, path: Readonly<Record<string, string>>, body: Buffer | undefined): ParamTree {
  const decoded: Record<string, string> = {}
  for (const name in path) decoded[name] = decodeSegment(path[name] ?? '')
  const query = parseQuery(request.query)
  if (!body || body.length === 0) return mergeParameters(decoded, query)
  return mergeParameters(decoded, query, parseBody(body, request.header('content-type')))
}

/**
 * The operation to run, and the request with its method: forms can only be sent by POST, and forms
 * of pages may name another method in `_method`.
 */
function applyMethodOverride(
  route: Route,
  routed: AnyOperation | undefined,
  request: Request,
  tree: ParamTree,
): { operation: AnyOperation | undefined; effective: Request } {
  const override = tree['_method']
  const method =
    request.method === 'POST' && typeof override === 'string' ? OVERRIDES.get(override.toLowerCase()) : undefined
  const operation = method && route.operations.get(method)
  return method && operation?.page === true
    ? { operation, effective: { ...request, method } }
    : { operation: routed, effective: request }
}
