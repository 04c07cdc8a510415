import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { like } from '../../statuses/index.ts'
import { idOf } from '../protocol/index.ts'
import type { Receiving } from './receiving.ts'
import { isBounded, knownStatus } from './references.ts'
import { hasTombstone } from './tombstones.ts'

const nameFavourite = query('federation/receive/name_favourite', { account: c.id, status: c.id, uri: c.text }, {})

/** Like: of a local status. */
export async function receiveLike(services: Services, { activity, author, prefetched }: Receiving): Promise<void> {
  const { database } = services
  const uri = idOf(activity)
  const status = await knownStatus(services, database, idOf(activity['object']), prefetched?.statuses)
  if (!status?.local || (await hasTombstone(database, [uri], prefetched?.gone))) return
  const name = uri !== undefined && isBounded(uri) ? uri : undefined
  const liked = await like(services)({ viewer: author.id, status: status.id, uri: name })
  if (!liked || liked.blocked || liked.named || name === undefined) return
  // It was liked before, maybe under another URI.
  await database.run(nameFavourite, { account: author.id, status: liked.id, uri: name })
}
