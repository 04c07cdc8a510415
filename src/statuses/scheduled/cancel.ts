import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'

const cancel = query('statuses/scheduled/cancel', { account: c.id, id: c.id }, { id: c.id })

export const cancelScheduledStatus = operation({
  method: 'DELETE',
  path: '/api/v1/scheduled_statuses/:id',
  auth: 'user',
  scopes: ['write:statuses'],
  summary: 'Cancel a scheduled status',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(cancel, { account: viewer.id, id }))) throw new ApiError('notFound')
    return {}
  },
})
