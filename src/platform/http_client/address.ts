import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address is public: not loopback, private, link-local, shared, multicast, reserved
 * or documentation, and not an IPv6 form that embeds an IPv4 address (IANA's registries of special
 * addresses). False for invalid addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // Only 2000::/3 is allocated; other unicast addresses belong to nobody.
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** The IP address in a URL's host, or undefined if the host is a name. */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) ? host : undefined
}
