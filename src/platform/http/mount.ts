import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { redact } from '../../core/logger.ts'
import type { Services } from '../services.ts'
import { collectBody, GET_BODY_BYTES, SMALL_BODY_BYTES } from './body.ts'
import { createBodyMemory, type Reservation } from './body_memory.ts'
import { rateLimitKey } from './client_address.ts'
import type { createHandler } from './handler.ts'
import { createLargeBodies, isLargeBody, type LargeBody } from './large_body.ts'
import type { AnyOperation, Method } from './operation.ts'
import type { Request } from './request.ts'
import type { RequestCycle, Work } from './request_cycle.ts'
import type { Reply } from './respond.ts'
import type { ResponseCache } from './response_cache/cache.ts'
import type { Lookup } from './response_cache/lookup.ts'
import { beginRecording } from './response_cache/recorder.ts'
import type { Route } from './router.ts'
import { requireSignature } from './signature.ts'
import { createSlowSenders, type SlowSenders } from './slow_senders.ts'

const MEGABYTE = 1024 * 1024
/**
 * The limits of bodies in memory, from their first byte to the response: all, those of one address,
 * and a reserve for small ones.
 */
const BODIES = {
  limitBytes: 128 * MEGABYTE,
  ownerLimitBytes: 32 * MEGABYTE,
  small: { limitBytes: 16 * 1024, reserveBytes: 32 * MEGABYTE },
}

/** The request was answered from memory. */
const ANSWERED = Symbol('answered')
const APP_METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const

export interface MountOptions {
  readonly app: TemplatedApp
  readonly services: Services
  readonly cycle: RequestCycle
  readonly handler: ReturnType<typeof createHandler>
  readonly cache: ResponseCache
  readonly lookup: Lookup
}

/** Returns a function that serves a route under a pattern of uWebSockets.js. */
export function createMount(options: MountOptions): (route: Route, pattern: string) => void {
  const { app, services, cycle, handler, cache } = options
  const bodyMemory = createBodyMemory(BODIES)
  const slowSenders = createSlowSenders()
  const checks = setInterval(() => slowSenders.check(performance.now()), slowSenders.checkMs).unref()
  services.onClose(() => clearInterval(checks))
  const bodyTaker = createBodyTaker(createLargeBodies(services), slowSenders)

  return function mount(route, pattern) {
    const fromMemory = createFastPath(options, route)

    function accept(method: Method, as: Request['method']) {
      const operation = route.operations.get(method)
      const takeBody = bodyTaker(operation, method)
      const served = cycle.counted(as, route.pattern)
      return (response: HttpResponse, incoming: HttpRequest): void => {
        const key = as === 'GET' ? fromMemory?.(response, incoming) : undefined
        if (key === ANSWERED) return
        const [request, reply] = cycle.begin(response, incoming, as)
        const path: Record<string, string> = {}
        for (const [index, name] of route.names.entries()) path[name] = incoming.getParameter(index) ?? ''
        const hasBody = request.header('content-length') !== '' || request.header('transfer-encoding') !== ''
        const reservation = hasBody ? bodyMemory.open(rateLimitKey(request.address)) : undefined
        const body = reservation && takeBody(reply, request, reservation)
        const recorder = key === undefined ? undefined : beginRecording(cache, key)
        const work: Work = async headers => {
          requireSignature(request, services.settings)
          return handler(route, operation, request, path, isLargeBody(body) ? body : await body, headers, recorder)
        }
        const answered = cycle.serve(request, reply, served, work, recorder)
        if (reservation) void answered.then(() => reservation.release())
        if (isLargeBody(body)) void answered.then(() => body.end())
      }
    }

    for (const method of route.operations.keys()) app[APP_METHODS[method]](pattern, accept(method, method))
    if (route.operations.has('GET')) app.head(pattern, accept('GET', 'HEAD'))
    // Forms can only be sent by POST; `_method` names the intended method.
    const hidden = [...route.operations].find(([method, found]) => found.page === true && method !== 'GET')
    if (hidden && !route.operations.has('POST')) app.post(pattern, accept('POST', 'POST'))
  }
}

/**
 * Answers a GET of the route from memory, or returns the key under which its response may be
 * cached; undefined when it may not.
 */
function createFastPath({ services, cycle, lookup }: MountOptions, route: Route) {
  const operation = route.operations.get('GET')
  if (!operation?.cacheTags) return undefined
  const { count } = cycle.counted('GET', route.pattern)
  const { logClients, logLevel } = services.config
  return (response: HttpResponse, incoming: HttpRequest): string | typeof ANSWERED | undefined => {
    if (cycle.sendsAway) return undefined
    // The address cannot be read after the response has been ended.
    const address = logClients || services.ipBlocks.any ? cycle.addressOf(response, incoming) : ''
    if (services.ipBlocks.any && cycle.isBlocked(address)) return undefined
    const key = lookup.keyOf(operation, incoming)
    const status = key === undefined ? undefined : lookup.respond(key, response, incoming)
    if (status === undefined) return key
    count(status)
    const path = incoming.getUrl()
    if (logClients) {
      const query = incoming.getQuery() ?? ''
      const url = redact(query === '' ? path : `${path}?${query}`)
      services.logger.info({ method: 'GET', url, status, address }, 'request')
    } else if (logLevel === 'debug') {
      services.logger.debug({ method: 'GET', url: redact(path), status }, 'answered a request from memory')
    }
    return ANSWERED
  }
}

/**
 * Decides where the body of an operation's requests goes: into memory, or, when it is large and
 * allowed, to disk, from authorized users only.
 */
function createBodyTaker(largeBodies: ReturnType<typeof createLargeBodies>, slowSenders: SlowSenders) {
  return (operation: AnyOperation | undefined, method: Method) => {
    const limitBytes = operation?.bodyLimitBytes ?? (method === 'GET' ? GET_BODY_BYTES : SMALL_BODY_BYTES)
    const mayBeLarge = limitBytes > SMALL_BODY_BYTES
    if (mayBeLarge && operation?.auth !== 'user' && operation?.page !== true)
      throw new Error('only operations for users may accept large bodies')
    return (reply: Reply, request: Request, reservation: Reservation): Promise<Buffer> | LargeBody => {
      const claimedBytes = Number(request.header('content-length'))
      const arrival = slowSenders.watch(reply, rateLimitKey(request.address), reservation)
      if (mayBeLarge && claimedBytes <= limitBytes && largeBodies.isLarge(claimedBytes, request))
        return largeBodies.hold(reply, request, limitBytes, claimedBytes, reservation, arrival)
      const collected = collectBody(reply, limitBytes, reservation, claimedBytes, arrival)
      // A body that is refused before anybody awaits it must not become an unhandled rejection.
      collected.catch(() => undefined)
      return collected
    }
  }
}
