import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { requireRoom } from './limits.ts'
import { respondWithScheduled } from './render.ts'
import { enqueuePublishing } from './schedule.ts'
import { requireLater } from './time.ts'

const move = query('statuses/scheduled/move', { account: c.id, id: c.id, scheduled_at: c.timestamp }, { id: c.id })

export const moveScheduledStatus = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/scheduled_statuses/:id',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Change the time of a scheduled status',
  params: { id: param.id(), scheduled_at: param.datetime({ optional: true }) },
  returns: 'ScheduledStatus',
  requireRecord: (id, context) => respondWithScheduled(context, context.viewer.id, id),
  async handle({ id, scheduled_at: at }, context) {
    const { viewer, database } = context
    const before = await respondWithScheduled(context, viewer.id, id)
    if (at === undefined) return before
    requireLater(at, Date.now())
    await database.transaction(async transaction => {
      await requireRoom(transaction, viewer.id, at, id)
      const moved = await transaction.one(move, { account: viewer.id, id, scheduled_at: at })
      if (!moved) throw new ApiError('notFound')
      await enqueuePublishing(transaction, id, at)
    })
    return respondWithScheduled(context, viewer.id, id)
  },
})
