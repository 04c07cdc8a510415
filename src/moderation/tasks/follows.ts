import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'

const followSome = query(
  'moderation/tasks/follow_all',
  { target: c.id, after: c.id },
  { last: c.nullable(c.id), followed: c.integer, events: c.events },
)
const unfollowSome = query(
  'moderation/tasks/unfollow_all',
  { target: c.id },
  { unfollowed: c.integer, events: c.events },
)

export interface Steps {
  readonly signal?: AbortSignal
  /** Called with the number of follows that a batch created or ended. */
  each?(amount: number): Promise<void> | void
}

/**
 * Makes every local account follow an account, in batches. Omits those with a block either way.
 * @throws the signal's reason
 * @returns how many follow it now that did not before
 */
export async function followAll(database: Database, target: Id, { signal, each }: Steps = {}): Promise<number> {
  let total = 0
  for (let after: Id | null = '0'; after !== null;) {
    signal?.throwIfAborted()
    const done: { last: Id | null; followed: number } | undefined = await database.one(followSome, { target, after })
    const followed = done?.followed ?? 0
    total += followed
    await each?.(followed)
    after = done?.last ?? null
  }
  return total
}

/**
 * Ends the follows of an account by all local accounts, in batches.
 * @throws the signal's reason
 * @returns their number
 */
export async function unfollowAll(database: Database, target: Id, { signal, each }: Steps = {}): Promise<number> {
  let total = 0
  for (let ended = 1; ended > 0; total += ended) {
    signal?.throwIfAborted()
    ended = (await database.one(unfollowSome, { target }))?.unfollowed ?? 0
    await each?.(ended)
  }
  return total
}
