import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Steps } from './follows.ts'

const columns = { last: c.nullable(c.id), recounted: c.integer, events: c.events } as const
const STATEMENTS = {
  accounts: query('moderation/tasks/recount_accounts', { after: c.id }, columns),
  statuses: query('moderation/tasks/recount_statuses', { after: c.id }, columns),
} as const

/** What has counters. */
export type Counted = keyof typeof STATEMENTS
export const isCounted = (type: string): type is Counted => Object.hasOwn(STATEMENTS, type)

/**
 * Counts what the counters of accounts or statuses say again, in batches.
 * @throws the signal's reason
 */
export async function recount(runner: Runner, type: Counted, { signal, each }: Steps): Promise<void> {
  for (let after: Id | null = '0'; after !== null;) {
    signal?.throwIfAborted()
    const batch: { last: Id | null; recounted: number } | undefined = await runner.one(STATEMENTS[type], { after })
    await each?.(batch?.recounted ?? 0)
    after = batch?.last ?? null
  }
}
