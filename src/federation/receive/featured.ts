import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { unfeatureTag, storeFeatured } from '../../timelines/tags/index.ts'
import { idOf, sameHost } from '../protocol/index.ts'
import { hashtagsIn } from './note_parts.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { receiveAddItem } from './collection_members.ts'
import { receiveRemoveItem } from './remote_collections.ts'
import { resolveStatus } from './resolve_status.ts'

const PIN = { account: c.id, status: c.id } as const
const pin = query('federation/receive/pin', PIN, { events: c.events })
const unpin = query('federation/receive/unpin', PIN, { events: c.events })

/** The maximum number of featured hashtags that are stored for a remote account. */
const MAX_TAGS = 20

const isOwnProfile = ({ activity, author }: IncomingActivity): boolean =>
  author.featured_url !== '' && idOf(activity['target']) === author.featured_url

/** The URI of the status that is pinned or unpinned. */
function pinnedUri({ activity, actorUri }: IncomingActivity): string | undefined {
  const uri = idOf(activity['object'])
  return uri !== undefined && sameHost(uri, actorUri) ? uri : undefined
}

/** The hashtag that is featured or no longer featured. */
const tagIn = ({ activity }: IncomingActivity): string | undefined =>
  [...hashtagsIn({ tag: activity['object'] }).values()][0]

/**
 * Add: the actor pins a status, which is fetched if it is unknown, features a hashtag, or adds an
 * account to a collection.
 */
export async function receiveAdd(services: Services, incoming: IncomingActivity): Promise<void> {
  if (!isOwnProfile(incoming)) return receiveAddItem(services, incoming)
  const { actor } = incoming
  const tag = tagIn(incoming)
  if (tag !== undefined)
    return receivingTransaction(
      services,
      async transaction => void (await storeFeatured(transaction, actor, tag, MAX_TAGS)),
    )
  const uri = pinnedUri(incoming)
  const status = uri === undefined ? undefined : await resolveStatus(services, uri)
  if (status?.account_id !== actor) return
  await receivingTransaction(services, transaction => transaction.run(pin, { account: actor, status: status.id }))
}

/**
 * Remove: the actor unpins a status, no longer features a hashtag, or removes an account from a
 * collection.
 */
export async function receiveRemove(services: Services, incoming: IncomingActivity): Promise<void> {
  if (!isOwnProfile(incoming)) return receiveRemoveItem(services, incoming)
  const { actor } = incoming
  const tag = tagIn(incoming)
  if (tag !== undefined) return receivingTransaction(services, transaction => unfeatureTag(transaction, actor, tag))
  const status = await findStatusByUri(services, services.database, pinnedUri(incoming))
  if (status)
    await receivingTransaction(services, transaction => transaction.run(unpin, { account: actor, status: status.id }))
}
