import { c, query, type Runner } from '../../platform/database/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { purgeDomain } from './purge.ts'

const parameters = { moderator: c.nullable(c.id), domain: c.text } as const
const insertAllow = query('moderation/domain_rules/allow', parameters, { id: c.id, events: c.events })
const deleteAllow = query('moderation/domain_rules/disallow', parameters, { id: c.id, events: c.events })

/**
 * Lets limited federation mode federate with exactly this domain.
 * @returns false when it does already
 * @throws ApiError validation when it is no domain
 */
export const allowDomain = async (transaction: Runner, moderator: Id | null, given: string): Promise<boolean> =>
  (await transaction.one(insertAllow, { moderator, domain: normaliseDomain(given) })) !== undefined

/**
 * Takes that back. In limited federation mode the accounts of the domain are removed, in the background (api/settings.md, section 1.3).
 * @returns false when it was not allowed
 * @throws ApiError validation when it is no domain
 */
export async function disallowDomain(
  transaction: Runner,
  moderator: Id | null,
  given: string,
  limitedFederation: boolean,
): Promise<boolean> {
  const domain = normaliseDomain(given)
  if (!(await transaction.one(deleteAllow, { moderator, domain }))) return false
  if (limitedFederation) await enqueue(transaction, purgeDomain, { domain })
  return true
}
