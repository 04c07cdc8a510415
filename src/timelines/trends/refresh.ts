import { c, query } from '../../platform/database/index.ts'
import { job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { HISTORY_DAYS } from '../tags/index.ts'
import { LINK_SCORING, STATUS_SCORING, TAG_SCORING } from './scoring.ts'

const days = { days: c.integer } as const
const countTags = query('timelines/trends/count_tags', { ...days, whole: c.boolean }, { hashtags: c.integer })
const countLinks = query('timelines/trends/count_links', { ...days, whole: c.boolean }, { links: c.integer })
const deleteOldTagDays = query('timelines/trends/delete_old_tag_days', days, {})
const deleteOldLinkDays = query('timelines/trends/delete_old_link_days', days, {})

const scored = { scored: c.integer } as const
const rising = { threshold: c.integer, half_life_s: c.integer, peak_kept_s: c.integer } as const
const scoreTags = query('timelines/trends/score_tags', rising, scored)
const scoreLinks = query('timelines/trends/score_links', rising, scored)
const scoreStatuses = query(
  'timelines/trends/score_statuses',
  { threshold: c.integer, half_life_s: c.integer, window_s: c.integer, least_score: c.float, limit: c.integer },
  scored,
)
const recordChange = query('timelines/trends/record_change', {}, { events: c.events })

/**
 * The history shows today and the days before it; one more day is kept to compare the first of them
 * with.
 */
const DAYS_KEPT = HISTORY_DAYS + 1

/**
 * Counts the use since the last run and computes scores. Each statement is a transaction of its
 * own, so that all are short.
 * @param whole whether to count all days again, because statuses were deleted or limited meanwhile
 */
export async function refreshTrends({ database }: Services, whole: boolean): Promise<void> {
  await database.run(countTags, { days: HISTORY_DAYS, whole })
  await database.run(countLinks, { days: HISTORY_DAYS, whole })
  await database.run(scoreTags, TAG_SCORING)
  await database.run(scoreLinks, LINK_SCORING)
  await database.run(scoreStatuses, STATUS_SCORING)
  if (whole) {
    await database.run(deleteOldTagDays, { days: DAYS_KEPT })
    await database.run(deleteOldLinkDays, { days: DAYS_KEPT })
  }
  await database.run(recordChange, {})
}

/** Every five minutes. */
export const refresh = job(
  'trends.refresh',
  () => null,
  (_, services: Services) => refreshTrends(services, false),
  { cron: '*/5 * * * *', attempts: 1 },
)

/** Once a day. */
export const recount = job(
  'trends.recount',
  () => null,
  (_, services: Services) => refreshTrends(services, true),
  { cron: '33 3 * * *', attempts: 3 },
)
