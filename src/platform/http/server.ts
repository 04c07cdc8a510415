import {
  App,
  us_listen_socket_close,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
} from 'uWebSockets.js'
import type { BatchedCounter } from '../metrics/index.ts'
import type { Services } from '../services.ts'
import { createResponseCache } from './response_cache/cache.ts'
import { createLookup } from './response_cache/lookup.ts'
import { beginRecording, type Recorder } from './response_cache/recorder.ts'
import { parseNetworks } from '../../core/networks.ts'
import { forwardedForOf, rateLimitKey, rememberAddresses } from './client_address.ts'
import { plain, type Response } from './response.ts'
import { collectBody, SMALL_BODY_BYTES } from './body.ts'
import { errorResponse } from './error_response.ts'
import { API_HEADERS, CORS_HEADERS, corsMethods, preflight } from './headers.ts'
import { createHandler } from './handler.ts'
import { createLargeBodies, isLargeBody, type LargeBody } from './large_body.ts'
import type { RateLimitState } from './limits/index.ts'
import type { RequestLimits } from './request_limits.ts'
import { copyRequest, type Request } from './request.ts'
import { respond, type Reply } from './respond.ts'
import { createRoom, type Share } from './body_memory.ts'
import { routesOf, type Route } from './router.ts'
import type { AnyOperation, Method } from './operation.ts'
import { requestIds } from './request_id.ts'
import { ApiError } from '../../core/errors.ts'
import { redact } from '../../core/logger.ts'
import { shareOf } from '../cache/shares.ts'
import { requireSignature } from './signature.ts'
import { probePort } from './port.ts'
import { endOfTurn } from './write_batching.ts'

/*
 * The border with native code. What uWebSockets.js lends, how long it lives, and the rule that follows (checked with 20.x):
 *   HttpRequest        until the route's handler returns         copied by copyRequest before anything else
 *   HttpResponse       until it is ended or aborted              used through Reply only, which knows whether it is still there
 *   chunk of onData    until the callback returns                copied in body.ts
 *   message of a ws    until the callback returns                copied in streaming/socket.ts
 *   cork of a response while its callback runs                   after an await an upgrade borrows another's: lent-cork.ts
 *   onWritable         must write, or what waits is left lying   stream.ts writes a comment until all is out
 * onAborted is set before the first await; writes are corked; nothing is thrown through a callback.
 */

export interface HttpServer {
  /** Where it listens. */
  readonly port: number
  /** Takes no new connections; those that are open go on. */
  stopListening(): void
  /** Stops listening, waits for requests in flight (at most `graceMs`), then cuts what is left. */
  close(graceMs: number): Promise<void>
}

export interface HttpOptions {
  services: Services
  operations: readonly AnyOperation[]
  limits: RequestLimits
  /** Adds what is no plain request, such as WebSockets. */
  extend: (app: TemplatedApp) => void
  /** Whether other processes listen on the same port. */
  sharedPort: boolean
}

const MEGABYTE = 1024 * 1024
/** Bodies that are held in memory at once, while they come and until they are answered: all, those of one address, and small ones beside. */
const BODIES = {
  mostBytes: 128 * MEGABYTE,
  ownBytes: 32 * MEGABYTE,
  small: { mostBytes: 16 * 1024, reserveBytes: 32 * MEGABYTE },
}
/** A route, and where its answers are counted. */
interface Served {
  readonly route: string
  count(status: number): void
}

/** The answer came from memory. */
const ANSWERED = Symbol('answered')
const APP_METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'del' } as const

/** Starts to listen. @throws Error when the port is taken */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const { services } = options
  const { config, logger, metrics, events, settings, ipBlocks } = services
  const app = App()
  const handler = createHandler(services, options.limits)
  const clientAddress = rememberAddresses(parseNetworks(config.trustedProxies))
  const nextId = requestIds()
  const room = createRoom(BODIES)
  const largeBodies = createLargeBodies(services)
  const cache = createResponseCache({
    local$: events.local$,
    settings$: settings.changed$,
    maxBytes: shareOf('answers', config),
  })
  services.onClose(() => cache.close())
  const front = createLookup({ cache, nextId, count: config.rateLimits ? countAnonymous : undefined })
  let inFlight = 0
  let drained: (() => void) | undefined

  const addressOf = (response: HttpResponse, incoming: HttpRequest): string =>
    clientAddress(Buffer.from(response.getRemoteAddressAsText()).toString(), () => forwardedForOf(incoming))

  function countAnonymous(response: HttpResponse, incoming: HttpRequest, paging: boolean): RateLimitState | undefined {
    return options.limits.checkAnonymous(incoming.getUrl(), paging, addressOf(response, incoming))
  }

  /** Whether all is refused to an address; looked at before anything is answered, from memory too. */
  const isKeptOut = (address: string): boolean => ipBlocks.severityOf(address) === 'no_access'

  function begin(response: HttpResponse, incoming: HttpRequest, method: Request['method']): [Request, Reply] {
    const request = copyRequest(incoming, {
      id: nextId(),
      method,
      origin: config.publicUrl,
      address: addressOf(response, incoming),
    })
    const reply: Reply = { response, aborted: false }
    response.onAborted(() => {
      reply.aborted = true
      reply.onAbort?.()
    })
    return [request, reply]
  }

  async function serve(
    request: Request,
    reply: Reply,
    { route, count }: Served,
    work: (headers: Record<string, string>) => Promise<Response>,
    keeping?: Recorder,
  ): Promise<void> {
    const started = performance.now()
    inFlight += 1
    const headers: Record<string, string> = { ...baseHeaders(request.path), 'X-Request-Id': request.id }
    let status = 500
    try {
      const answer = isKeptOut(request.address) ? plain('Forbidden', 403) : await work(headers)
      status = answer.status
      await endOfTurn()
      await respond(reply, request, answer, headers, keeping)
    } catch (error) {
      const expected = error instanceof ApiError && error.status < 500
      const answer = errorResponse(error, request, services)
      status = answer.status
      if (!expected) logger.error({ requestId: request.id, err: error }, 'request failed')
      headers['Cache-Control'] = 'private, no-store'
      headers['Vary'] ??= 'Authorization'
      await respond(reply, request, answer, headers).catch((second: unknown) => {
        logger.error({ requestId: request.id, err: second }, 'answering failed')
        if (!reply.aborted) reply.response.close()
      })
    } finally {
      keeping?.end()
      inFlight -= 1
      if (inFlight === 0) drained?.()
      const durationMs = performance.now() - started
      count(status)
      metrics.requestSeconds.observe({ method: request.method, route }, durationMs / 1000)
      const url = redact(request.query === '' ? request.path : `${request.path}?${request.query}`)
      logger.info(
        { requestId: request.id, method: request.method, url, status, durationMs: Math.round(durationMs * 100) / 100 },
        'request',
      )
    }
  }

  /** What is told of the requests that a route answers. */
  function serving(method: Request['method'], route: string): Served {
    const tallies = new Map<number, BatchedCounter>()
    return {
      route,
      count(status) {
        let tally = tallies.get(status)
        if (!tally) tallies.set(status, (tally = metrics.batched(metrics.requests, { method, route, status })))
        tally.count += 1
      },
    }
  }

  /** Answers a GET of the route from memory, or gives the key that its answer may be kept under; undefined where none is kept. */
  function createFastPath(route: Route) {
    const operation = route.operations.get('GET')
    if (!operation?.cacheTags) return undefined
    const { count } = serving('GET', route.pattern)
    return (response: HttpResponse, incoming: HttpRequest): string | typeof ANSWERED | undefined => {
      if (ipBlocks.any && isKeptOut(addressOf(response, incoming))) return undefined
      const key = front.keyOf(operation, incoming)
      const status = key === undefined ? undefined : front.answer(key, response, incoming)
      if (status === undefined) return key
      count(status)
      logger.debug({ method: 'GET', url: redact(incoming.getUrl()), status }, 'request answered from memory')
      return ANSWERED
    }
  }

  /** How the body of an operation's requests is taken: into memory, or, when it is large and may be, from those who may send it. */
  function bodyTaker(operation: AnyOperation | undefined) {
    const limitBytes = operation?.bodyLimitBytes ?? SMALL_BODY_BYTES
    const mayBeLarge = limitBytes > SMALL_BODY_BYTES
    if (mayBeLarge && operation?.auth !== 'user') throw new Error('large bodies are taken from users only')
    return (reply: Reply, request: Request, share: Share): Promise<Buffer> | LargeBody => {
      const claimedBytes = Number(request.header('content-length'))
      if (mayBeLarge && claimedBytes <= limitBytes && largeBodies.isLarge(claimedBytes, request))
        return largeBodies.hold(reply, request, limitBytes, claimedBytes, share)
      const collected = collectBody(reply, limitBytes, share, claimedBytes)
      // A body that is refused before it is asked for must not become an unhandled rejection.
      collected.catch(() => undefined)
      return collected
    }
  }

  function mount(route: Route, pattern: string): void {
    const fromMemory = createFastPath(route)

    function accept(method: Method, as: Request['method']) {
      const operation = route.operations.get(method)
      const takeBody = bodyTaker(operation)
      const served = serving(as, route.pattern)
      return (response: HttpResponse, incoming: HttpRequest): void => {
        const key = as === 'GET' ? fromMemory?.(response, incoming) : undefined
        if (key === ANSWERED) return
        const [request, reply] = begin(response, incoming, as)
        const path: Record<string, string> = {}
        for (const [index, name] of route.names.entries()) path[name] = incoming.getParameter(index) ?? ''
        const hasBody = request.header('content-length') !== '' || request.header('transfer-encoding') !== ''
        const share = hasBody ? room.open(rateLimitKey(request.address)) : undefined
        const body = share && takeBody(reply, request, share)
        const keeping = key === undefined ? undefined : beginRecording(cache, key)
        const work = async (headers: Record<string, string>): Promise<Response> => {
          requireSignature(request, settings)
          return handler(route, operation, request, path, isLargeBody(body) ? body : await body, headers, keeping)
        }
        const answered = serve(request, reply, served, work, keeping)
        if (share) void answered.then(() => share.release())
        if (isLargeBody(body)) void answered.then(() => body.end())
      }
    }

    for (const method of route.operations.keys()) app[APP_METHODS[method]](pattern, accept(method, method))
    if (route.operations.has('GET')) app.head(pattern, accept('GET', 'HEAD'))
    // Forms can only be sent by POST; `_method` names the method that is meant.
    const hidden = [...route.operations].find(([method, found]) => found.page === true && method !== 'GET')
    if (hidden && !route.operations.has('POST')) app.post(pattern, accept('POST', 'POST'))
  }

  metrics.cache('answers', () => ({
    limitBytes: cache.limitBytes,
    sizeBytes: cache.sizeBytes,
    size: cache.size,
    ...front.counts(),
  }))
  for (const route of routesOf(options.operations)) {
    mount(route, route.pattern)
    if (!route.pattern.endsWith('/')) mount(route, `${route.pattern}/`)
  }
  options.extend(app)
  const preflights = serving('OPTIONS', 'OPTIONS')
  app.options('/*', (response, incoming) => {
    const [request, reply] = begin(response, incoming, 'OPTIONS')
    void serve(request, reply, preflights, async headers => preflight(request, headers))
  })
  const strays = { GET: serving('GET', 'none'), HEAD: serving('HEAD', 'none') }
  app.any('/*', (response, incoming) => {
    const method = incoming.getMethod() === 'head' ? 'HEAD' : 'GET'
    const [request, reply] = begin(response, incoming, method)
    void serve(request, reply, strays[method], async () => {
      requireSignature(request, settings)
      throw new ApiError('routeNotFound')
    })
  })

  if (!options.sharedPort) await probePort(config.bind, config.port)
  const socket = await new Promise<us_listen_socket>((resolve, reject) => {
    app.listen(config.bind, config.port, opened => {
      if (opened) resolve(opened)
      else reject(new Error(`cannot listen on ${config.bind}:${config.port}`))
    })
  })
  let listening = true
  const stopListening = (): void => {
    if (listening) us_listen_socket_close(socket)
    listening = false
  }
  return {
    port: config.port,
    stopListening,
    async close(graceMs) {
      stopListening()
      if (inFlight > 0) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, graceMs)
          drained = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      app.close()
    },
  }
}

function baseHeaders(path: string): Readonly<Record<string, string>> {
  return corsMethods(path) === undefined ? API_HEADERS : { ...API_HEADERS, ...CORS_HEADERS }
}
