import { parseCookie } from 'cookie'
import type { HttpRequest } from 'uWebSockets.js'
import type { Id } from '../../core/id.ts'
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

/** Facts found while handling a request, for its line in the log and an error page. */
export interface Learned {
  /** The account that the request is made for. */
  account?: Id
  /** The locale of the user whose session was opened. */
  locale?: string | null
}

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
  readonly learned: Learned
  /** Empty when the header is absent. */
  header(name: HeaderName): string
  /** All headers by their names in lower case, of a request with a signature; else undefined. */
  readonly signedHeaders?: ReadonlyMap<string, string>
}

/**
 * Copies the properties that uWebSockets.js provides only during the handler. A given `language`
 * replaces the accepted ones.
 */
export function copyRequest(
  request: HttpRequest,
  facts: { id: string; method: Request['method']; origin: string; address: string; language?: string },
): Request {
  const headers: Partial<Record<HeaderName, string>> = {}
  for (const name of HEADERS) {
    const value = request.getHeader(name)
    if (value !== '') headers[name] = value
  }
  if (facts.language !== undefined) headers['accept-language'] = facts.language
  return {
    id: facts.id,
    method: facts.method,
    path: request.getUrl(),
    query: request.getQuery() ?? '',
    origin: facts.origin,
    address: facts.address,
    learned: {},
    header: name => headers[name] ?? '',
    ...(headers.signature !== undefined && { signedHeaders: allHeaders(request) }),
  }
}

/** Any header may be part of what was signed. */
function allHeaders(request: HttpRequest): Map<string, string> {
  const all = new Map<string, string>()
  request.forEach((name, value) => {
    const former = all.get(name)
    all.set(name, former === undefined ? value : `${former}, ${value}`)
  })
  return all
}

/** The value of a cookie, or undefined. */
export function cookie(request: Request, name: string): string | undefined {
  return parseCookie(request.header('cookie'))[name]
}
