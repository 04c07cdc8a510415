import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const expireRefreshes = query('instance/async_refreshes/expire', {}, {})

const forgetRefreshes = job<undefined, Services>(
  'async_refreshes.forget',
  () => undefined,
  async (_, { database }) => void (await database.run(expireRefreshes, {})),
  { cron: '23 * * * *', attempts: 1 },
)

/** Background jobs of this folder. */
export const jobs = [forgetRefreshes]
