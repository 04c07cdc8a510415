import { promises as dns } from 'node:dns'

/** The DNS queries; each rejects with a `code` of node:dns. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>
  resolve4(domain: string): Promise<unknown[]>
  resolve6(domain: string): Promise<unknown[]>
}

/** The DNS records of a domain's mail. */
export interface MailHosts {
  /** False if DNS has neither a mail server nor an address. */
  readonly reachable: boolean
  /** The domain's mail servers; empty if DNS did not respond. */
  readonly hosts: readonly string[]
}

/**
 * DNS errors that mean "does not exist". Other errors leave the question open and do not count
 * against the user.
 */
const NOT_FOUND_CODES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const TIMEOUT_MS = 3000
const MAX_HOSTS = 20

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && NOT_FOUND_CODES.has(error.code)

/** The records; undefined if DNS did not respond. */
async function query<T>(response: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await response
  } catch (error) {
    return isNotFound(error) ? [] : undefined
  }
}

/**
 * Asks DNS whether a domain can receive mail, and by which servers: at most three queries of three
 * seconds.
 */
export async function resolveMailHosts(
  domain: string,
  resolver: MailResolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 }),
): Promise<MailHosts> {
  const servers = await query(resolver.resolveMx(domain))
  // A single empty name means that the domain receives no mail (RFC 7505).
  const hosts = (servers ?? []).map(({ exchange }) => exchange.toLowerCase()).filter(host => host !== '')
  if (servers === undefined || servers.length > 0)
    return { reachable: servers === undefined || hosts.length > 0, hosts: hosts.slice(0, MAX_HOSTS) }
  for (const method of ['resolve4', 'resolve6'] as const) {
    const addresses = await query(resolver[method](domain))
    if (addresses === undefined || addresses.length > 0) return { reachable: true, hosts: [] }
  }
  return { reachable: false, hosts: [] }
}
