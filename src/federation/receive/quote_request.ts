import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, isObject, sameHost } from '../protocol/index.ts'
import { readNote } from './note.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded, knownStatus } from './references.ts'
import { resolveStatus, takeNote } from './take_note.ts'

const findQuotable = query(
  'federation/receive/quotable',
  { asker: c.id, status: c.id },
  { id: c.id, account_id: c.id, allowed: c.boolean },
)
const accept = query('federation/receive/accept_quote', { status: c.id, quoted: c.id }, { id: c.id, events: c.events })

/** The status that wants to quote: embedded in the request, or fetched. */
async function quotingStatus(services: Services, { activity, author }: Receiving): Promise<Id | undefined> {
  const instrument = activity['instrument']
  if (isObject(instrument)) {
    const note = await readNote(instrument, author)
    return note && takeNote(services, author, note, { fetched: true })
  }
  const status = await resolveStatus(services, idOf(instrument) ?? '')
  return status?.account_id === author.id ? status.id : undefined
}

/**
 * QuoteRequest (FEP-044f): the actor asks whether one of its statuses may quote a local one, whose
 * author's policy decides.
 */
export async function receiveQuoteRequest(services: Services, receiving: Receiving): Promise<void> {
  const { activity, author, actorUri: asker } = receiving
  const { database, config } = services
  const [id, object, instrument] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])]
  if (id === undefined || !isBounded(id) || !sameHost(id, asker)) return
  if (object === undefined || instrument === undefined || !sameHost(instrument, asker)) return
  const known = await knownStatus(services, database, object)
  const quoted = known && (await database.one(findQuotable, { asker: author.id, status: known.id }))
  if (!quoted) return
  const quoting = quoted.allowed ? await quotingStatus(services, receiving) : undefined
  await inReceipt(services, async transaction => {
    const quote = quoting && (await transaction.one(accept, { status: quoting, quoted: quoted.id }))
    const owner = actorUri(config.publicUrl, quoted.account_id)
    const request = { id, type: 'QuoteRequest', actor: asker, object, instrument }
    const answer = quote
      ? { id: `${owner}#accepts/quote_requests/${quote.id}`, result: `${owner}/quote_authorizations/${quote.id}` }
      : { id: `${owner}#rejects/quote_requests/${randomUUID()}` }
    await sendActivity(transaction, {
      sender: quoted.account_id,
      object: instrument,
      activity: { ...answer, type: quote ? 'Accept' : 'Reject', actor: owner, to: asker, object: request },
      inboxes: author.inbox_url === '' ? [] : [author.inbox_url],
    })
  })
}
