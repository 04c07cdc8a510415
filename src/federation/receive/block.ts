import { lockPair, storeBlock } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf } from '../protocol/index.ts'
import { localTarget } from './local_target.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded } from './references.ts'
import { hasTombstone } from './tombstones.ts'

const nameBlock = query('federation/receive/name_block', { account: c.id, target: c.id, uri: c.text }, {})

/** Block: of a local account. Follows end in both directions. */
export async function receiveBlock(services: Services, { activity, author }: Receiving): Promise<void> {
  const target = await localTarget(services, activity['object'])
  const uri = idOf(activity)
  if (target === undefined) return
  await inReceipt(services, async transaction => {
    if (await hasTombstone(transaction, [uri])) return
    await lockPair(transaction, author.id, target)
    await storeBlock(transaction, author.id, target)
    if (uri !== undefined && isBounded(uri)) await transaction.run(nameBlock, { account: author.id, target, uri })
  })
}
