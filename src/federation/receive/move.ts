import { recordMove } from '../../accounts/migration/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { idOf } from '../protocol/index.ts'
import { inReceipt, type Receiving } from './receiving.ts'

const mayMove = query('federation/receive/may_move', { account: c.id, target: c.id }, { allowed: c.boolean })

/**
 * Move: the actor has another account, which says the same. The local followers are moved in the
 * background, and send both servers what changed.
 */
export async function receiveMove(services: Services, { activity, author, actorUri }: Receiving): Promise<void> {
  const to = idOf(activity['target'])
  if (to === undefined || idOf(activity['object']) !== actorUri) return
  const target = await resolveActor(services, to, { refresh: true })
  if (target === undefined) return
  await inReceipt(services, async transaction => {
    const row = await transaction.one(mayMove, { account: author.id, target })
    if (row?.allowed) await recordMove(transaction, author.id, target)
  })
}
