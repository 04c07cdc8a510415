import { randomUUID } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, instanceActorUri, type JsonObject } from '../protocol/index.ts'
import { findParty } from './parties.ts'
import { sendActivity } from './send_activity.ts'

const findNumber = query('federation/send/follow_number', { follower: c.id, target: c.id }, { id: c.id })

export interface FollowAnswer {
  readonly kind: 'Accept' | 'Reject'
  /** The local account. */
  readonly account: Id
  /** The account of another server. */
  readonly follower: Id
  /** The activity as received, or its id. */
  readonly follow: JsonObject | string
}

/** Answers a request of another server's account to follow a local one, when `runner` commits. */
export async function answerFollow(
  runner: Runner,
  { config }: Pick<Services, 'config'>,
  { kind, account, follower, follow }: FollowAnswer,
): Promise<void> {
  const { publicUrl } = config
  const [target, asker] = [await findParty(runner, account, publicUrl), await findParty(runner, follower, publicUrl)]
  if (!target || !asker || asker.inbox === '') return
  const number = (await runner.one(findNumber, { follower, target: account }))?.id ?? randomUUID()
  const id = idOf(follow)
  const activity = {
    id: `${target.uri}#${kind === 'Accept' ? 'accepts' : 'rejects'}/follows/${number}`,
    type: kind,
    actor: target.uri,
    object: { ...(id !== undefined && { id }), type: 'Follow', actor: asker.uri, object: target.uri },
  }
  await sendActivity(runner, {
    sender: account,
    object: `${asker.uri} ${target.uri}`,
    activity,
    inboxes: [asker.inbox],
  })
}

/** Refuses a Follow of the server's own actor. */
export async function refuseServerFollow(
  { database, config }: Services,
  follower: Id,
  follow: JsonObject,
): Promise<void> {
  const asker = await findParty(database, follower, config.publicUrl)
  if (!asker || asker.inbox === '') return
  const actor = instanceActorUri(config.publicUrl)
  const id = idOf(follow)
  const activity = {
    id: `${actor}#rejects/follows/${randomUUID()}`,
    type: 'Reject',
    actor,
    object: { ...(id !== undefined && { id }), type: 'Follow', actor: asker.uri, object: actor },
  }
  await sendActivity(database, { sender: null, object: `${asker.uri} ${actor}`, activity, inboxes: [asker.inbox] })
}
