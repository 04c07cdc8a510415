import type { Id } from '../core/id.ts'
import { c, query, type Database } from '../platform/database/index.ts'
import { operation, param } from '../platform/http/index.ts'
import { enqueue, job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { changeOperation } from './change_operation.ts'
import { findAccount } from './find_account.ts'
import { renderRelationship } from './relationship.ts'

const muteAccount = query(
  'accounts/mute',
  { viewer: c.id, target: c.id, notifications: c.boolean, duration: c.nullable(c.integer) },
  { expires_at: c.nullable(c.timestamp), events: c.events },
)

const unmuteAccount = query('accounts/unmute', { viewer: c.id, target: c.id }, { events: c.events })
const expireMutes = query('accounts/expire_mutes', {}, { removed: c.integer, events: c.events })

/**
 * Removes expired mutes. Queries ignore them from the moment they expire; this informs streams and
 * caches.
 */
export const endMutes = job<object, Services>(
  'accounts.end_mutes',
  () => ({}),
  async (_, { database }) => {
    for (;;) {
      const row = await database.one(expireMutes, {})
      if (!row || row.removed === 0) return
    }
  },
)

/**
 * Mutes an account, which must be another one.
 * @param options.duration in seconds; 0: unlimited; null: unlimited, but a mute that exists keeps
 * its end
 */
export async function mute(
  database: Database,
  viewer: Id,
  target: Id,
  { notifications = true, duration = 0 }: { notifications?: boolean; duration?: number | null } = {},
): Promise<void> {
  await database.transaction(async transaction => {
    const row = await transaction.one(muteAccount, { viewer, target, notifications, duration })
    const at = row?.expires_at
    if (at) await enqueue(transaction, endMutes, {}, { at, key: `accounts.end_mutes:${viewer}:${target}` })
  })
}

export async function unmute(database: Database, viewer: Id, target: Id): Promise<void> {
  await database.run(unmuteAccount, { viewer, target })
}

const muteOperation = operation({
  method: 'POST',
  path: '/api/v1/accounts/:id/mute',
  auth: 'user',
  scopes: ['follow', 'write:mutes'],
  params: {
    id: param.id(),
    notifications: param.boolean({ default: true }),
    duration: param.integer({ default: 0, min: 0 }),
  },
  returns: 'Relationship',
  summary: 'Mute an account',
  requireRecord: (id, context) => findAccount(context, context.viewer, id),
  async handle({ id, notifications, duration }, context) {
    const { viewer, database } = context
    await findAccount(context, viewer, id)
    if (id !== viewer.id) await mute(database, viewer.id, id, { notifications, duration })
    return renderRelationship(context, viewer, id)
  },
})

const unmuteOperation = changeOperation(
  ['unmute'],
  ['follow', 'write:mutes'],
  'Unmute an account',
  ({ database, viewer }, target) => unmute(database, viewer.id, target),
)

export const operations = [muteOperation, unmuteOperation]
