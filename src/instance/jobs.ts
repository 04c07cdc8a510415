import { c, query } from '../platform/database/index.ts'
import { job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const countDay = query('instance/count_day', {}, { day: c.date })

/** Records the activity of today and yesterday, for the weekly statistics. */
const countActivity = job(
  'instance.count_activity',
  () => null,
  async (_, { database }: Services) => void (await database.run(countDay, {})),
  { cron: '*/10 * * * *', attempts: 1 },
)

export const jobs = [countActivity]
