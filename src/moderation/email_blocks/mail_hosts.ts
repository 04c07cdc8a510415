import { promises as dns } from 'node:dns'

/** What is asked of DNS; each rejects with a `code` as node:dns has them. */
export interface MailResolver {
  resolveMx(domain: string): Promise<{ exchange: string }[]>
  resolve4(domain: string): Promise<unknown[]>
  resolve6(domain: string): Promise<unknown[]>
}

/** What DNS says of a domain's mail. */
export interface MailHosts {
  /** False when it says that there is neither a mail server nor an address. */
  readonly reachable: boolean
  /** The domain's mail servers; none when nobody could tell. */
  readonly hosts: readonly string[]
}

/** Answers that say that there is nothing. Others say that nobody could tell, which is not held against the person. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const TIMEOUT_MS = 3000
const MAX_HOSTS = 20

const saysNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && NOTHING.has(error.code)

/** The answer; undefined when nobody could tell. */
async function ask<T>(asking: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await asking
  } catch (error) {
    return saysNothing(error) ? [] : undefined
  }
}

/** Asks DNS whether mail can reach a domain, and who takes it: at most three questions of three seconds. */
export async function lookUpMail(
  domain: string,
  resolver: MailResolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 }),
): Promise<MailHosts> {
  const servers = await ask(resolver.resolveMx(domain))
  // A single empty name says that the domain takes no mail (RFC 7505).
  const hosts = (servers ?? []).map(({ exchange }) => exchange.toLowerCase()).filter(host => host !== '')
  if (servers === undefined || servers.length > 0)
    return { reachable: servers === undefined || hosts.length > 0, hosts: hosts.slice(0, MAX_HOSTS) }
  for (const method of ['resolve4', 'resolve6'] as const) {
    const addresses = await ask(resolver[method](domain))
    if (addresses === undefined || addresses.length > 0) return { reachable: true, hosts: [] }
  }
  return { reachable: false, hosts: [] }
}
