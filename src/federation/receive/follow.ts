import { acceptFollow, lockPair, removeFollower } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, parseLocal, typesOf } from '../terms/index.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { localAccount } from './references.ts'

/**
 * The local account whose Follow of the actor an answer is about: the Follow is embedded, or named
 * by the id that it was sent with.
 */
export function followedBy(services: Services, { activity, actorUri }: Receiving): Id | undefined {
  const object = activity['object']
  const named = parseLocal(idOf(object) ?? '', services.config.publicUrl)
  if (named?.kind === 'numbered' && named.of === 'follows') return named.account
  if (!isObject(object) || !typesOf(object).includes('Follow')) return undefined
  return idOf(object['object']) === actorUri ? localAccount(services, idOf(object['actor'])) : undefined
}

/** Accept of a Follow: the request becomes a follow. */
export async function receiveAccept(services: Services, receiving: Receiving): Promise<void> {
  const follower = followedBy(services, receiving)
  if (follower === undefined) return
  await inReceipt(services, async transaction => {
    await lockPair(transaction, receiving.actor, follower)
    await acceptFollow(transaction, receiving.actor, follower)
  })
}

/** Reject of a Follow: the request is refused, or the follow ends. */
export async function receiveReject(services: Services, receiving: Receiving): Promise<void> {
  const follower = followedBy(services, receiving)
  if (follower === undefined) return
  await inReceipt(services, async transaction => {
    await lockPair(transaction, receiving.actor, follower)
    await removeFollower(transaction, receiving.actor, follower)
  })
}
