import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, fragmentUri } from '../protocol/index.ts'
import { findActorReference } from './actor_reference.ts'
import { sendActivity } from './send_activity.ts'

const findFollows = query(
  'federation/send/local_follows',
  { target: c.id, after: c.id, limit: c.integer },
  { id: c.id, account_id: c.id, uri: c.nullable(c.text) },
)

const BATCH_SIZE = 500

/**
 * Sends all local accounts' Follows of a remote account again, with their ids: its keys or its
 * actor have changed, so its server may not know the follows.
 */
export const sendFollows = job(
  'federation.send_follows',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, { database, config: { publicUrl } }: Services) => {
    const target = await findActorReference(database, account, publicUrl)
    if (!target || target.inbox === '') return
    for (let after = '0'; ;) {
      const follows = await database.run(findFollows, { target: account, after, limit: BATCH_SIZE })
      for (const { id: number, account_id: follower, uri } of follows) {
        const actor = actorUri(publicUrl, follower)
        const id = uri ?? fragmentUri(publicUrl, follower, 'follows', number)
        const activity = { id, type: 'Follow', actor, object: target.uri }
        const object = `${actor} ${target.uri}`
        await sendActivity(database, { sender: follower, object, activity, inboxes: [target.inbox] })
      }
      const last = follows.at(-1)
      if (!last) return
      after = last.id
    }
  },
)
