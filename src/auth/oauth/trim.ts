import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const trim = query('auth/oauth/trim', {}, {})

/** Deletes expired sign-in data once a day. */
export const trimSignIns = job<undefined, Services>(
  'authorization.trim',
  () => undefined,
  async (_, { database }) => {
    await database.run(trim, {})
  },
  { cron: '17 4 * * *' },
)
