import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const changed = { amount: c.integer, events: c.events }
const endPast = query('instance/announcements/end_past', {}, changed)
const publishDue = query('instance/announcements/publish_due', {}, changed)

/** Unpublishes announcements after their end, every 5 minutes. */
const endAnnouncements = job(
  'announcements.end',
  () => null,
  async (_, { database }: Services) => void (await database.run(endPast, {})),
  { cron: '*/5 * * * *', attempts: 1 },
)

/**
 * Publishes announcements whose time has come. The job is enqueued for that time, so that it runs
 * later if no server is running then.
 */
export const publishAnnouncements = job<object, Services>(
  'announcements.publish',
  () => ({}),
  async (_, { database }) => void (await database.run(publishDue, {})),
  { hasChosenTime: true },
)

export const jobs = [endAnnouncements, publishAnnouncements]
