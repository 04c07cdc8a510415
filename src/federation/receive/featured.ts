import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { unfeatureTag, storeFeatured } from '../../timelines/tags/index.ts'
import { idOf, sameHost } from '../protocol/index.ts'
import { hashtagsIn } from './note_parts.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { knownStatus } from './references.ts'
import { receiveRemoveItem } from './remote_collections.ts'
import { resolveStatus } from './take_note.ts'

const PIN = { account: c.id, status: c.id } as const
const pin = query('federation/receive/pin', PIN, { events: c.events })
const unpin = query('federation/receive/unpin', PIN, { events: c.events })

/** The most featured hashtags that are stored for a remote account. */
const MAX_TAGS = 20

const isOwnProfile = ({ activity, author }: Receiving): boolean =>
  author.featured_url !== '' && idOf(activity['target']) === author.featured_url

/** The status that is pinned or unpinned. */
function pinnedUri({ activity, actorUri }: Receiving): string | undefined {
  const uri = idOf(activity['object'])
  return uri !== undefined && sameHost(uri, actorUri) ? uri : undefined
}

/** The hashtag that is featured or no longer featured. */
const tagIn = ({ activity }: Receiving): string | undefined => [...hashtagsIn({ tag: activity['object'] }).values()][0]

/** Add: the actor pins a status, which is fetched if it is unknown, or features a hashtag. */
export async function receiveAdd(services: Services, receiving: Receiving): Promise<void> {
  if (!isOwnProfile(receiving)) return
  const { actor } = receiving
  const tag = tagIn(receiving)
  if (tag !== undefined)
    return inReceipt(services, async transaction => void (await storeFeatured(transaction, actor, tag, MAX_TAGS)))
  const uri = pinnedUri(receiving)
  const status = uri === undefined ? undefined : await resolveStatus(services, uri)
  if (status?.account_id !== actor) return
  await inReceipt(services, transaction => transaction.run(pin, { account: actor, status: status.id }))
}

/**
 * Remove: the actor unpins a status, no longer features a hashtag, or removes an account from a
 * collection.
 */
export async function receiveRemove(services: Services, receiving: Receiving): Promise<void> {
  if (!isOwnProfile(receiving)) return receiveRemoveItem(services, receiving)
  const { actor } = receiving
  const tag = tagIn(receiving)
  if (tag !== undefined) return inReceipt(services, transaction => unfeatureTag(transaction, actor, tag))
  const status = await knownStatus(services, services.database, pinnedUri(receiving))
  if (status) await inReceipt(services, transaction => transaction.run(unpin, { account: actor, status: status.id }))
}
