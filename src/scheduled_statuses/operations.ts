import { operation, param } from '../http/index.ts'

/** Posting refuses schedules, so there are none. */
const showScheduledStatuses = operation({
  method: 'GET',
  path: '/api/v1/scheduled_statuses',
  auth: 'user',
  scopes: ['read:statuses'],
  summary: 'List the statuses of the caller that are to be posted later',
  params: { max_id: param.cursor(), since_id: param.cursor(), min_id: param.cursor(), limit: param.limit(20) },
  returns: '[ScheduledStatus]',
  handle: () => [],
})

export const operations = [showScheduledStatuses]
