import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const deleteExpired = query('auth/oauth/delete_expired', { session_retention: c.float, address_retention: c.float }, {})

/** Deletes expired sign-in data and old addresses once a day. */
export const trimSignIns = job<undefined, Services>(
  'authorization.trim',
  () => undefined,
  async (_, { config, database }) => {
    await database.run(deleteExpired, {
      session_retention: config.sessionRetentionSeconds,
      address_retention: config.ipRetentionSeconds,
    })
  },
  { cron: '17 4 * * *' },
)
