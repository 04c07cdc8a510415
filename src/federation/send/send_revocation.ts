import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { quoteAuthorization, type StatusReference } from '../documents/index.ts'
import { actorUri, PUBLIC } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findRevoked = query(
  'federation/send/revoked_quote',
  { quote: c.id },
  {
    account_id: c.id,
    quoting: c.nullable(c.json<StatusReference>()),
    quoted: c.nullable(c.json<StatusReference>()),
  },
)
const findInboxes = query('federation/send/revocation_inboxes', { quote: c.id }, { inbox: c.nullable(c.text) })

/** Sends other servers the Delete of a QuoteAuthorization that a local author revoked. */
export const sendRevocation = job(
  'federation.send_revocation',
  payload => ({ quote: idIn(payload, 'quote') }),
  async ({ quote }, { database, config }: Services) => {
    const found = await database.one(findRevoked, { quote })
    if (!found?.quoting || !found.quoted) return
    const { account_id: account, quoting, quoted } = found
    const object = quoteAuthorization(config.publicUrl, quote, quoting, quoted)
    const inboxes = (await database.run(findInboxes, { quote })).flatMap(({ inbox }) => inbox ?? [])
    const actor = actorUri(config.publicUrl, account)
    const activity = { id: `${object.id}#delete`, type: 'Delete', actor, to: [PUBLIC], object }
    await sendActivity(database, { sender: account, object: object.id, activity, inboxes })
  },
)
