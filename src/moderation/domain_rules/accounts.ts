import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { memberOf } from '../../platform/jobs/index.ts'

const findAccounts = query('moderation/domain_rules/accounts', { domain: c.text, below: c.boolean }, { id: c.id })

/** The number of accounts that one transaction changes. */
const BATCH_SIZE = 200

/** The accounts of a domain and, with `below`, of its subdomains, ordered by id. */
export const accountsOf = async (database: Database, domain: string, below: boolean): Promise<Id[]> =>
  (await database.run(findAccounts, { domain, below })).map(({ id }) => id)

/** Runs a function for these accounts in batches. @throws the signal's reason */
export async function inBatches(
  ids: readonly Id[],
  signal: AbortSignal,
  work: (batch: Id[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    signal.throwIfAborted()
    await work(ids.slice(at, at + BATCH_SIZE))
  }
}

/** The domain in a job's payload. @throws Error if there is none */
export function domainIn(payload: unknown): string {
  const domain = memberOf(payload, 'domain')
  if (typeof domain !== 'string') throw new Error('the payload has no domain')
  return domain
}
