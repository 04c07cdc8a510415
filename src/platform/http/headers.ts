import { ApiError } from '../../core/errors.ts'
import type { Services } from '../services.ts'
import { mediaSources } from '../storage/index.ts'
import { empty, type Response } from './response.ts'
import type { Cache } from './operation.ts'
import type { Request } from './request.ts'

/** Headers of every answer below /api and /oauth (api/conventions.md, section 11). */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-XSS-Protection': '0',
  'Referrer-Policy': 'same-origin',
  Server: 'Mastodon',
}

/**
 * Headers of the pages that people meet. Pictures and films come from where this server keeps files, and from the origins of `shown`.
 * Forms may lead on to a client's redirect URI, so `form-action` is not limited.
 */
export function pageHeaders(
  { settings, storage }: Pick<Services, 'settings' | 'storage'>,
  shown: readonly string[] = [],
): Record<string, string> {
  const files = [...new Set([...mediaSources(storage), ...shown])].join(' ')
  return {
    'Content-Security-Policy':
      `default-src 'none'; style-src 'self'; img-src ${files} data:; media-src ${files}; font-src 'self'; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
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
  [/^\/(@|users\/)[^/]+\/?$/, 'GET'],
]

/** The methods that pages of other sites may use on a path, or undefined where they may use none. */
export function corsMethods(path: string): string | undefined {
  return CORS_METHODS.find(([prefix]) => prefix.test(path))?.[1]
}

/** Answers a browser that asks what another site's page may do here. @throws ApiError routeNotFound where it may do nothing */
export function preflight(request: Request, headers: Record<string, string>): Response {
  const methods = corsMethods(request.path)
  if (methods === undefined) throw new ApiError('routeNotFound')
  const asked = request.header('access-control-request-headers')
  return empty(200, {
    ...headers,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': asked === '' ? '*' : asked,
    'Access-Control-Max-Age': '7200',
    Vary: 'Origin',
  })
}

const STALE = 'stale-while-revalidate=30, stale-if-error=86400'

/** Who may ask, as far as caching is concerned. */
export interface Openness {
  readonly limitedFederation: boolean
  readonly unauthenticated: boolean
}

/**
 * Cache-Control and Vary of a successful answer (api/conventions.md, section 12).
 * @param carriesToken whether the request presented one
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
