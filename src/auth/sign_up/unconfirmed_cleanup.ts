import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const clean = query('auth/sign_up/clean', {}, { removed: c.integer, events: c.events })

/** Deletes users who never confirmed their address, and expired sign-up blocks, once a day. */
export const cleanSignUps = job<undefined, Services>(
  'registration.clean',
  () => undefined,
  async (_, { database }) => {
    for (let left = true; left;) left = ((await database.one(clean, {}))?.removed ?? 0) > 0
  },
  { cron: '37 3 * * *' },
)
