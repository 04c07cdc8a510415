import ipaddr from 'ipaddr.js'
import type { HttpRequest } from 'uWebSockets.js'
import { isInNetworks, parseAddress, type Networks } from '../../core/networks.ts'

/**
 * The client's address: the nearest hop that is not a trusted proxy. Read from the right, since an
 * untrusted hop can claim anything to its left. An invalid hop ends the reading at the last valid
 * one.
 * @param remote the other end of the connection
 * @param forwardedFor reads the header X-Forwarded-For, several joined by commas; called only when
 * `remote` is a trusted proxy
 * @returns in normal form; an IPv4 address mapped to IPv6 as IPv4; `remote` unchanged when it is
 * not an address
 */
export function clientAddress(remote: string, forwardedFor: () => string, trusted: Networks): string {
  let nearest = parseAddress(remote)
  if (!nearest) return remote
  const header = isInNetworks(nearest, trusted) ? forwardedFor() : ''
  const hops = header === '' ? [] : header.split(',')
  while (hops.length > 0 && isInNetworks(nearest, trusted)) {
    const hop = parseAddress(withoutPort((hops.pop() ?? '').trim()))
    if (!hop) break
    nearest = hop
  }
  return nearest.toString()
}

/**
 * The header X-Forwarded-For. A proxy may add its own next to those it received (HAProxy does), and
 * they form one list (RFC 9110, section 5.3); `getHeader` returns only the first, which a client
 * can forge.
 */
export function forwardedForOf(request: HttpRequest): string {
  let hops: string | undefined
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') hops = hops === undefined ? value : `${hops},${value}`
  })
  return hops ?? ''
}

/**
 * The key of a client for rate limits: an IPv4 address, or the /64 network of an IPv6 address,
 * which belongs to one customer.
 */
export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parseAddress(address)
  if (!parsed || parsed.kind() === 'ipv4') return parsed?.toString() ?? address
  return `${new ipaddr.IPv6([...parsed.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()}/64`
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(hop)
  return bracketed?.[1] ?? (/^[0-9.]+:[0-9]{1,5}$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop)
}
