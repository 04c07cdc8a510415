import { INSTANCE_USERNAME } from '../../core/acct.ts'
import type { Config } from '../../core/config.ts'
import { parseId, type Id } from '../../core/id.ts'
import { parseUrl, storedDomain } from '../../core/parse_url.ts'

/**
 * The subject of a WebFinger resource: a local account, the server itself, or an unknown one;
 * undefined for an unreadable resource.
 */
export type Named = { readonly id: Id } | { readonly username: string } | 'instance' | 'nobody' | undefined

const PROFILE = /^\/(?:@|users\/)([a-z0-9_]+)\/?$/i
const ACTOR = /^\/ap\/users\/(\d+)\/?$/

function namedByUrl(url: URL, hosts: readonly string[]): Named {
  if (!hosts.includes(url.host)) return 'nobody'
  if (url.pathname === '/' || url.pathname === '/actor') return 'instance'
  const id = parseId(ACTOR.exec(url.pathname)?.[1] ?? '')
  if (id !== undefined) return { id }
  const username = PROFILE.exec(url.pathname)?.[1]
  return username === undefined ? 'nobody' : { username }
}

/**
 * Parses `acct:user@domain`, `user@domain`, the URL of a profile or actor, or the server's own
 * identifiers (RFC 7033).
 */
export function parseResource(resource: string, { localDomain, alternateDomains, publicUrl }: Config): Named {
  const hosts = [localDomain, new URL(publicUrl).host, ...alternateDomains]
  if (/^https?:\/\//i.test(resource)) {
    const url = parseUrl(resource)
    return url && namedByUrl(url, hosts)
  }
  const handle = resource.replace(/^acct:/i, '').replace(/^@/, '')
  if (hosts.includes(storedDomain(handle))) return 'instance'
  const at = handle.lastIndexOf('@')
  if (at < 1) return undefined
  const [username, domain] = [handle.slice(0, at), handle.slice(at + 1)]
  if (!hosts.includes(storedDomain(domain))) return 'nobody'
  return hosts.includes(storedDomain(username)) || username === INSTANCE_USERNAME ? 'instance' : { username }
}
