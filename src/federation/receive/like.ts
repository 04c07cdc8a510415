import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { addFavourite } from '../../statuses/index.ts'
import { idOf, isStorableUri } from '../protocol/index.ts'
import type { IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { hasTombstone } from './tombstones.ts'

const setFavouriteUri = query('federation/receive/set_favourite_uri', { account: c.id, status: c.id, uri: c.text }, {})

/** Like: the actor likes a local status. */
export async function receiveLike(
  services: Services,
  { activity, author, prefetched }: IncomingActivity,
): Promise<void> {
  const { database } = services
  const uri = idOf(activity)
  const status = await findStatusByUri(services, database, idOf(activity['object']), prefetched?.statuses)
  if (!status?.local || (await hasTombstone(database, author.id, [uri], prefetched?.gone))) return
  const storableUri = uri !== undefined && isStorableUri(uri) ? uri : undefined
  const liked = await addFavourite(services)({ viewer: author.id, status: status.id, uri: storableUri })
  if (!liked || liked.blocked || liked.named || storableUri === undefined) return
  // The status was liked before, perhaps under another URI.
  await database.run(setFavouriteUri, { account: author.id, status: liked.id, uri: storableUri })
}
