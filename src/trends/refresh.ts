import { c, query } from '../database/index.ts'
import { job } from '../jobs/index.ts'
import type { Services } from '../services.ts'
import { HISTORY_DAYS } from '../tags/index.ts'
import { MOST_STATUSES, PEAK_KEPT_S, STATUS_SCORING, STATUS_WINDOW_S, TAG_SCORING } from './scoring.ts'

const countTags = query('trends/count_tags', { days: c.integer, whole: c.boolean }, { hashtags: c.integer })
const forgetTagDays = query('trends/forget_tag_days', { days: c.integer }, {})
const scoreTags = query(
  'trends/score_tags',
  { threshold: c.integer, half_life_s: c.integer, peak_kept_s: c.integer },
  { scored: c.integer },
)
const scoreStatuses = query(
  'trends/score_statuses',
  {
    threshold: c.integer,
    half_life_s: c.integer,
    window_s: c.integer,
    least_score: c.float,
    most: c.integer,
  },
  { scored: c.integer },
)
const tell = query('trends/tell', {}, { events: c.events })

/** The history shows today and the days before it; the day before those is what the first of them would be compared with. */
const DAYS_KEPT = HISTORY_DAYS + 1

/**
 * Counts what was used since the last time and scores it. Each statement is a transaction of its own, so that none is long.
 * @param whole whether all days are counted anew, for what was deleted or limited meanwhile
 */
export async function refreshTrends({ database }: Services, whole: boolean): Promise<void> {
  await database.run(countTags, { days: HISTORY_DAYS, whole })
  await database.run(scoreTags, {
    threshold: TAG_SCORING.threshold,
    half_life_s: TAG_SCORING.halfLifeS,
    peak_kept_s: PEAK_KEPT_S,
  })
  await database.run(scoreStatuses, {
    threshold: STATUS_SCORING.threshold,
    half_life_s: STATUS_SCORING.halfLifeS,
    window_s: STATUS_WINDOW_S,
    least_score: STATUS_SCORING.leastScore,
    most: MOST_STATUSES,
  })
  if (whole) await database.run(forgetTagDays, { days: DAYS_KEPT })
  await database.run(tell, {})
}

/** Every five minutes (api/settings.md, section 11). */
export const refresh = job(
  'trends.refresh',
  () => null,
  (_, services: Services) => refreshTrends(services, false),
  { cron: '*/5 * * * *', attempts: 1 },
)

/** Once a day, when most people sleep somewhere. */
export const recount = job(
  'trends.recount',
  () => null,
  (_, services: Services) => refreshTrends(services, true),
  { cron: '33 3 * * *', attempts: 3 },
)
