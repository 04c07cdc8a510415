import { lockPair, storeBlock } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isStorableUri, listOf, type JsonObject } from '../protocol/index.ts'
import { findLocalTarget } from './find_local_target.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { hasTombstone } from './tombstones.ts'

const setBlockUri = query('federation/receive/set_block_uri', { account: c.id, target: c.id, uri: c.text }, {})

/**
 * Whether a Block bans an account from something, as a moderator of a community does in Lemmy and
 * Mbin: its `target` is a community or a server. That is no block by the person who sends it.
 */
export function isBan(block: JsonObject): boolean {
  const parties = [idOf(block['actor']), idOf(block['object'])]
  return listOf(block['target']).some(target => !parties.includes(idOf(target)))
}

/**
 * Block: the actor blocks a local account. Follows end in both directions. A ban changes nothing.
 */
export async function receiveBlock(services: Services, { activity, author }: IncomingActivity): Promise<void> {
  if (isBan(activity)) return
  const target = await findLocalTarget(services, activity['object'])
  const uri = idOf(activity)
  if (target === undefined) return
  await receivingTransaction(services, async transaction => {
    await lockPair(transaction, author.id, target)
    if (await hasTombstone(transaction, author.id, [uri])) return
    await storeBlock(transaction, author.id, target)
    if (uri !== undefined && isStorableUri(uri)) await transaction.run(setBlockUri, { account: author.id, target, uri })
  })
}
