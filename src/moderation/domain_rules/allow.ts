import { c, query, type Runner } from '../../platform/database/index.ts'
import { normaliseDomain } from '../../accounts/domain_blocks/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { findAllowOf, type DomainAllow } from './find.ts'
import { purgeDomain } from './purge.ts'

const parameters = { moderator: c.nullable(c.id), domain: c.text } as const
const insertAllow = query('moderation/domain_rules/allow', parameters, { id: c.id, events: c.events })
const deleteAllow = query('moderation/domain_rules/disallow', parameters, { id: c.id, events: c.events })

/** An allowed domain, and whether it was not allowed before. */
export interface Allowed {
  readonly allow: DomainAllow
  readonly isNew: boolean
}

/**
 * Allows exactly this domain in limited federation mode.
 * @throws ApiError validation for an invalid domain
 */
export async function allowDomain(transaction: Runner, moderator: Id | null, name: string): Promise<Allowed> {
  const domain = normaliseDomain(name)
  const added = await transaction.one(insertAllow, { moderator, domain })
  const allow = await findAllowOf(transaction, domain)
  if (!allow) throw new ApiError('conflict')
  return { allow, isNew: added !== undefined }
}

/**
 * Revokes the permission of a domain. In limited federation mode its accounts are removed, in the
 * background.
 * @returns false if it was not allowed
 * @throws ApiError validation for an invalid domain
 */
export async function disallowDomain(
  transaction: Runner,
  moderator: Id | null,
  name: string,
  limitedFederation: boolean,
): Promise<boolean> {
  const domain = normaliseDomain(name)
  if (!(await transaction.one(deleteAllow, { moderator, domain }))) return false
  if (limitedFederation) await enqueue(transaction, purgeDomain, { domain })
  return true
}
