import { parse } from 'tldts'
import { rateLimitKey } from '../http/client_address.ts'
import { isPublicAddress } from './address.ts'

/**
 * A host by which limits count, so that nobody gets more by ports: a name or public IPv4 address
 * without its port, or the /64 network of a public IPv6 address, which belongs to one customer.
 * Private addresses are different servers by their ports: only the operator can allow them.
 */
export function hostKey(host: string): string {
  const { hostname, isIp } = parse(host)
  if (hostname === null) return host
  if (isIp !== true) return hostname
  return isPublicAddress(hostname) ? rateLimitKey(hostname) : host
}

/** As `hostKey`; the names of a registrable domain are counted together. */
export const domainKey = (host: string): string => parse(host).domain ?? hostKey(host)
