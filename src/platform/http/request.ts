import { parseCookie } from 'cookie'
import type { HttpRequest } from 'uWebSockets.js'
import type { Method } from './operation.ts'

/**
 * The headers that the server reads. uWebSockets.js reuses the request after the handler's return,
 * so they are copied.
 */
const HEADERS = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'authorization',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'idempotency-key',
  'if-modified-since',
  'if-none-match',
  'last-event-id',
  'origin',
  'range',
  'sec-websocket-protocol',
  'signature',
  'signature-input',
  'transfer-encoding',
  'user-agent',
] as const

export type HeaderName = (typeof HEADERS)[number]

/** A request, copied so that it outlives uWebSockets.js's own object. */
export interface Request {
  /** Also sent as X-Request-Id. */
  readonly id: string
  readonly method: Method | 'HEAD' | 'OPTIONS'
  /** As sent, without the query. */
  readonly path: string
  /** As sent, without the question mark. */
  readonly query: string
  /** The base URL of links to this server, without a trailing slash. */
  readonly origin: string
  /** The client's address; behind trusted proxies, the one they report. */
  readonly address: string
  /** Empty when the header is absent. */
  header(name: HeaderName): string
}

/** Copies the properties that uWebSockets.js provides only during the handler. */
export function copyRequest(
  request: HttpRequest,
  facts: { id: string; method: Request['method']; origin: string; address: string },
): Request {
  const headers: Partial<Record<HeaderName, string>> = {}
  for (const name of HEADERS) {
    const value = request.getHeader(name)
    if (value !== '') headers[name] = value
  }
  return {
    id: facts.id,
    method: facts.method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    origin: facts.origin,
    address: facts.address,
    header: name => headers[name] ?? '',
  }
}

/** The value of a cookie, or undefined. */
export function cookie(request: Request, name: string): string | undefined {
  return parseCookie(request.header('cookie'))[name]
}
