import { c, query, type Runner } from '../../platform/database/index.ts'
import { domainAndParents } from './domain.ts'

const findMatch = query(
  'moderation/email_blocks/check',
  { email: c.text, domains: c.texts, ip: c.nullable(c.inet) },
  { blocked: c.boolean, needs_approval: c.boolean },
)

/** The result of checking an address against the blocks. */
export interface BlockMatch {
  /** It may not sign up. */
  readonly blocked: boolean
  /** Its sign-up needs approval. */
  readonly needsApproval: boolean
}

/**
 * Checks an address against the blocked addresses, and its domain, its mail servers and their
 * parent domains against the blocked domains, which count the attempt.
 * @param address the client's IP address; null if it is not a sign-up attempt
 */
export async function checkAddress(
  runner: Runner,
  email: string,
  hosts: readonly string[],
  address: string | null,
): Promise<BlockMatch> {
  const domains = [email.slice(email.lastIndexOf('@') + 1), ...hosts].flatMap(domainAndParents)
  const match = await runner.one(findMatch, { email, domains: [...new Set(domains)], ip: address })
  return { blocked: match?.blocked === true, needsApproval: match?.needs_approval === true }
}
