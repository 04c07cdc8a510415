import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fragmentUri } from '../protocol/index.ts'
import { answerFollow } from './answer_follow.ts'
import { findActorReference, type ActorReference } from './actor_reference.ts'
import { sendActivity } from './send_activity.ts'

const setFollowRequestUri = query('federation/send/set_follow_request_uri', { id: c.id, uri: c.text }, {})

/** The payload that federate_relations.sql enqueues: a row that was inserted or deleted. */
interface Relation {
  readonly table: string
  readonly ended: boolean
  readonly id: Id
  readonly account: Id
  readonly target: Id
  /** The URI of a remote account's Follow; that of a local account's once it was sent. */
  readonly uri: string | undefined
  /** Whether the account follows the target now. */
  readonly accepted: boolean
}

function parse(payload: unknown): Relation {
  const [table, uri] = [memberOf(payload, 'table'), memberOf(payload, 'uri')]
  if (typeof table !== 'string') throw new Error('the payload has no table')
  return {
    table,
    ended: memberOf(payload, 'ended') === true,
    id: idIn(payload, 'id'),
    account: idIn(payload, 'account'),
    target: idIn(payload, 'target'),
    uri: typeof uri === 'string' ? uri : undefined,
    accepted: memberOf(payload, 'accepted') === true,
  }
}

/** The activity for a changed relation of a local account; undefined when none has to be sent. */
function activityOf(
  relation: Relation,
  account: ActorReference,
  target: ActorReference,
  publicUrl: string,
): object | undefined {
  const isBlock = relation.table === 'blocks'
  const kind = isBlock ? 'blocks' : 'follows'
  const id = relation.uri ?? fragmentUri(publicUrl, account.id, kind, relation.id)
  const original = { id, type: isBlock ? 'Block' : 'Follow', actor: account.uri, object: target.uri }
  if (!relation.ended) return original
  // The request was accepted and became a follow.
  if (relation.table === 'follow_requests' && relation.accepted) return undefined
  return { id: `${id}/undo`, type: 'Undo', actor: account.uri, object: original }
}

async function sendChange(services: Services, relation: Relation): Promise<void> {
  const { database, config } = services
  const { publicUrl } = config
  const [account, target] = [
    await findActorReference(database, relation.account, publicUrl),
    await findActorReference(database, relation.target, publicUrl),
  ]
  if (!account || !target || account.local === target.local) return
  if (!account.local) {
    const kind = relation.table === 'follow_requests' && relation.accepted ? 'Accept' : 'Reject'
    const follow = relation.uri ?? {}
    return answerFollow(database, services, { kind, account: target.id, follower: account.id, follow })
  }
  const activity = activityOf(relation, account, target, publicUrl)
  if (!activity || target.inbox === '') return
  const object = `${account.uri} ${target.uri}`
  await database.transaction(async transaction => {
    if (relation.table === 'follow_requests' && !relation.ended) {
      const uri = fragmentUri(publicUrl, account.id, 'follows', relation.id)
      await transaction.run(setFollowRequestUri, { id: relation.id, uri })
    }
    await sendActivity(transaction, { sender: account.id, object, activity, inboxes: [target.inbox] })
  })
}

/**
 * Sends the activity for a changed follow, request or block between a local and a remote account.
 */
export const sendRelation = job('federation.send_relation', parse, (relation, services: Services) =>
  sendChange(services, relation),
)
