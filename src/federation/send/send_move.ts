import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fragmentUri } from '../protocol/index.ts'
import { findActorReference } from './actor_reference.ts'
import { sendActivity } from './send_activity.ts'

const findMove = query('federation/send/move', { migration: c.id }, { account_id: c.id, target_account_id: c.id })
const findInboxes = query('federation/send/move_inboxes', { account: c.id }, { inbox: c.text })

/**
 * Sends the Move of a local account to the servers of its followers and of accounts that block it.
 */
export const sendMove = job(
  'federation.send_move',
  payload => ({ migration: idIn(payload, 'migration') }),
  async ({ migration }, { database, config: { publicUrl } }: Services) => {
    const found = await database.one(findMove, { migration })
    if (!found) return
    const { account_id: account } = found
    const target = await findActorReference(database, found.target_account_id, publicUrl)
    const own = await findActorReference(database, account, publicUrl)
    if (!target || !own) return
    const inboxes = (await database.run(findInboxes, { account })).map(({ inbox }) => inbox)
    const activity = {
      id: fragmentUri(publicUrl, account, 'moves', migration),
      type: 'Move',
      actor: own.uri,
      object: own.uri,
      target: target.uri,
    }
    await sendActivity(database, { sender: account, object: own.uri, activity, inboxes })
  },
)
