import { recordMove } from '../../accounts/migration/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { idOf } from '../protocol/index.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'

const mayMove = query('federation/receive/may_move', { account: c.id, target: c.id }, { allowed: c.boolean })

/**
 * Move: the actor moves to another account, which must list the actor as an alias. Local followers
 * are moved in the background, which sends both servers an Undo and a Follow.
 */
export async function receiveMove(services: Services, { activity, author, actorUri }: IncomingActivity): Promise<void> {
  const to = idOf(activity['target'])
  if (to === undefined || idOf(activity['object']) !== actorUri) return
  const target = await resolveActor(services, to, { refresh: true })
  if (target === undefined) return
  await receivingTransaction(services, async transaction => {
    const row = await transaction.one(mayMove, { account: author.id, target })
    if (row?.allowed) await recordMove(transaction, author.id, target)
  })
}
