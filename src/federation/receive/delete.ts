import type { Services } from '../../platform/services.ts'
import { removeActor } from '../remote_accounts/index.ts'
import { idOf, sameHost, isStorableUri } from '../protocol/index.ts'
import type { IncomingActivity } from './incoming_activity.ts'
import { storeDeletedActor } from './tombstones.ts'
import { receiveDeletion } from './batched_writes.ts'

/**
 * Delete: the actor deletes itself, one of its statuses, boosts or collections, or an authorization
 * to quote it or to feature it. It may arrive before the activity that creates the object.
 */
export async function receiveDelete(
  services: Services,
  { activity, author, actorUri }: IncomingActivity,
): Promise<void> {
  const uri = idOf(activity['object'])
  if (uri === undefined || !sameHost(uri, actorUri)) return
  if (uri === actorUri) {
    // What was sent before, and arrives later, does not bring the account back.
    await storeDeletedActor(services.database, uri)
    return removeActor(services, author.id)
  }
  if (!isStorableUri(uri)) return
  await receiveDeletion(services)({ author: author.id, uri })
}
