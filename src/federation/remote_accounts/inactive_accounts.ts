import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchDocument, mayRequest } from '../fetch/index.ts'
import type { RemoteAccount } from './refresh.ts'

const findInactive = query(
  'federation/remote_accounts/inactive',
  { domains: c.texts, before: c.timestamp, after: c.id, limit: c.integer },
  { id: c.id, uri: c.text, acct: c.text },
)

const BATCH_SIZE = 500

/**
 * Accounts of other servers, or of some domains, that were neither fetched nor active since a time.
 */
export async function* listInactiveAccounts(
  { database }: Services,
  domains: readonly string[],
  before: Date,
): AsyncGenerator<RemoteAccount> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(findInactive, { domains: [...domains], before, after, limit: BATCH_SIZE })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** Whether the server of an actor says that it was deleted. */
export async function isDeleted(services: Services, uri: string): Promise<boolean> {
  if (!(await mayRequest(services, uri))) return false
  const { outcome } = await fetchDocument(services, uri).catch((error: unknown) => {
    if (error instanceof OutgoingFailure) return { outcome: 'unexpected' as const }
    throw error
  })
  return outcome === 'gone'
}

/**
 * Whether the server of an account has deleted it. Servers with which this one does not federate
 * are not asked.
 * @returns undefined when the server gave no answer
 */
export async function isGone(services: Services, { uri }: RemoteAccount): Promise<boolean | undefined> {
  if (!(await mayRequest(services, uri))) return false
  try {
    const { outcome } = await fetchDocument(services, uri)
    return outcome === 'gone' || outcome === 'missing'
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    return undefined
  }
}
