import { ApiError } from '../../core/errors.ts'
import type { Services } from '../services.ts'
import { mediaSources } from '../storage/index.ts'
import { empty, type Response } from './response.ts'
import type { Cache } from './operation.ts'
import type { Request } from './request.ts'

/** Headers of every response below /api and /oauth. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-XSS-Protection': '0',
  'Referrer-Policy': 'same-origin',
  Server: 'Mastodon',
}

/** Resources that a page loads in addition to its styles. */
export interface PageContent {
  /** The origins of images and videos, in addition to this server's storage. */
  readonly fileOrigins?: readonly string[] | undefined
  /** Whether it runs scripts, which are always files of this server. */
  readonly runsScripts?: boolean
  /** Whether its scripts show pictures that are chosen for upload. */
  readonly previewsFiles?: boolean
}

/**
 * Headers of HTML pages. Forms may redirect to a client's redirect URI, so `form-action` is not
 * restricted.
 */
export function pageHeaders(
  { settings, storage }: Pick<Services, 'settings' | 'storage'>,
  { fileOrigins = [], runsScripts = false, previewsFiles = false }: PageContent = {},
): Record<string, string> {
  const files = [...new Set([...mediaSources(storage), ...fileOrigins])].join(' ')
  return {
    'Content-Security-Policy':
      `default-src 'none'; ${runsScripts ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; img-src ${files} data:${previewsFiles ? ' blob:' : ''}; media-src ${files}; font-src 'self'; ` +
      `manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'X-XSS-Protection': '0',
    'Referrer-Policy': settings.get('allow_referrer_origin') ? 'strict-origin-when-cross-origin' : 'same-origin',
    Server: 'Mastodon',
  }
}

export const CORS_HEADERS: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Link, Mastodon-Async-Refresh, X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id',
}

const CORS_METHODS: readonly [prefix: RegExp, methods: string][] = [
  [/^\/api\//, 'POST, PUT, DELETE, GET, PATCH, OPTIONS'],
  [/^\/oauth\/(token|revoke)\/?$/, 'POST'],
  [/^\/oauth\/userinfo\/?$/, 'GET, POST'],
  [/^\/(\.well-known|nodeinfo)\//, 'GET'],
  [/^\/(@|users\/|ap\/users\/)[^/]+\/?$/, 'GET'],
  [/^\/actor\/?$/, 'GET'],
]

/** The methods that pages of other sites may use on a path, or undefined for none. */
export function corsMethods(path: string): string | undefined {
  return CORS_METHODS.find(([prefix]) => prefix.test(path))?.[1]
}

/**
 * Answers a preflight request. @throws ApiError routeNotFound where other sites may use no method
 */
export function preflight(request: Request, headers: Record<string, string>): Response {
  const methods = corsMethods(request.path)
  if (methods === undefined) throw new ApiError('routeNotFound')
  const requestedHeaders = request.header('access-control-request-headers')
  return empty(200, {
    ...headers,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': requestedHeaders === '' ? '*' : requestedHeaders,
    'Access-Control-Max-Age': '7200',
    Vary: 'Origin',
  })
}

const STALE = 'stale-while-revalidate=30, stale-if-error=86400'

/** Whether anonymous access is allowed, as far as it affects caching. */
export interface Openness {
  readonly limitedFederation: boolean
  readonly unauthenticated: boolean
}

/**
 * Cache-Control and Vary of a successful response.
 * @param carriesToken whether the request presented a token
 */
export function cacheHeaders(
  cache: Exclude<Cache, 'handler'>,
  carriesToken: boolean,
  { limitedFederation, unauthenticated }: Openness,
): Record<string, string> {
  const forAll =
    (cache === 'instance' && !limitedFederation) ||
    (cache === 'instanceWhileOpen' && !limitedFederation && unauthenticated)
  if (forAll) return { 'Cache-Control': `max-age=300, public, ${STALE}` }
  if (cache === 'public' && !carriesToken) {
    return { 'Cache-Control': `max-age=15, public, ${STALE}`, Vary: 'Authorization' }
  }
  return { 'Cache-Control': 'private, no-store', Vary: 'Authorization' }
}
