import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { endQuote } from '../../statuses/index.ts'
import { parseAnsweredRequest, readApprovalUri } from './answered_request.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'

const findByApproval = query(
  'federation/receive/quote_by_approval',
  { author: c.id, approval_uri: c.text },
  { id: c.id },
)
const REQUEST = { quote: c.nullable(c.id), status: c.nullable(c.id), account: c.id, author: c.id } as const
const findRequest = query('federation/receive/requested_quote', REQUEST, { id: c.id })
const accept = query(
  'federation/receive/accept_quote_request',
  { ...REQUEST, approval_uri: c.text },
  { id: c.id, events: c.events },
)

/** The author of a quoted status revokes the QuoteAuthorization with this URI. */
export async function revokeQuote(transaction: Runner, author: Id, approvalUri: string): Promise<void> {
  const quote = await transaction.one(findByApproval, { author, approval_uri: approvalUri })
  if (quote) await endQuote(transaction, author, quote.id)
}

/** The quote that a local account has requested, by its id or its status. */
interface RequestedQuote {
  readonly account: Id
  readonly quote: Id | null
  readonly status: Id | null
}

function parseRequest(services: Services, incoming: IncomingActivity): RequestedQuote | undefined {
  const request = parseAnsweredRequest(services, incoming, 'QuoteRequest')
  if (!request) return undefined
  if ('id' in request) return { account: request.account, quote: request.id, status: null }
  const { instrument } = request
  return instrument.kind === 'status'
    ? { account: instrument.account, quote: null, status: instrument.status }
    : undefined
}

/**
 * Accept of a QuoteRequest: `result` is the authorization, on the quoted author's server.
 * @returns whether the activity answers a QuoteRequest
 */
export async function receiveQuoteAccept(services: Services, incoming: IncomingActivity): Promise<boolean> {
  const requested = parseRequest(services, incoming)
  if (!requested) return false
  const { author } = incoming
  const approval = readApprovalUri(incoming)
  if (approval === undefined) return true
  await receivingTransaction(services, transaction =>
    transaction.run(accept, { ...requested, author: author.id, approval_uri: approval }),
  )
  return true
}

/** Reject of a QuoteRequest. @returns whether the activity answers a QuoteRequest */
export async function receiveQuoteReject(services: Services, incoming: IncomingActivity): Promise<boolean> {
  const requested = parseRequest(services, incoming)
  if (!requested) return false
  const { author } = incoming
  await receivingTransaction(services, async transaction => {
    const quote = await transaction.one(findRequest, { ...requested, author: author.id })
    if (quote) await endQuote(transaction, author.id, quote.id)
  })
  return true
}
