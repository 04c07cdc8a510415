import { c, query } from '../database/index.ts'
import { job } from '../jobs/index.ts'
import type { Services } from '../services.ts'

const endPast = query('announcements/end_past', {}, { amount: c.integer, events: c.events })

/** Takes announcements back whose end has passed (api/settings.md: every 5 minutes). */
const endAnnouncements = job(
  'announcements.end',
  () => null,
  async (_, { database }: Services) => void (await database.run(endPast, {})),
  { cron: '*/5 * * * *', attempts: 1 },
)

export const jobs = [endAnnouncements]
