import { removeAccount } from '../../accounts/deletion/index.ts'
import { forEachConcurrently } from '../../core/for_each_concurrently.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findUnrelated = query(
  'moderation/retention/unrelated_accounts',
  { after: c.id, before: c.timestamp },
  { last: c.nullable(c.id), ids: c.ids },
)

/** Newer accounts are kept: somebody may be about to follow them. */
const MIN_AGE_MS = 86_400_000

/**
 * Accounts of other servers that were fetched more than a day ago and have no relation to anybody
 * here: nothing stored refers to them.
 */
async function* unrelatedAccounts(database: Database): AsyncGenerator<Id> {
  const before = new Date(Date.now() - MIN_AGE_MS)
  for (let after: Id | null = '0'; after !== null;) {
    const found: { last: Id | null; ids: Id[] } | undefined = await database.one(findUnrelated, { after, before })
    yield* found?.ids ?? []
    after = found?.last ?? null
  }
}

/** How many accounts `pruneAccounts` removes now. */
export async function countUnrelatedAccounts(database: Database): Promise<number> {
  let count = 0
  for await (const _ of unrelatedAccounts(database)) count += 1
  return count
}

interface Pruning {
  readonly concurrency: number
  /** Nothing is removed. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called after each account. */
  each(): Promise<void> | void
}

/**
 * Removes accounts of other servers without any relation to local accounts, also when the turn of
 * the account comes.
 * @throws the signal's reason
 */
export const pruneAccounts = (
  services: Services,
  { concurrency, dryRun = false, signal, each }: Pruning,
): Promise<void> =>
  forEachConcurrently(unrelatedAccounts(services.database), concurrency, async account => {
    signal?.throwIfAborted()
    if (!dryRun) await removeAccount(services, { account, freesName: true, onlyUnrelated: true })
    await each()
  })
