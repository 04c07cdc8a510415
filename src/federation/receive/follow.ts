import { acceptFollow, lockPair, removeFollower } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { storeRelayAnswer } from '../relays/index.ts'
import { answerFollow, rejectInstanceFollow } from '../send/index.ts'
import { idOf, isObject, parseLocalUri, typesOf, isStorableUri } from '../protocol/index.ts'
import { receiveFeatureAccept, receiveFeatureReject } from './feature_answers.ts'
import { findLocalTarget } from './find_local_target.ts'
import { receiveQuoteAccept, receiveQuoteReject } from './quote_answers.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { parseLocalAccount } from './find_by_uri.ts'
import { hasTombstone } from './tombstones.ts'

const follow = query(
  'federation/receive/follow',
  { follower: c.id, target: c.id, uri: c.nullable(c.text) },
  { outcome: c.text, repeated: c.boolean, events: c.events },
)

/**
 * Follow: the actor follows a local account. The Follow is accepted or rejected at once, unless the
 * account approves its followers itself. A repeated Follow is accepted again, with its new id. A
 * Follow of the instance actor is rejected.
 */
export async function receiveFollow(services: Services, { activity, author }: IncomingActivity): Promise<void> {
  const uri = idOf(activity)
  if (uri !== undefined && !isStorableUri(uri)) return
  if (parseLocalUri(idOf(activity['object']) ?? '', services.config.publicUrl)?.kind === 'instance')
    return rejectInstanceFollow(services, author.id, activity)
  const target = await findLocalTarget(services, activity['object'])
  if (target === undefined) return
  await receivingTransaction(services, async transaction => {
    await lockPair(transaction, author.id, target)
    if (await hasTombstone(transaction, author.id, [uri])) return
    const row = await transaction.one(follow, { follower: author.id, target, uri: uri ?? null })
    if (!row || row.outcome === 'requested') return
    const kind = row.outcome === 'refused' ? 'Reject' : 'Accept'
    await answerFollow(transaction, services, {
      kind,
      account: target,
      follower: author.id,
      follow: activity,
      isRepeated: row.repeated,
    })
  })
}

/**
 * The local account whose Follow of the actor an activity answers: the Follow is embedded, or named
 * by its id.
 */
export function parseAnsweredFollower(services: Services, { activity, actorUri }: IncomingActivity): Id | undefined {
  const object = activity['object']
  const named = parseLocalUri(idOf(object) ?? '', services.config.publicUrl)
  if (named?.kind === 'fragment' && named.fragment === 'follows') return named.account
  if (!isObject(object) || !typesOf(object).includes('Follow')) return undefined
  return idOf(object['object']) === actorUri ? parseLocalAccount(services, idOf(object['actor'])) : undefined
}

/** Stores an answer to the Follow of a relay; false when it answers another activity. */
async function receiveRelayAnswer(
  services: Services,
  { activity, actorUri }: IncomingActivity,
  state: 'accepted' | 'rejected',
): Promise<boolean> {
  const followUri = idOf(activity['object'])
  return followUri !== undefined && storeRelayAnswer(services, followUri, actorUri, state)
}

/**
 * Accept: the actor accepts a Follow, so that the request becomes a follow, a QuoteRequest or a
 * FeatureRequest.
 */
export async function receiveAccept(services: Services, incoming: IncomingActivity): Promise<void> {
  if (await receiveQuoteAccept(services, incoming)) return
  if (await receiveFeatureAccept(services, incoming)) return
  if (await receiveRelayAnswer(services, incoming, 'accepted')) return
  const follower = parseAnsweredFollower(services, incoming)
  if (follower === undefined) return
  await receivingTransaction(services, async transaction => {
    await lockPair(transaction, incoming.actor, follower)
    await acceptFollow(transaction, incoming.actor, follower)
  })
}

/**
 * Reject: the actor rejects a Follow, so that the request is removed or the follow ends, a
 * QuoteRequest or a FeatureRequest.
 */
export async function receiveReject(services: Services, incoming: IncomingActivity): Promise<void> {
  if (await receiveQuoteReject(services, incoming)) return
  if (await receiveFeatureReject(services, incoming)) return
  if (await receiveRelayAnswer(services, incoming, 'rejected')) return
  const follower = parseAnsweredFollower(services, incoming)
  if (follower === undefined) return
  await receivingTransaction(services, async transaction => {
    await lockPair(transaction, incoming.actor, follower)
    await removeFollower(transaction, incoming.actor, follower)
  })
}
