import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, collectionUri, fragmentUri } from '../protocol/index.ts'
import { sendActivity } from './send_activity.ts'

const findAsked = query(
  'federation/send/feature_request',
  { item: c.id },
  { curator: c.id, collection: c.id, uri: c.text, inbox_url: c.text },
)

/** Sends a remote account the FeatureRequest of a local collection (FEP-7aa9). */
export const sendFeatureRequest = job(
  'federation.send_feature_request',
  payload => ({ item: idIn(payload, 'item') }),
  async ({ item }, { database, config: { publicUrl } }: Services) => {
    const found = await database.one(findAsked, { item })
    if (!found) return
    const { curator, uri, inbox_url: inbox } = found
    const collection = collectionUri(publicUrl, curator, found.collection)
    const activity = {
      id: fragmentUri(publicUrl, curator, 'feature_requests', item),
      type: 'FeatureRequest',
      actor: actorUri(publicUrl, curator),
      to: uri,
      object: uri,
      instrument: collection,
    }
    await sendActivity(database, { sender: curator, object: collection, activity, inboxes: [inbox] })
  },
)
