import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { like } from '../../statuses/index.ts'
import { idOf } from '../terms/index.ts'
import type { Receiving } from './receiving.ts'
import { isBounded, knownStatus } from './references.ts'
import { hasTombstone } from './tombstones.ts'

const nameFavourite = query('federation/receive/name_favourite', { account: c.id, status: c.id, uri: c.text }, {})

/** Like: of a local status. */
export async function receiveLike(services: Services, { activity, author }: Receiving): Promise<void> {
  const { database } = services
  const uri = idOf(activity)
  const status = await knownStatus(services, database, idOf(activity['object']))
  if (!status?.local || (await hasTombstone(database, [uri]))) return
  const liked = await like(services)({ viewer: author.id, status: status.id })
  if (!liked || liked.blocked || uri === undefined || !isBounded(uri)) return
  await database.run(nameFavourite, { account: author.id, status: liked.id, uri })
}
