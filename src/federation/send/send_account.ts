import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorObject, findActor } from '../documents/index.ts'
import { actorUri, PUBLIC } from '../protocol/index.ts'
import { findAccountInboxes } from './account_inboxes.ts'
import { sendActivity, sendLowPriority } from './send_activity.ts'

/** The Delete of a local account. */
export const deleteActivity = (actor: string): object => ({
  id: `${actor}#delete`,
  type: 'Delete',
  actor,
  to: [PUBLIC],
  object: actor,
})

/** Sends the Update or the Delete of a local account to other servers. */
export const sendAccount = job(
  'federation.send_account',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, services: Services) => {
    const { database, config } = services
    const row = await findActor(services, account)
    if (!row || row.state === 'going') return
    const isDeleted = row.state === 'deleted'
    const found = await database.run(findAccountInboxes, { account, everybody: isDeleted })
    if (found.length === 0) return
    const actor = actorUri(config.publicUrl, account)
    const activity = isDeleted
      ? deleteActivity(actor)
      : {
          id: `${actor}#updates/${Math.floor(Date.now() / 1000)}`,
          type: 'Update',
          actor,
          to: [PUBLIC],
          object: await actorObject(services, row),
        }
    const send = isDeleted ? sendLowPriority : sendActivity
    await send(database, { sender: account, object: actor, activity, inboxes: found.map(({ inbox }) => inbox) })
  },
)
