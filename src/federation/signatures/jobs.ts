import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const forget = query('federation/forget_remote_keys', { maximum: c.integer }, {})

const MAX_KEYS = 200_000

/** Forgets keys that expired; of too many, the oldest. */
const forgetKeys = job(
  'federation.forget_keys',
  () => null,
  async (_, { database }: Services) => void (await database.run(forget, { maximum: MAX_KEYS })),
  { cron: '41 * * * *', attempts: 1 },
)

export const jobs = [forgetKeys]
