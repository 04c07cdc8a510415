import type { Id } from '../../core/id.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { readAuthor, receivingTransaction } from './incoming_activity.ts'
import { findQuote, type QuotingNote } from './quote.ts'
import { resolveStatus } from './resolve_status.ts'

interface MissingQuote {
  readonly status: Id
  readonly account: Id
  readonly note: QuotingNote
  /** The number of quotes that were followed to the status. */
  readonly quotes: number
}

function parsePayload(payload: unknown): MissingQuote {
  const [uri, quoted, approval, quotes] = ['uri', 'quoted', 'approval', 'quotes'].map(name => memberOf(payload, name))
  if (typeof uri !== 'string' || typeof quoted !== 'string' || typeof quotes !== 'number')
    throw new Error('the payload names no quote')
  const approvalUri = typeof approval === 'string' ? approval : undefined
  const note = { uri, quotedUri: quoted, approvalUri }
  return { status: idIn(payload, 'status_id'), account: idIn(payload, 'author_id'), note, quotes }
}

/**
 * Finds the quote of a status of another server, if the server of the quoted status, or of its
 * author's approval, gave no answer when it arrived. Enqueued by enqueue_quote in SQL.
 */
export const fetchQuote = job<MissingQuote, Services>(
  'federation.fetch_quote',
  parsePayload,
  ({ status, account, note, quotes }, services, { lastAttempt }) =>
    withDiscoveryBudget(async () => {
      const author = await readAuthor(services, account)
      if (!author) return
      const resolve = (uri: string) => resolveStatus(services, uri, { quotes: quotes + 1 })
      const { store, failure } = await findQuote(services, author, note, resolve)
      if (store) await receivingTransaction(services, transaction => store(transaction, status))
      if (failure && !lastAttempt) throw failure
    }),
  { attempts: 8, priority: 20 },
)
