import { endFollow, lockPair, unblock } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { removeStatus, unlike } from '../../statuses/index.ts'
import { idOf, isObject, sameHost, typesOf } from '../protocol/index.ts'
import { followedBy } from './follow.ts'
import { localTarget } from './local_target.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { knownStatus } from './references.ts'
import { storeTombstone } from './tombstones.ts'

const findNamed = query(
  'federation/receive/named',
  { account: c.id, uri: c.text },
  { kind: c.nullable(c.text), object: c.nullable(c.id) },
)
const revokeFollow = query(
  'federation/receive/revoke_follow',
  { follower: c.id, target: c.id },
  { revoked: c.boolean, events: c.events },
)
const findBoost = query('federation/receive/boost', { account: c.id, status: c.id }, { id: c.id })

/** The activity to undo, with its status or account. */
interface Done {
  readonly kind: 'Accept' | 'Announce' | 'Like' | 'Follow' | 'Block'
  readonly object: Id
}

const KINDS: Readonly<Record<string, Done['kind']>> = { like: 'Like', follow: 'Follow', block: 'Block' }

/** What an embedded activity did; undefined when that is unknown, or its actor is another one. */
async function embedded(services: Services, receiving: Receiving): Promise<Done | undefined> {
  const { activity, actorUri } = receiving
  const inner = activity['object']
  if (!isObject(inner) || (inner['actor'] !== undefined && idOf(inner['actor']) !== actorUri)) return undefined
  const types = typesOf(inner)
  if (types.includes('Accept')) {
    const follower = followedBy(services, { ...receiving, activity: inner })
    return follower === undefined ? undefined : { kind: 'Accept', object: follower }
  }
  for (const kind of ['Announce', 'Like'] as const) {
    if (!types.includes(kind)) continue
    const status = await knownStatus(services, services.database, idOf(inner['object']))
    return status && { kind, object: status.id }
  }
  for (const kind of ['Follow', 'Block'] as const) {
    if (!types.includes(kind)) continue
    const account = await localTarget(services, inner['object'])
    return account === undefined ? undefined : { kind, object: account }
  }
  return undefined
}

/** What the actor did under an id. */
async function named(services: Services, account: Id, uri: string): Promise<Done | undefined> {
  const boost = await knownStatus(services, services.database, uri)
  if (boost?.account_id === account && boost.reblog_of_id !== null)
    return { kind: 'Announce', object: boost.reblog_of_id }
  const found = await services.database.one(findNamed, { account, uri })
  const kind = KINDS[found?.kind ?? '']
  return kind && found?.object ? { kind, object: found.object } : undefined
}

/**
 * Undo: of an Announce, Like, Follow or Block, which is embedded or named by its id, or of an
 * embedded Accept, whose follow becomes a request again. It may come
 * before what it undoes, which is ignored then.
 */
export async function receiveUndo(services: Services, receiving: Receiving): Promise<void> {
  const { activity, author, actorUri } = receiving
  const uri = idOf(activity['object'])
  if (uri !== undefined && !sameHost(uri, actorUri)) return
  const done =
    (await embedded(services, receiving)) ?? (uri === undefined ? undefined : await named(services, author.id, uri))
  if (done?.kind === 'Like') await unlike(services)({ viewer: author.id, status: done.object })
  await inReceipt(services, async transaction => {
    await storeTombstone(transaction, uri)
    if (done?.kind === 'Announce') {
      const boost = await transaction.one(findBoost, { account: author.id, status: done.object })
      if (boost) await removeStatus(transaction, author.id, boost.id)
    } else if (done?.kind === 'Follow') {
      await lockPair(transaction, author.id, done.object)
      await endFollow(transaction, author.id, done.object)
    } else if (done?.kind === 'Accept') {
      await lockPair(transaction, author.id, done.object)
      await transaction.run(revokeFollow, { follower: done.object, target: author.id })
    } else if (done?.kind === 'Block') await unblock(transaction, author.id, done.object)
  })
}
