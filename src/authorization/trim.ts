import { query } from '../database/index.ts'
import { job } from '../jobs/index.ts'
import type { Services } from '../services.ts'

const trim = query('authorization/trim', {}, {})

/** Removes once a day what nobody can sign in with any more. */
export const trimSignIns = job<undefined, Services>(
  'authorization.trim',
  () => undefined,
  async (_, { database }) => {
    await database.run(trim, {})
  },
  { cron: '17 4 * * *' },
)
