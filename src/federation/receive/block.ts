import { lockPair, storeBlock } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isStorableUri } from '../protocol/index.ts'
import { findLocalTarget } from './find_local_target.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { hasTombstone } from './tombstones.ts'

const setBlockUri = query('federation/receive/set_block_uri', { account: c.id, target: c.id, uri: c.text }, {})

/** Block: the actor blocks a local account. Follows end in both directions. */
export async function receiveBlock(services: Services, { activity, author }: IncomingActivity): Promise<void> {
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
