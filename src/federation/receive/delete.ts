import type { Services } from '../../platform/services.ts'
import { removeActor } from '../remote_accounts/index.ts'
import { idOf, sameHost } from '../protocol/index.ts'
import type { Receiving } from './receiving.ts'
import { isBounded } from './references.ts'
import { receiveDeletion } from './store_together.ts'

/**
 * Delete: of the actor itself, of one of its statuses, boosts or collections, or of its permission
 * to quote or to be in a collection. It may come before what it deletes.
 */
export async function receiveDelete(services: Services, { activity, author, actorUri }: Receiving): Promise<void> {
  const uri = idOf(activity['object'])
  if (uri === undefined || !sameHost(uri, actorUri)) return
  if (uri === actorUri) return removeActor(services, author.id)
  if (!isBounded(uri)) return
  await receiveDeletion(services)({ author: author.id, uri })
}
