import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import { notifyStaff } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'
import { MIN_RISE } from './scoring.ts'

const addRequests = query('timelines/trends/request_reviews', { least_score: c.float }, { name: c.text })

/**
 * Every six hours, asks moderators in one e-mail about items that would trend with their approval;
 * not while trends are off or need no approval.
 */
export const requestReviews = job(
  'trends.request_reviews',
  () => null,
  async (_, { database, settings }: Services) => {
    if (!settings.get('trends') || settings.get('trendable_by_default')) return
    await database.transaction(async transaction => {
      const requested = await transaction.run(addRequests, { least_score: MIN_RISE })
      if (requested.length === 0) return
      await notifyStaff(transaction, 'new_trends', { trends: requested.map(({ name }) => name).join(', ') })
    })
  },
  { cron: '12 */6 * * *', attempts: 3 },
)
