import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { resolveAccounts } from './find_by_uri.ts'
import { receivingTransaction } from './incoming_activity.ts'

const enqueueMentions = query('federation/receive/enqueue_mentions', { status: c.id, uris: c.texts }, { job: c.id })
const addMentions = query(
  'federation/receive/add_mentions',
  { status: c.id, accounts: c.ids, edited_at: c.nullable(c.text) },
  { events: c.events },
)

interface MissingMentions {
  readonly status: Id
  /** The version of the status that mentions them. */
  readonly editedAt: string | null
  readonly uris: readonly string[]
}

function parsePayload(payload: unknown): MissingMentions {
  const [editedAt, uris] = [memberOf(payload, 'edited_at'), memberOf(payload, 'uris')]
  return {
    status: idIn(payload, 'status_id'),
    editedAt: typeof editedAt === 'string' ? editedAt : null,
    uris: Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : [],
  }
}

/**
 * Fetches the accounts that a status of another server mentions and whose servers gave no answer
 * when it arrived, and adds the mentions. None of them is local, so nobody is notified.
 */
export const fetchMentions = job<MissingMentions, Services>(
  'federation.fetch_mentions',
  parsePayload,
  ({ status, editedAt, uris }, services, { lastAttempt }) =>
    withDiscoveryBudget(async () => {
      const { accounts, failure } = await resolveAccounts(services, uris)
      const found = [...new Set([...accounts.values()].map(({ id }) => id))]
      if (found.length > 0)
        await receivingTransaction(services, transaction =>
          transaction.run(addMentions, { status, accounts: found, edited_at: editedAt }),
        )
      if (failure && !lastAttempt) throw failure
    }),
  { attempts: 8, priority: 20 },
)

/** Enqueues `fetchMentions` for the present version of a status, if accounts are missing. */
export async function retryMentions(transaction: Runner, status: Id, uris: readonly string[]): Promise<void> {
  if (uris.length > 0) await transaction.run(enqueueMentions, { status, uris: [...uris] })
}
