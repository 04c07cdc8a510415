import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const removeOld = query('federation/http_signatures/remove_expired_keys', { maximum: c.integer }, {})

const MAX_KEYS = 200_000

/** Deletes expired keys, and the oldest ones beyond `MAX_KEYS`. */
const removeExpiredKeys = job(
  'federation.remove_expired_keys',
  () => null,
  async (_, { database }: Services) => void (await database.run(removeOld, { maximum: MAX_KEYS })),
  { cron: '41 * * * *', attempts: 1 },
)

export const jobs = [removeExpiredKeys]
