import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const clean = query('notifications/email_subscriptions/clean', {}, { removed: c.integer })

/** Once an hour: removes addresses that were not confirmed within two days. */
export const cleanSubscriptions = job<undefined, Services>(
  'email_subscriptions.clean',
  () => undefined,
  async (_, { database }) => {
    await database.run(clean, {})
  },
  { cron: '43 * * * *' },
)
