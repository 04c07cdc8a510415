import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

export type Networks = readonly Network[]

/** Names for networks, as in other servers' settings. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Parses a list of addresses, networks (CIDR) and the words loopback, linklocal and uniquelocal,
 * separated by commas or spaces. An empty setting means no network.
 * @throws Error naming the first invalid entry
 */
export function parseNetworks(setting: string): Networks {
  const entries = setting.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.flatMap(entry => (Object.hasOwn(NAMED, entry) ? (NAMED[entry] ?? []) : [entry])).map(parseNetwork)
}

function parseNetwork(entry: string): Network {
  try {
    // ipaddr.js also takes 1.2.3 for 1.2.0.3.
    if (parseAddress(entry.replace(/\/.*$/, '')) === undefined) throw new Error('no usual notation')
    if (entry.includes('/')) {
      const [address, bits] = ipaddr.parseCIDR(entry)
      return isMapped(address) && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits]
    }
    const address = ipaddr.process(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch (error) {
    throw new Error(`"${entry}" is no address or network`, { cause: error })
  }
}

const isMapped = (address: Address): address is ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()

/** Whether an address belongs to one of the networks. */
export const isInNetworks = (address: Address, networks: Networks): boolean =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** As `isInNetworks`, for an address as text; false if it is none. */
export function isAddressIn(text: string, networks: Networks): boolean {
  const address = parseAddress(text)
  return address !== undefined && isInNetworks(address, networks)
}

/**
 * Accepts only the usual notations: ipaddr.js also takes `127.1`, octal and hexadecimal IPv4, and a
 * zone.
 */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
  return !text.includes('%') && ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
}
