import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, instanceActorUri, type JsonObject } from '../protocol/index.ts'
import { findActorReference } from './actor_reference.ts'
import { sendActivity } from './send_activity.ts'

const findFollowId = query('federation/send/follow_id', { follower: c.id, target: c.id }, { id: c.id })

export interface FollowAnswer {
  readonly kind: 'Accept' | 'Reject'
  /** The local account. */
  readonly account: Id
  /** The account of another server. */
  readonly follower: Id
  /** The activity as received, or its id. */
  readonly follow: JsonObject | string
  /** Whether the account follows already: servers ignore an answer with an id that they know. */
  readonly isRepeated?: boolean
}

/** Sends the Accept or Reject of a remote account's Follow of a local one, if `runner` commits. */
export async function answerFollow(
  runner: Runner,
  { config }: Pick<Services, 'config'>,
  { kind, account, follower, follow, isRepeated = false }: FollowAnswer,
): Promise<void> {
  const { publicUrl } = config
  const [target, requester] = [
    await findActorReference(runner, account, publicUrl),
    await findActorReference(runner, follower, publicUrl),
  ]
  if (!target || !requester || requester.inbox === '') return
  const stored = isRepeated ? undefined : await runner.one(findFollowId, { follower, target: account })
  const followId = stored?.id ?? randomUUID()
  const id = idOf(follow)
  const activity = {
    id: `${target.uri}#${kind === 'Accept' ? 'accepts' : 'rejects'}/follows/${followId}`,
    type: kind,
    actor: target.uri,
    object: { ...(id !== undefined && { id }), type: 'Follow', actor: requester.uri, object: target.uri },
  }
  await sendActivity(runner, {
    sender: account,
    object: `${requester.uri} ${target.uri}`,
    activity,
    inboxes: [requester.inbox],
  })
}

/** Rejects a Follow of the instance actor. */
export async function rejectInstanceFollow(
  { database, config }: Services,
  follower: Id,
  follow: JsonObject,
): Promise<void> {
  const requester = await findActorReference(database, follower, config.publicUrl)
  if (!requester || requester.inbox === '') return
  const actor = instanceActorUri(config.publicUrl)
  const id = idOf(follow)
  const activity = {
    id: `${actor}#rejects/follows/${randomUUID()}`,
    type: 'Reject',
    actor,
    object: { ...(id !== undefined && { id }), type: 'Follow', actor: requester.uri, object: actor },
  }
  await sendActivity(database, {
    sender: null,
    object: `${requester.uri} ${actor}`,
    activity,
    inboxes: [requester.inbox],
  })
}
