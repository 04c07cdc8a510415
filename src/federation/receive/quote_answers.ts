import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { endQuote } from '../../statuses/index.ts'
import { answeredRequest, grantedApproval } from './answered_request.ts'
import { inReceipt, type Receiving } from './receiving.ts'

const find = query('federation/receive/find_quote', { author: c.id, approval_uri: c.text }, { id: c.id })
const REQUEST = { quote: c.nullable(c.id), status: c.nullable(c.id), account: c.id, author: c.id } as const
const findRequest = query('federation/receive/request', REQUEST, { id: c.id })
const accept = query(
  'federation/receive/accept_request',
  { ...REQUEST, approval_uri: c.text },
  { id: c.id, events: c.events },
)

/** The author of a quoted status withdraws the permission with this URI. */
export async function withdrawQuote(transaction: Runner, author: Id, approvalUri: string): Promise<void> {
  const quote = await transaction.one(find, { author, approval_uri: approvalUri })
  if (quote) await endQuote(transaction, author, quote.id)
}

/** The quote that a local account has asked for: by its number, or its status. */
interface Requested {
  readonly account: Id
  readonly quote: Id | null
  readonly status: Id | null
}

function requestIn(services: Services, receiving: Receiving): Requested | undefined {
  const request = answeredRequest(services, receiving, 'QuoteRequest')
  if (!request) return undefined
  if ('number' in request) return { account: request.account, quote: request.number, status: null }
  const { instrument } = request
  return instrument.kind === 'status'
    ? { account: instrument.account, quote: null, status: instrument.status }
    : undefined
}

/**
 * Accept of a request to quote: its result is the permission, on the server of the quoted author.
 * @returns whether the answer was about such a request
 */
export async function acceptedQuote(services: Services, receiving: Receiving): Promise<boolean> {
  const requested = requestIn(services, receiving)
  if (!requested) return false
  const { author } = receiving
  const approval = grantedApproval(receiving)
  if (approval === undefined) return true
  await inReceipt(services, transaction =>
    transaction.run(accept, { ...requested, author: author.id, approval_uri: approval }),
  )
  return true
}

/** Reject of a request to quote. @returns whether the answer was about such a request */
export async function rejectedQuote(services: Services, receiving: Receiving): Promise<boolean> {
  const requested = requestIn(services, receiving)
  if (!requested) return false
  const { author } = receiving
  await inReceipt(services, async transaction => {
    const quote = await transaction.one(findRequest, { ...requested, author: author.id })
    if (quote) await endQuote(transaction, author.id, quote.id)
  })
  return true
}
