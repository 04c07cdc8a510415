import { cursorsOf, list, operation, page, param } from '../../platform/http/index.ts'
import { respondWithScheduled, renderSchedules } from './render.ts'

export const showScheduledStatuses = operation({
  method: 'GET',
  path: '/api/v1/scheduled_statuses',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'List the scheduled statuses of the caller',
  params: { max_id: param.cursor(), since_id: param.cursor(), min_id: param.cursor(), limit: param.limit(20) },
  returns: '[ScheduledStatus]',
  async handle(range, context) {
    const rows = await renderSchedules(context, context.viewer.id, range)
    const cursors = cursorsOf(rows, row => row.id)
    return page(list(rows.map(row => row.entity)), cursors, context.request, range)
  },
})

export const showScheduledStatus = operation({
  method: 'GET',
  path: '/api/v1/scheduled_statuses/:id',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'Show a scheduled status',
  params: { id: param.id() },
  returns: 'ScheduledStatus',
  handle: ({ id }, context) => respondWithScheduled(context, context.viewer.id, id),
})
