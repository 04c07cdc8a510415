import { c, query } from '../database/index.ts'
import type { Services } from '../services.ts'
import { job } from './job.ts'

const remove = query('platform/jobs/remove_failed', {}, { removed: c.integer })

/**
 * Once a day: removes jobs whose last attempt failed 30 days ago. Otherwise a push service that is
 * gone for good would leave a row for each notification.
 */
const removeFailedJobs = job<undefined, Services>(
  'jobs.remove_failed',
  () => undefined,
  async (_, { database, logger }, { signal }) => {
    let removed = 0
    for (let last = 1; last > 0; removed += last) {
      signal.throwIfAborted()
      last = (await database.one(remove, {}))?.removed ?? 0
    }
    if (removed > 0) logger.info({ removed }, 'removed old jobs that had failed')
  },
  { cron: '29 4 * * *' },
)

export const jobs = [removeFailedJobs]
