import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { HttpRequest } from 'uWebSockets.js'
import { isInNetworks, parseAddress, type Networks } from '../../core/networks.ts'

/**
 * The address of the client: the nearest hop that is no trusted proxy. Read from the right, since anything to the left of an
 * untrusted hop is only what that hop claims. A hop that is no address ends the reading at the last one that was.
 * @param remote the other end of the connection
 * @param forwardedFor the header X-Forwarded-For, several of them joined by commas
 * @returns in normal form; an IPv4 address mapped to IPv6 as IPv4; `remote` as it is when that is no address
 */
export function clientAddress(remote: string, forwardedFor: string | undefined, trusted: Networks): string {
  let nearest = parseAddress(remote)
  if (!nearest) return remote
  if (forwardedFor) {
    const hops = forwardedFor.split(',')
    while (isInNetworks(nearest, trusted)) {
      const hop = parseAddress(withoutPort((hops.pop() ?? '').trim()))
      if (!hop) break
      nearest = hop
    }
  }
  return nearest.toString()
}

/** Clients whose address is remembered, and how long what is sent to tell it by may be. */
const REMEMBERED = 4096
const MAX_LENGTH = 100

/**
 * `clientAddress`, which remembers what it found: the same clients come again and again.
 * @returns a function that reads `forwardedFor` only where the other end is believed
 */
export function rememberAddresses(trusted: Networks): (remote: string, forwardedFor: () => string) => string {
  const remotes = new LRUCache<string, { address: string; believed: boolean }>({ max: REMEMBERED })
  const known = new LRUCache<string, string>({ max: REMEMBERED })
  return (remote, forwardedFor) => {
    let far = remotes.get(remote)
    if (!far) {
      far = { address: clientAddress(remote, undefined, trusted), believed: isTrustedProxy(remote, trusted) }
      remotes.set(remote, far)
    }
    const hops = far.believed ? forwardedFor() : ''
    if (hops === '') return far.address
    if (hops.length > MAX_LENGTH) return clientAddress(remote, hops, trusted)
    const key = `${remote},${hops}`
    let address = known.get(key)
    if (address === undefined) known.set(key, (address = clientAddress(remote, hops, trusted)))
    return address
  }
}

/**
 * The header X-Forwarded-For. A proxy may add one of its own beside those that it was sent (HAProxy does), and they are one list
 * (RFC 9110, section 5.3); `getHeader` tells of the first only, which is the one that a client writes as it likes.
 */
export function forwardedForOf(request: HttpRequest): string {
  let hops: string | undefined
  request.forEach((name, value) => {
    if (name === 'x-forwarded-for') hops = hops === undefined ? value : `${hops},${value}`
  })
  return hops ?? ''
}

/** Whether the other end of the connection is a proxy that is believed. */
export function isTrustedProxy(remote: string, trusted: Networks): boolean {
  const address = parseAddress(remote)
  return address !== undefined && isInNetworks(address, trusted)
}

/** What rate limits count a client by: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one customer. */
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
