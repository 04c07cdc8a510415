import { NO_API, type StaffAction } from './staff_action.ts'
import { blockActions } from './staff_actions_blocks.ts'
import { peopleActions } from './staff_actions_people.ts'
import { reportActions } from './staff_actions_reports.ts'
import { failedJob } from './staff_actions_world.ts'

const jobs: readonly StaffAction[] = (['retry', 'delete'] as const).map(change => ({
  does: `${change} jobs`,
  logs: `${change === 'retry' ? 'retry' : 'destroy'} Job`,
  make: failedJob,
  page: [['POST /admin/jobs/batch', { change, ids: ':id' }]],
  ctl: [`jobs ${change} :id`],
  because: { api: NO_API },
}))

/** The actions on people, posts, reports, trends and blocks, and on jobs. */
export const moderationActions: readonly StaffAction[] = [...peopleActions, ...reportActions, ...blockActions, ...jobs]
