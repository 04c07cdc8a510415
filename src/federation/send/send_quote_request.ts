import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { findNotes, noteObject, serverUrls } from '../documents/index.ts'
import { actorUri, noteUri, fragmentUri } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findRequested = query(
  'federation/send/quote_request',
  { quote: c.id },
  { status_id: c.id, account_id: c.id, uri: c.nullable(c.text), author: c.text, inbox_url: c.text },
)

/** Sends the author of a remote status the QuoteRequest of a local one (FEP-044f). */
export const sendQuoteRequest = job(
  'federation.send_quote_request',
  payload => ({ quote: idIn(payload, 'quote') }),
  async ({ quote }, services: Services) => {
    const { database, config } = services
    const found = await database.one(findRequested, { quote })
    if (!found || found.uri === null) return
    const { account_id: account, status_id: status } = found
    const [row] = await findNotes(services, { account, host: null }, [status])
    if (!row) return
    const activity = {
      id: fragmentUri(config.publicUrl, account, 'quote_requests', quote),
      type: 'QuoteRequest',
      actor: actorUri(config.publicUrl, account),
      to: found.author,
      object: found.uri,
      instrument: noteObject(row, serverUrls(services)),
    }
    const object = noteUri(config.publicUrl, account, status)
    await sendActivity(database, { sender: account, object, activity, inboxes: [found.inbox_url] })
  },
)
