import { endFollow, lockPair, unblock } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeFavourite, removeStatus } from '../../statuses/index.ts'
import { idOf, isObject, sameHost, typesOf } from '../protocol/index.ts'
import { isBan } from './block.ts'
import { parseAnsweredFollower } from './follow.ts'
import { findLocalTarget } from './find_local_target.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { storeTombstone } from './tombstones.ts'

const findActivity = query(
  'federation/receive/activity_by_uri',
  { account: c.id, uri: c.text },
  { kind: c.nullable(c.text), object: c.nullable(c.id) },
)
const revokeFollow = query(
  'federation/receive/revoke_follow',
  { follower: c.id, target: c.id },
  { revoked: c.boolean, events: c.events },
)
const findBoost = query('federation/receive/boost', { account: c.id, status: c.id }, { id: c.id })

/** An undone activity, with its status or account. */
interface UndoneActivity {
  readonly kind: 'Accept' | 'Announce' | 'Like' | 'Follow' | 'Block'
  readonly object: Id
}

const KINDS: Readonly<Record<string, UndoneActivity['kind']>> = { like: 'Like', follow: 'Follow', block: 'Block' }

/** The undone activity that is embedded; undefined when it is unknown or of another actor. */
async function parseEmbedded(services: Services, incoming: IncomingActivity): Promise<UndoneActivity | undefined> {
  const { activity, actorUri } = incoming
  const embedded = activity['object']
  if (!isObject(embedded) || (embedded['actor'] !== undefined && idOf(embedded['actor']) !== actorUri)) return undefined
  const types = typesOf(embedded)
  if (types.includes('Accept')) {
    const follower = parseAnsweredFollower(services, { ...incoming, activity: embedded })
    return follower === undefined ? undefined : { kind: 'Accept', object: follower }
  }
  for (const kind of ['Announce', 'Like'] as const) {
    if (!types.includes(kind)) continue
    const status = await findStatusByUri(services, services.database, idOf(embedded['object']))
    return status && { kind, object: status.id }
  }
  for (const kind of ['Follow', 'Block'] as const) {
    if (!types.includes(kind) || (kind === 'Block' && isBan(embedded))) continue
    const account = await findLocalTarget(services, embedded['object'])
    return account === undefined ? undefined : { kind, object: account }
  }
  return undefined
}

/** The stored activity of an actor with this URI. */
async function findByUri(services: Services, account: Id, uri: string): Promise<UndoneActivity | undefined> {
  const boost = await findStatusByUri(services, services.database, uri)
  if (boost?.account_id === account && boost.reblog_of_id !== null)
    return { kind: 'Announce', object: boost.reblog_of_id }
  const found = await services.database.one(findActivity, { account, uri })
  const kind = KINDS[found?.kind ?? '']
  return kind && found?.object ? { kind, object: found.object } : undefined
}

/**
 * Undo: the actor undoes an Announce, Like, Follow or Block, which is embedded or named by its id,
 * or an embedded Accept, whose follow becomes a request again. It may arrive before the activity,
 * which is then ignored. Some servers reuse the ids of Follow and Block: they are ignored only when
 * there was nothing to undo.
 */
export async function receiveUndo(services: Services, incoming: IncomingActivity): Promise<void> {
  const { activity, author, actorUri } = incoming
  const uri = idOf(activity['object'])
  if (uri !== undefined && !sameHost(uri, actorUri)) return
  const undone =
    (await parseEmbedded(services, incoming)) ??
    (uri === undefined ? undefined : await findByUri(services, author.id, uri))
  if (undone?.kind === 'Like') await removeFavourite(services)({ viewer: author.id, status: undone.object })
  await receivingTransaction(services, async transaction => {
    if (undone?.kind === 'Follow' || undone?.kind === 'Block') {
      const end = undone.kind === 'Follow' ? endFollow : unblock
      await lockPair(transaction, author.id, undone.object)
      if (!(await end(transaction, author.id, undone.object))) await storeTombstone(transaction, author.id, uri)
      return
    }
    await storeTombstone(transaction, author.id, uri)
    if (undone?.kind === 'Announce') {
      const boost = await transaction.one(findBoost, { account: author.id, status: undone.object })
      if (boost) await removeStatus(transaction, author.id, boost.id)
    } else if (undone?.kind === 'Accept') {
      await lockPair(transaction, author.id, undone.object)
      await transaction.run(revokeFollow, { follower: undone.object, target: author.id })
    }
  })
}
