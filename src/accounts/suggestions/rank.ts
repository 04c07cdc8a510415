import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const rank = query(
  'accounts/suggestions/rank',
  { days: c.integer, threshold: c.integer, limit: c.integer },
  { ranked: c.integer, events: c.events },
)

/**
 * Boosts and favourites of the last 30 days count; an account needs at least five followers or
 * likes.
 */
const POPULARITY = { days: 30, threshold: 5, limit: 100 } as const

/**
 * Once a day: finds the accounts popular enough to be suggested to all users with the same
 * language.
 */
export const rankPopular = job(
  'suggestions.rank',
  () => null,
  async (_, { database }: Services) => void (await database.run(rank, POPULARITY)),
  { cron: '52 3 * * *', attempts: 3 },
)
