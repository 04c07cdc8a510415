import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { addressesOf, findNotes, noteObject, serverUrls } from '../documents/index.ts'
import { actorUri, formatDateTime, noteUri } from '../protocol/index.ts'
import { findSentStatus } from './sent_status.ts'
import { sendActivity } from './send_activity.ts'

const findInboxes = query('federation/send/poll_inboxes', { status: c.id }, { inbox: c.text })

/** Sends other servers an Update with the current tallies of a local poll. */
export const sendPoll = job(
  'federation.send_poll',
  payload => ({ status: idIn(payload, 'status') }),
  async ({ status }, services: Services) => {
    const { database, config } = services
    const sent = await database.one(findSentStatus, { status })
    if (!sent || sent.deleted) return
    const [row] = await findNotes(services, { account: sent.account_id, host: null }, [status])
    if (!row?.poll || row.poll.hidden) return
    const inboxes = (await database.run(findInboxes, { status })).map(({ inbox }) => inbox)
    const note = noteUri(config.publicUrl, row.account_id, status)
    const now = new Date()
    const activity = {
      id: `${note}#updates/${Math.floor(now.getTime() / 1000)}`,
      type: 'Update',
      actor: actorUri(config.publicUrl, row.account_id),
      published: formatDateTime(now),
      to: addressesOf(row, row.mentions ?? [], [], config.publicUrl).to,
      object: noteObject(row, serverUrls(services)),
    }
    await sendActivity(database, { sender: row.account_id, object: note, activity, inboxes })
  },
)
