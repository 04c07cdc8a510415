import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsOf, domainIn, inBatches } from './accounts.ts'
import { applyRule } from './apply.ts'

const removeLimits = query('moderation/domain_rules/remove_limits', { since: c.text, ids: c.ids }, { events: c.events })

interface UndonePayload {
  readonly domain: string
  /** When the rule was created, and the accounts limited. */
  readonly since: string
  /** The rule that now applies; null: none. */
  readonly rule: Id | null
}

/**
 * Removes the limits of a deleted rule, then applies the rule that is now in effect. Repeating it
 * is harmless.
 */
export const undoRule = job<UndonePayload, Services>(
  'moderated_domains.undo',
  parsePayload,
  async ({ domain, since, rule }, { database }, { signal }) => {
    const known = await accountsOf(database, domain, true)
    await inBatches(known, signal, ids => database.run(removeLimits, { since, ids }))
    if (rule !== null) await database.transaction(transaction => enqueue(transaction, applyRule, { domain, rule }))
  },
)

function parsePayload(payload: unknown): UndonePayload {
  const since = memberOf(payload, 'since')
  if (typeof since !== 'string') throw new Error('the payload has no time')
  const rule = memberOf(payload, 'rule') === null ? null : idIn(payload, 'rule')
  return { domain: domainIn(payload), since, rule }
}
