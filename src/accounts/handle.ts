import type { Config } from '../core/config.ts'
import { parseUrl, storedDomain } from '../core/parse_url.ts'
import { perServer, type Services } from '../platform/services.ts'

export interface Handle {
  username: string
  /** Null: this server. */
  domain: string | null
}

/**
 * The domain in the handle `<id>@handle.invalid` of an account whose own handle was taken over by
 * another account.
 */
export const INVALID_DOMAIN = 'handle.invalid'

const HANDLE = /^@?([a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?:@([^\s@/?#:]{1,253}(?::[0-9]{1,5})?))?$/i
const MAX_USERNAME_LENGTH = 2048

/**
 * Parses `user`, `@user` or `user@domain`; this server's domain counts as none. Undefined if the
 * text is not a handle.
 */
export function parseHandle(text: string, { localDomain, publicUrl }: Config): Handle | undefined {
  const [, username, domain] = HANDLE.exec(text.trim()) ?? []
  if (username === undefined || username.length > MAX_USERNAME_LENGTH) return undefined
  if (domain === undefined) return { username, domain: null }
  const given = domain.toLowerCase()
  const stored = toAscii(given)
  // `toAscii` drops the port 443.
  const isLocal = [given, stored].some(name => name === localDomain || name === new URL(publicUrl).host)
  return { username, domain: isLocal ? null : stored }
}

/** Domains are stored in ASCII. */
const toAscii = (domain: string): string => parseUrl(`https://${domain}`)?.host ?? domain

/** The names of this server. A mention has no room for a port. */
const ownDomains = perServer(({ config: { localDomain, publicUrl } }): ReadonlySet<string> => {
  const { host, hostname } = new URL(publicUrl)
  return new Set([localDomain, localDomain.replace(/:\d+$/, ''), host, hostname])
})

/** The domain of a mention as it is stored; null for this server, under any of its names. */
export function foreignDomain(services: Services, domain: string | null): string | null {
  const stored = domain === null ? null : storedDomain(domain)
  return stored === null || ownDomains(services).has(stored) ? null : stored
}
