import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, isObject, sameHost, isStorableUri } from '../protocol/index.ts'
import { readNote } from './note.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { receiveNote } from './resolve_status.ts'

const findQuotable = query(
  'federation/receive/quotable',
  { requester: c.id, status: c.id },
  { id: c.id, account_id: c.id, allowed: c.boolean },
)
const grant = query(
  'federation/receive/grant_quote_request',
  { status: c.id, quoted: c.id },
  { id: c.id, events: c.events },
)

/**
 * Finds the quoting status, which is stored, embedded in the request, or fetched on behalf of the
 * quoted author, as it may not be public.
 */
async function quotingStatus(
  services: Services,
  { activity, author }: IncomingActivity,
  quotedAuthor: Id,
): Promise<Id | undefined> {
  const instrument = activity['instrument']
  const uri = idOf(instrument) ?? ''
  const known = await findStatusByUri(services, services.database, uri)
  if (known) return known.account_id === author.id ? known.id : undefined
  const document = isObject(instrument) ? instrument : await fetchObject(services, uri, { signer: quotedAuthor })
  const note = document && (await readNote(document, author))
  return note && receiveNote(services, author, note, { fetched: true })
}

/**
 * QuoteRequest (FEP-044f): the actor asks to quote a local status in one of its own. The policy of
 * the local status decides.
 */
export async function receiveQuoteRequest(services: Services, incoming: IncomingActivity): Promise<void> {
  const { activity, author, actorUri: requester } = incoming
  const { database, config } = services
  const [id, object, instrument] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])]
  if (id === undefined || !isStorableUri(id) || !sameHost(id, requester)) return
  if (object === undefined || instrument === undefined || !sameHost(instrument, requester)) return
  const status = await findStatusByUri(services, database, object)
  const quoted = status && (await database.one(findQuotable, { requester: author.id, status: status.id }))
  if (!quoted) return
  const quoting = quoted.allowed ? await quotingStatus(services, incoming, quoted.account_id) : undefined
  await receivingTransaction(services, async transaction => {
    const quote = quoting && (await transaction.one(grant, { status: quoting, quoted: quoted.id }))
    const owner = actorUri(config.publicUrl, quoted.account_id)
    const request = { id, type: 'QuoteRequest', actor: requester, object, instrument }
    const response = quote
      ? { id: `${owner}#accepts/quote_requests/${quote.id}`, result: `${owner}/quote_authorizations/${quote.id}` }
      : { id: `${owner}#rejects/quote_requests/${randomUUID()}` }
    await sendActivity(transaction, {
      sender: quoted.account_id,
      object: instrument,
      activity: { ...response, type: quote ? 'Accept' : 'Reject', actor: owner, to: requester, object: request },
      inboxes: author.inbox_url === '' ? [] : [author.inbox_url],
    })
  })
}
