import { domainToASCII } from 'node:url'

/** Where copies of a report are to go. */
export interface Forwarding {
  /** The entity's `forwarded`: whether the account's own server gets one; false for local accounts, null when nobody said. */
  readonly forwarded: boolean | null
  /** Every server that gets one. */
  readonly domains: readonly string[]
}

/**
 * Decides which servers get a copy (api/moderation.md, section 1.1): the account's own, and those of the accounts that the reported statuses
 * reply to, as far as they are chosen.
 * @param domain the account's; null when it is local: then nothing is sent
 * @param answered domains of the accounts that are replied to
 * @param chosen undefined when nothing was chosen: the account's own
 */
export function decideForwarding(
  domain: string | null,
  answered: readonly string[],
  forward: boolean | undefined,
  chosen: readonly string[] | undefined,
): Forwarding {
  if (domain === null) return { forwarded: false, domains: [] }
  if (forward === undefined) return { forwarded: null, domains: [] }
  const wanted = new Set((chosen ?? [domain]).map(text => domainToASCII(text.trim())))
  const domains = forward ? [...new Set([domain, ...answered])].filter(one => wanted.has(one)) : []
  return { forwarded: domains.includes(domain), domains }
}
