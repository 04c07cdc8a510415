import ipaddr from 'ipaddr.js'

/** The prefix of IPv6 addresses that stand for IPv4 addresses (`::ffff:192.0.2.1`). */
const MAPPED_BITS = 96

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // An address with a zone (`fe80::1%eth0`) is one of a network interface, not of a network.
  return !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

/**
 * An address or a network, such as `192.0.2.1`, `192.0.2.0/24` or `2001:db8::/32`, with its length:
 * `192.0.2.1/32`. Mapped IPv4 addresses become plain ones.
 * @returns undefined for any other text
 */
export function parseNetwork(text: string): string | undefined {
  const [, addressText = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? []
  const address = parseAddress(addressText)
  if (!address) return undefined
  const max = address.kind() === 'ipv4' ? 32 : 128
  const bits = length === undefined ? max : Number(length)
  if (bits > max) return undefined
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_BITS)
    return `${address.toIPv4Address().toString()}/${bits - MAPPED_BITS}`
  return `${address.toString()}/${bits}`
}
