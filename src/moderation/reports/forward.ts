import { parseUrl } from '../../core/parse_url.ts'
/** The servers that receive copies of a report. */
export interface Forwarding {
  /**
   * The entity's `forwarded`: whether the account's own server receives a copy; false for local
   * accounts, null if the reporter did not choose.
   */
  readonly forwarded: boolean | null
  /** All servers that receive a copy. */
  readonly domains: readonly string[]
}

/** A domain as it is stored: in ASCII and lower case, with the port if there is one. */
function domainIn(text: string): string {
  return parseUrl(`https://${text.trim()}`)?.host ?? ''
}

/**
 * Decides which servers receive a copy: the account's own, and those of the accounts that the
 * reported statuses reply to, as far as they are chosen.
 * @param domain the account's; null for a local account, for which nothing is sent
 * @param answered domains of the accounts that are replied to
 * @param chosen undefined if nothing was chosen: the account's own
 */
export function decideForwarding(
  domain: string | null,
  answered: readonly string[],
  forward: boolean | undefined,
  chosen: readonly string[] | undefined,
): Forwarding {
  if (domain === null) return { forwarded: false, domains: [] }
  if (forward === undefined) return { forwarded: null, domains: [] }
  const requested = new Set((chosen ?? [domain]).map(domainIn))
  const domains = forward ? [...new Set([domain, ...answered])].filter(one => requested.has(one)) : []
  return { forwarded: domains.includes(domain), domains }
}
