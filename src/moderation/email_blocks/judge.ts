import { c, query, type Runner } from '../../platform/database/index.ts'
import { domainAndParents } from './domain.ts'

const judge = query(
  'moderation/email_blocks/judge',
  { email: c.text, domains: c.texts, ip: c.nullable(c.inet) },
  { blocked: c.boolean, needs_approval: c.boolean },
)

/** What the blocks say of an address. */
export interface Judgement {
  /** Nobody may sign up with it. */
  readonly blocked: boolean
  /** Who signs up with it needs approval. */
  readonly needsApproval: boolean
}

/**
 * Looks an address up among the blocked addresses, and its domain and mail servers, with all that they are below, among the blocked
 * domains, which count the attempt.
 * @param address of the client; null when it is nobody's attempt
 */
export async function judgeAddress(
  runner: Runner,
  email: string,
  hosts: readonly string[],
  address: string | null,
): Promise<Judgement> {
  const domains = [email.slice(email.lastIndexOf('@') + 1), ...hosts].flatMap(domainAndParents)
  const judged = await runner.one(judge, { email, domains: [...new Set(domains)], ip: address })
  return { blocked: judged?.blocked === true, needsApproval: judged?.needs_approval === true }
}
