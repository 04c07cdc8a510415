import { accountFragments } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { findVisible } from '../../statuses/index.ts'

/** A local status that may be embedded. */
export interface Embeddable {
  readonly id: Id
  /** The id of its author. */
  readonly accountId: Id
  readonly username: string
  /** The URL of its page. */
  readonly url: string
}

/**
 * @throws ApiError routeNotFound (`Not Found`) unless the status is local, public or unlisted, and
 * not a boost
 */
export async function findEmbeddable(services: Services, id: Id): Promise<Embeddable> {
  const found = await findVisible(services, null, id)
  const author = found && (await accountFragments(services).one(found.account_id))
  if (!found || found.reblog_of_id !== null || !author || author.domain !== null) throw new ApiError('routeNotFound')
  const { username } = author
  return { id, accountId: author.id, username, url: `${services.config.publicUrl}/@${username}/${id}` }
}
