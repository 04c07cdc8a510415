import { query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const trim = query('auth/oauth/trim', {}, {})

/** Removes once a day what nobody can sign in with any more. */
export const trimSignIns = job<undefined, Services>(
  'authorization.trim',
  () => undefined,
  async (_, { database }) => {
    await database.run(trim, {})
  },
  { cron: '17 4 * * *' },
)
