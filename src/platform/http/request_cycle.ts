import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../core/errors.ts'
import { redact } from '../../core/logger.ts'
import { parseNetworks } from '../../core/networks.ts'
import type { Services } from '../services.ts'
import { clientAddress, forwardedForOf } from './client_address.ts'
import { staysOpen } from './closed_server.ts'
import { errorResponse } from './error_response.ts'
import { API_HEADERS, CORS_HEADERS, corsMethods } from './headers.ts'
import { requestIds } from './request_id.ts'
import { copyRequest, type Request } from './request.ts'
import { respond, type Reply } from './respond.ts'
import { plain, type Response } from './response.ts'
import type { Recorder } from './response_cache/recorder.ts'
import { endOfTurn } from './write_batching.ts'

/** A route, and the counter of its responses. */
export interface Served {
  readonly route: string
  count(status: number): void
}

/**
 * Makes the response to a request; an exception becomes an error response. It may add to `headers`.
 */
export type Work = (headers: Record<string, string>) => Promise<Response>

/** Responds to a request that matches no operation; undefined: the error 404. */
export type Fallback = (request: Request) => Promise<Response | undefined>

/** The steps around the operation of each request: copy, respond, count and log. */
export interface RequestCycle {
  readonly nextId: () => string
  addressOf(response: HttpResponse, incoming: HttpRequest): string
  /** Whether all requests of an address are refused, even those with a cached response. */
  isBlocked(address: string): boolean
  /** Copies the request and watches for its abort. Call it before any other use of the request. */
  begin(response: HttpResponse, incoming: HttpRequest, method: Request['method']): [Request, Reply]
  /** Counts the responses of a route. */
  counted(method: Request['method'], route: string): Served
  /** Responds to a request with the result of `work`, or with its error. Never rejects. */
  serve(request: Request, reply: Reply, served: Served, work: Work, recorder?: Recorder): Promise<void>
  /** Resolves when no request is in flight, or after `graceMs`. */
  drain(graceMs: number): Promise<void>
  /** From now on each response ends its connection, so that the client opens another elsewhere. */
  sendAway(): void
  /** Whether responses end their connections. */
  readonly sendsAway: boolean
}

export function createRequestCycle(services: Services, fallback?: Fallback): RequestCycle {
  const { config, ipBlocks, metrics } = services
  const trusted = parseNetworks(config.trustedProxies)
  const nextId = requestIds()
  const isBlocked = (address: string): boolean => ipBlocks.severityOf(address) === 'no_access'
  const addressOf = (response: HttpResponse, incoming: HttpRequest): string => {
    const remote = Buffer.from(response.getRemoteAddressAsText()).toString()
    return clientAddress(remote, () => forwardedForOf(incoming), trusted)
  }
  const language = config.forceDefaultLocale ? { language: config.defaultLocale } : {}
  const inFlight = countInFlight()
  let sendsAway = false

  /** The response of the operation, or the fallback for an unknown page. */
  async function createResponse(request: Request, work: Work, headers: Record<string, string>): Promise<Response> {
    if (isBlocked(request.address)) return plain('Forbidden', 403)
    if (config.selfDestruct !== undefined && !staysOpen(request)) throw new ApiError('serverClosed')
    try {
      return await work(headers)
    } catch (error) {
      const isMissing = error instanceof ApiError && error.code === 'routeNotFound'
      const mayFallBack = isMissing && (request.method === 'GET' || request.method === 'HEAD')
      const found = mayFallBack ? await fallback?.(request) : undefined
      if (found) return found
      throw error
    }
  }

  return {
    nextId,
    addressOf,
    isBlocked,
    begin(response, incoming, method) {
      const facts = { id: nextId(), method, origin: config.publicUrl, address: addressOf(response, incoming) }
      const request = copyRequest(incoming, { ...facts, ...language })
      const reply: Reply = { response, aborted: false }
      response.onAborted(() => {
        reply.aborted = true
        reply.onAbort?.()
      })
      return [request, reply]
    },
    counted: (method, route) => ({ route, count: status => metrics.requests.inc({ method, route, status }) }),
    async serve(request, reply, served, work, recorder) {
      const started = performance.now()
      inFlight.begin()
      const headers: Record<string, string> = { ...baseHeaders(request.path), 'X-Request-Id': request.id }
      if (sendsAway) headers['Connection'] = 'close'
      let status = 500
      try {
        const response = await createResponse(request, work, headers)
        status = response.status
        await endOfTurn()
        await respond(reply, request, response, headers, recorder)
      } catch (error) {
        const response = errorResponse(error, request, services)
        status = response.status
        await respondWithError(services, request, reply, response, headers, error)
      } finally {
        recorder?.end()
        inFlight.end()
        served.count(status)
        record(services, request, served.route, status, performance.now() - started)
      }
    },
    sendAway() {
      sendsAway = true
    },
    get sendsAway() {
      return sendsAway
    },
    drain: inFlight.drain,
  }
}

/** Counts the requests that are being answered. */
function countInFlight(): { begin(): void; end(): void; drain(graceMs: number): Promise<void> } {
  let count = 0
  let drained: (() => void) | undefined
  return {
    begin() {
      count += 1
    },
    end() {
      count -= 1
      if (count === 0) drained?.()
    },
    async drain(graceMs) {
      if (count === 0) return
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, graceMs)
        drained = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}

function baseHeaders(path: string): Readonly<Record<string, string>> {
  return corsMethods(path) === undefined ? API_HEADERS : { ...API_HEADERS, ...CORS_HEADERS }
}

async function respondWithError(
  { logger }: Services,
  request: Request,
  reply: Reply,
  response: Response,
  headers: Record<string, string>,
  error: unknown,
): Promise<void> {
  const isExpected = error instanceof ApiError && error.status < 500
  if (!isExpected) logger.error({ requestId: request.id, err: error }, 'request failed')
  headers['Cache-Control'] = 'private, no-store'
  headers['Vary'] ??= 'Authorization'
  await respond(reply, request, response, headers).catch((second: unknown) => {
    logger.error({ requestId: request.id, err: second }, 'could not send the error response')
    if (!reply.aborted) reply.response.close()
  })
}

/** Observes the duration of a request, and logs it. */
function record(services: Services, request: Request, route: string, status: number, ms: number): void {
  const { id, method, path, query, address, learned } = request
  services.metrics.requestSeconds.observe({ method, route }, ms / 1000)
  const url = redact(query === '' ? path : `${path}?${query}`)
  const client = services.config.logClients
    ? { address, ...(learned.account !== undefined && { account: learned.account }) }
    : undefined
  const durationMs = Math.round(ms * 100) / 100
  services.logger.info({ requestId: id, method, url, status, durationMs, ...client }, 'request')
}
