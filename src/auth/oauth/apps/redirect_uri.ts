import { isIP } from 'node:net'

/** Redirect URIs that show the code to the user instead of sending it. */
const OUT_OF_BAND = new Set(['urn:ietf:wg:oauth:2.0:oob', 'urn:ietf:wg:oauth:2.0:oob:auto'])
const FORBIDDEN_SCHEMES = new Set(['data', 'vbscript', 'javascript'])

/** Characters that a URI may hold (RFC 3986, section 2), and complete percent escapes. */
const URI_TEXT = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/
const URI = /^([A-Za-z][A-Za-z0-9+.-]*):([^?#]*)(\?[^#]*)?(#.*)?$/

/** Whether the code is shown for copying (`urn:ietf:wg:oauth:2.0:oob`). */
export const isOutOfBand = (uri: string): boolean => OUT_OF_BAND.has(uri)

/** The validation errors of a redirect URI to register, without label; empty if it is valid. */
export function redirectUriErrors(uri: string): string[] {
  if (isOutOfBand(uri)) return []
  if (!URI_TEXT.test(uri)) return ['must be a valid URI.']
  const [, scheme, rest = '', , fragment] = URI.exec(uri) ?? []
  const errors: string[] = []
  if (scheme === undefined) {
    if (uri.includes('#')) errors.push('cannot contain a fragment.')
    return [...errors, 'must be an absolute URI.']
  }
  if (FORBIDDEN_SCHEMES.has(scheme.toLowerCase())) errors.push('is forbidden by the server.')
  if (fragment !== undefined) errors.push('cannot contain a fragment.')
  if (!rest.startsWith('/') || scheme.toLowerCase() === 'localhost') errors.push('must specify a scheme.')
  if (lacksHost(scheme, rest)) errors.push('must be an absolute URI.')
  return errors
}

/** http and https need a host; the `app:/callback` of a mobile application does not. */
function lacksHost(scheme: string, rest: string): boolean {
  return /^https?$/i.test(scheme) && rest.startsWith('/') && !/^\/\/[^/:@]/.test(rest)
}

/**
 * Whether a redirect URI equals a registered one, ignoring the order of query parameters and, for
 * loopback addresses, the port (RFC 8252, section 7.3).
 */
export function matchesRedirectUri(redirectUri: string, registered: readonly string[]): boolean {
  if (isOutOfBand(redirectUri)) return registered.includes(redirectUri)
  if (redirectUriErrors(redirectUri).length > 0) return false
  const requested = comparable(redirectUri)
  return registered.some(uri => uri === redirectUri || comparable(uri) === requested)
}

function comparable(uri: string): string {
  const [, scheme = '', rest = '', query = ''] = URI.exec(uri) ?? []
  const sorted = query === '' ? '' : `?${query.slice(1).split('&').sort().join('&')}`
  return `${scheme}:${withoutLoopbackPort(rest)}${sorted}`
}

function withoutLoopbackPort(rest: string): string {
  const [matched, host, path = ''] = /^\/\/(\[[^\]]*\]|[^/:@]*)(?::[0-9]*)?(\/.*)?$/.exec(rest) ?? []
  if (matched === undefined || host === undefined) return rest
  const address = host.replace(/^\[|\]$/g, '')
  const loopback = (isIP(address) === 4 && address.startsWith('127.')) || (isIP(address) === 6 && address === '::1')
  return loopback ? `//${host}${path}` : rest
}
