import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address belongs to the public internet: none of loopback, private, link-local, shared, multicast, reserved or documentation
 * networks, and no IPv6 form that carries an IPv4 address to somewhere else (IANA's registries of special addresses).
 * False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Only 2000::/3 is given out; the rest of what is unicast by name is nobody's.
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** The IP address that a URL names in place of a host, or undefined when it names a host. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? host : undefined
}
