import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { featureAuthorization } from '../documents/index.ts'
import { actorUri, PUBLIC } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const find = query(
  'federation/send/left_collection',
  { item: c.id },
  { account_id: c.id, collection: c.nullable(c.text), inbox_url: c.text },
)

/**
 * Informs a remote curator that a local account has left a collection.
 */
export const sendLeftCollection = job(
  'federation.send_left_collection',
  payload => ({ item: idIn(payload, 'item') }),
  async ({ item }, { database, config: { publicUrl } }: Services) => {
    const found = await database.one(find, { item })
    if (!found || found.collection === null) return
    const { account_id: account, collection, inbox_url: inbox } = found
    const object = featureAuthorization(publicUrl, account, item, collection)
    const actor = actorUri(publicUrl, account)
    const activity = { id: `${object.id}#delete`, type: 'Delete', actor, to: [PUBLIC], object }
    await sendActivity(database, { sender: account, object: collection, activity, inboxes: [inbox] })
  },
)
