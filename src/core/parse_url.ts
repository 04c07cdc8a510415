import { domainToASCII } from 'node:url'

/** A name of at most 253 characters (RFC 1035, section 2.3.4), a port, a user and a password. */
const MAX_AUTHORITY = 512

const IGNORED = /[\t\n\r]/g
/**
 * The authority of a URL, after any number of slashes, is longer than any that is used. A relative
 * reference has one after two slashes.
 */
const LONG_AUTHORITY = new RegExp(
  `^[\\0- ]*(?:[a-z][a-z\\d+.-]*:[/\\\\]*|[/\\\\]{2,})[^/?#\\\\]{${MAX_AUTHORITY + 1}}`,
  'i',
)

/**
 * Parses a URL that somebody wrote; undefined when it is none. The time that an international name
 * takes grows with the square of its length: a text of a megabyte would take minutes, so one with a
 * long authority is no URL.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  if (text.length > MAX_AUTHORITY && LONG_AUTHORITY.test(text.replace(IGNORED, ''))) return undefined
  return URL.parse(text, base) ?? undefined
}

/** Ends a host in a URL: `domainToASCII` leaves out what follows. */
const AFTER_HOST = /[/\\?#@\s]/

/** A domain in ASCII and lower case; empty when it is none, or much too long to be one. */
export const domainInAscii = (domain: string): string =>
  domain.length > MAX_AUTHORITY || AFTER_HOST.test(domain) ? '' : domainToASCII(domain)

/**
 * A domain that somebody typed, as it is stored: in lower case, and international names in ASCII. A
 * domain with a port, as on test networks, is none for `domainToASCII`.
 */
export const storedDomain = (text: string): string => domainInAscii(text) || text.toLowerCase()

/** As `storedDomain` for a part of a domain, where `12` is no IPv4 address. */
export const storedPartOfDomain = (text: string): string =>
  /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : storedDomain(text)
