import { acceptFollow, lockPair, removeFollower } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { storeRelayAnswer } from '../relays/index.ts'
import { answerFollow, refuseServerFollow } from '../send/index.ts'
import { idOf, isObject, parseLocalUri, typesOf } from '../protocol/index.ts'
import { acceptedFeature, rejectedFeature } from './feature_answers.ts'
import { localTarget } from './local_target.ts'
import { acceptedQuote, rejectedQuote } from './quote_answers.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded, localAccount } from './references.ts'
import { hasTombstone } from './tombstones.ts'

const follow = query(
  'federation/receive/follow',
  { follower: c.id, target: c.id, uri: c.nullable(c.text) },
  { outcome: c.text, events: c.events },
)

/**
 * Follow: of a local account. It is accepted, or refused, at once, unless the account decides on
 * its requests itself; one that is repeated is accepted again, under its new id. Nobody follows the
 * server's own actor.
 */
export async function receiveFollow(services: Services, { activity, author }: Receiving): Promise<void> {
  const uri = idOf(activity)
  if (uri !== undefined && !isBounded(uri)) return
  if (parseLocalUri(idOf(activity['object']) ?? '', services.config.publicUrl)?.kind === 'instance')
    return refuseServerFollow(services, author.id, activity)
  const target = await localTarget(services, activity['object'])
  if (target === undefined) return
  await inReceipt(services, async transaction => {
    if (await hasTombstone(transaction, [uri])) return
    await lockPair(transaction, author.id, target)
    const row = await transaction.one(follow, { follower: author.id, target, uri: uri ?? null })
    if (!row || row.outcome === 'requested') return
    const kind = row.outcome === 'refused' ? 'Reject' : 'Accept'
    await answerFollow(transaction, services, { kind, account: target, follower: author.id, follow: activity })
  })
}

/**
 * The local account whose Follow of the actor an answer is about: the Follow is embedded, or named
 * by the id that it was sent with.
 */
export function followedBy(services: Services, { activity, actorUri }: Receiving): Id | undefined {
  const object = activity['object']
  const named = parseLocalUri(idOf(object) ?? '', services.config.publicUrl)
  if (named?.kind === 'fragment' && named.fragment === 'follows') return named.account
  if (!isObject(object) || !typesOf(object).includes('Follow')) return undefined
  return idOf(object['object']) === actorUri ? localAccount(services, idOf(object['actor'])) : undefined
}

/** Whether an answer is that of a relay that this server follows. */
async function isOfRelay(
  services: Services,
  { activity, actorUri }: Receiving,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const followed = idOf(activity['object'])
  return followed !== undefined && storeRelayAnswer(services, followed, actorUri, state)
}

/**
 * Accept: of a Follow, so that the request becomes a follow, or of a request to quote or to put the
 * actor into a collection.
 */
export async function receiveAccept(services: Services, receiving: Receiving): Promise<void> {
  if (await acceptedQuote(services, receiving)) return
  if (await acceptedFeature(services, receiving)) return
  if (await isOfRelay(services, receiving, 'accepted')) return
  const follower = followedBy(services, receiving)
  if (follower === undefined) return
  await inReceipt(services, async transaction => {
    await lockPair(transaction, receiving.actor, follower)
    await acceptFollow(transaction, receiving.actor, follower)
  })
}

/**
 * Reject: of a Follow, so that the request is refused or the follow ends, or of a request to quote
 * or to put the actor into a collection.
 */
export async function receiveReject(services: Services, receiving: Receiving): Promise<void> {
  if (await rejectedQuote(services, receiving)) return
  if (await rejectedFeature(services, receiving)) return
  if (await isOfRelay(services, receiving, 'rejected')) return
  const follower = followedBy(services, receiving)
  if (follower === undefined) return
  await inReceipt(services, async transaction => {
    await lockPair(transaction, receiving.actor, follower)
    await removeFollower(transaction, receiving.actor, follower)
  })
}
