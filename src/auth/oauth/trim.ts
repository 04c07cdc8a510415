import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const deleteExpired = query('auth/oauth/delete_expired', {}, {})

/** Deletes expired sign-in data once a day. */
export const trimSignIns = job<undefined, Services>(
  'authorization.trim',
  () => undefined,
  async (_, { database }) => {
    await database.run(deleteExpired, {})
  },
  { cron: '17 4 * * *' },
)
