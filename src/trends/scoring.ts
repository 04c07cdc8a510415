/**
 * How scores are made (api/settings.md, section 4): what is used at least `threshold` times more than expected has one, which is halved every
 * `halfLifeS` seconds. The formulas are the SQL functions `surge` and `decayed` (sql/migrations/0035_trends.sql).
 */
export const TAG_SCORING = { threshold: 5, halfLifeS: 4 * 3600, leastScore: 1 } as const
export const STATUS_SCORING = { threshold: 5, halfLifeS: 3600, leastScore: 0.3 } as const

/** For so long the highest score of a hashtag or link counts, decaying; a lower one that comes later does not replace it. */
export const PEAK_KEPT_S = 2 * 86_400

/** Older statuses are not looked at: to have a score after two days, one would need nine million boosts. */
export const STATUS_WINDOW_S = 2 * 86_400

/** Trending statuses that are kept, allowed ones or not. */
export const MOST_STATUSES = 1_000
