import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../database/index.ts'

const clear = query('platform/cache/clear', { what: c.text }, { events: c.events })
const clearOf = query(
  'platform/cache/clear_feeds',
  { moderator: c.nullable(c.id), account: c.id },
  { id: c.id, recorded: c.bigint, events: c.events },
)

/** Makes every running server clear its memory: everything, or the feeds. */
export const clearCaches = async (runner: Runner, scope: 'all' | 'feeds'): Promise<void> =>
  void (await runner.run(clear, { what: scope }))

/**
 * Makes every running server clear the feeds of an account, which are built again on demand, with
 * an entry in the audit log.
 * @param moderator null: the operator
 * @returns false when no such account has a user
 */
export const clearFeedsOf = async (runner: Runner, moderator: Id | null, account: Id): Promise<boolean> =>
  (await runner.one(clearOf, { moderator, account })) !== undefined
