import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import type { Steps } from './follows.ts'

const resetSome = query(
  'moderation/tasks/reset_relationships',
  { account: c.id, follows: c.boolean, followers: c.boolean },
  { ended: c.integer, events: c.events },
)
/** Runs the job of the district `auth` that welcomes an account once, and lets it follow always. */
const bootstrap = query('moderation/tasks/bootstrap', { account: c.id }, { id: c.id })
const logReset = query('moderation/tasks/log_reset', { moderator: c.nullable(c.id), account: c.id }, { entry: c.id })

/** Which relationships of a local account end: follows by it, or of it, or both. */
interface Reset {
  readonly account: Id
  readonly follows: boolean
  readonly followers: boolean
}

/**
 * Ends the follows by an account, of it, or both, in batches. An account without follows begins
 * like a new one, with the follows that the settings choose.
 * @throws the signal's reason
 * @returns their number
 */
export async function resetRelationships(
  database: Database,
  reset: Reset,
  { signal, each }: Steps = {},
): Promise<number> {
  let total = 0
  for (let ended = 1; ended > 0; total += ended) {
    signal?.throwIfAborted()
    ended = (await database.one(resetSome, reset))?.ended ?? 0
    await each?.(ended)
  }
  if (reset.follows) await database.run(bootstrap, { account: reset.account })
  return total
}

const parseReset = (payload: unknown): Reset => ({
  account: idIn(payload, 'account'),
  follows: memberOf(payload, 'follows') === true,
  followers: memberOf(payload, 'followers') === true,
})

export const runReset = job<Reset, Services>('relationships.reset', parseReset, async (reset, services, { signal }) => {
  await resetRelationships(services.database, reset, { signal })
})

/**
 * Starts to end relationships of a local account in the background, with an entry in the audit log.
 * @param moderator whose permission and rank the caller has checked
 * @throws ApiError notFound unless it is local
 */
export const startReset = (database: Database, moderator: Id, reset: Reset): Promise<void> =>
  database.transaction(async transaction => {
    if (!(await transaction.one(logReset, { moderator, account: reset.account }))) throw new ApiError('notFound')
    await enqueue(transaction, runReset, reset)
  })
