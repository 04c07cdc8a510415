import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { allowDomain, blockDomain } from '../../moderation/domain_rules/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { ImportedRule } from './csv.ts'

/** The kind of rules in a file. */
export type RuleKind = 'blocks' | 'allows'

/**
 * Adds a rule of a file. Returns false if the domain, or one above it, already has such a rule.
 * @param moderator null for the operator
 */
export async function addRule(
  database: Database,
  moderator: Id | null,
  kind: RuleKind,
  rule: ImportedRule,
): Promise<boolean> {
  if (kind === 'allows')
    return (await database.transaction(transaction => allowDomain(transaction, moderator, rule.domain))).isNew
  try {
    await database.transaction(transaction => blockDomain(transaction, moderator, rule.domain, rule))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation') return false
    throw error
  }
}
